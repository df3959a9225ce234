"""Every stationary point that many random starts find, on M and off it, with its index.

A point of S^(d-1) x S^(d-1) is stationary if and only if it is in the span of k*, v*, k, v, so
the search runs on S^3 x S^3, whatever d is. It is an enumeration, not a proof of completeness.
"""

from functools import cache, partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from slrlib import _door
from slrlib.landscape._search import _descend, _minimise, _overlaps, _renewed, _riemannian, _slope
from slrlib.landscape._tools import _plain
from slrlib.landscape.transverse import lambda_c
from slrlib.overlaps import Overlaps
from slrlib.risk import excess_risk, excess_risk_gradient

_BATCH = 64
_FLAT = 3e-11  # a curvature below this times the largest is zero


class StationaryPoints(NamedTuple):
    """Stationary points sorted by risk, one of each set of four that the symmetries relate.

    ``index`` counts the negative curvatures in the span of k*, v*, k, v, ``flat`` the zero ones
    (an orbit), ``beyond`` those per direction outside: the full index is index + (d - 4) beyond.
    ``found`` counts the starts that ended there.
    """

    overlaps: Overlaps
    excess_risk: np.ndarray
    index: np.ndarray
    flat: np.ndarray
    beyond: np.ndarray
    found: np.ndarray


@jax.jit
def _described(x, lam, task):
    """Length of the gradient, curvatures (8, two of them zero by the projection), block beyond."""
    slope, bend = _riemannian(x, lam, task)
    ambient, rho = _slope(x, lam, task), excess_risk_gradient(_overlaps(x), lam, task).rho
    a, b = jnp.dot(x[:4], ambient[:4]), jnp.dot(x[4:], ambient[4:])
    beyond = jnp.linalg.eigvalsh(jnp.stack([jnp.stack([-a, rho]), jnp.stack([rho, -b])]))
    here = _overlaps(x)
    return (
        here,
        excess_risk(here, lam, task),
        jnp.linalg.norm(slope),
        jnp.linalg.eigvalsh(bend),
        beyond,
    )


@cache
def _batched(f):
    return jax.jit(jax.vmap(f, in_axes=(0, None, None)))


def _each(f, x, lam, task):
    """``f`` of every row of ``x``, in batches of one size, so that it is compiled once."""
    task, batch = jax.tree.map(jnp.asarray, task), _batched(f)
    short = -len(x) % _BATCH
    x = np.concatenate([x, np.repeat(x[-1:], short, axis=0)])
    parts = [batch(x[i : i + _BATCH], jnp.asarray(lam), task) for i in range(0, len(x), _BATCH)]
    return jax.tree.map(lambda *y: np.concatenate(y)[: len(x) - short], *parts)


def _canonical(o):
    """One of the four images under (k, v) to -(k, v) and under the reflection of v*."""
    kappa, nu, theta, eta, rho = (np.array(x, float) for x in o)
    tiny = 1e-6
    leading = np.where(np.abs(kappa) > tiny, kappa, np.where(np.abs(nu) > tiny, nu, theta))
    leading = np.where(np.abs(leading) > tiny, leading, eta)
    both = np.where(leading < -tiny, -1.0, 1.0)
    kappa, nu, theta, eta = both * kappa, both * nu, both * theta, both * eta
    leading = np.where(np.abs(theta) > tiny, theta, np.where(np.abs(eta) > tiny, eta, rho))
    mirror = np.where(leading < -tiny, -1.0, 1.0)
    return np.stack([kappa, nu, mirror * theta, mirror * eta, mirror * rho], -1) + 0.0


def _starts(count, key):
    """Random starts, and all pairs of axes a little off, which lie near the points of symmetry."""
    pairs = [(i, j, sign) for i in range(3) for j in range(4) for sign in (1.0, -1.0)]
    axes = np.zeros((len(pairs), 8))
    for row, (i, j, sign) in zip(axes, pairs, strict=True):
        row[i], row[4 + j] = 1.0, sign
    return _drawn(key, axes, count)


@partial(jax.jit, static_argnames="count")
def _drawn(key, axes, count):
    key_random, key_off = jax.random.split(key)
    off = 0.03 * jax.random.normal(key_off, axes.shape)
    x = jnp.concatenate([jax.random.normal(key_random, (count, 8)), axes + off])
    return jax.vmap(_renewed)(x)


def stationary_points(lam, task, *, starts=250, tolerance=1e-8, key=None):
    """The stationary points at ``lam`` that ``starts`` random starts and 24 others lead to.

    Every fourth start is also followed down to a minimum first, since these are rarely met.
    Needs 64-bit numbers. For lam^2 d large the risk is flat to rounding along kappa near (k*, v*),
    and the list then shows points of that plateau.
    """
    task = _plain(task)
    lam = jnp.asarray(float(_door.positive("lam", lam)))
    if lam.dtype != jnp.float64:
        raise ValueError(f"stationary points must be found with 64-bit numbers, got {lam.dtype}")
    x = _starts(_door.count("starts", starts), _door.random_key(key))
    x = np.asarray(x)
    x = np.concatenate([x, _each(_minimise, x[::4], lam, task)])
    x = _each(_descend, x, lam, task)
    o, risk, length, curvature, beyond = _each(_described, x, lam, task)
    there = np.asarray(length) < tolerance
    o, risk = _canonical(o)[there], np.asarray(risk)[there]
    o[np.abs(o) < 1e-9] = 0.0
    curvature, beyond = np.asarray(curvature)[there], np.asarray(beyond)[there]

    groups = []
    for i in np.argsort(risk):
        for group in groups:
            if np.max(np.abs(o[i] - o[group[0]])) < 1e-5:
                group.append(i)
                break
        else:
            groups.append([i])
    first = [group[0] for group in groups]
    floor = _FLAT * np.max(np.abs(curvature[first]), axis=-1, keepdims=True)
    return StationaryPoints(
        overlaps=Overlaps(*o[first].T),
        excess_risk=risk[first],
        index=np.sum(curvature[first] < -floor, axis=-1),
        flat=np.sum(np.abs(curvature[first]) <= floor, axis=-1) - 2,
        beyond=np.sum(beyond[first] < -floor, axis=-1),
        found=np.array([len(group) for group in groups]),
    )


# k and v at lam = 1, d = 400, L = 10: both in the plane of k* and v*.
_GUESS = np.array([0.2426, -0.9701, 0.0, 0.0, 0.3422, 0.9396, 0.0, 0.0])
_GUESS /= np.repeat(np.linalg.norm(_GUESS.reshape(2, 4), axis=1), 4)


def tilted_overlaps(lam, task):
    """The tilted minimum, to which runs at a constant lam > lambda_c are drawn.

    k and v both lean on v*: |nu| and |eta| are near 1, and kappa stays small. Found on plain
    numbers (not traceable), by a descent from the tilted minimum of another task.

    Book: {eq}`eq-lambda-c` (not in the paper).
    """
    task = _plain(task)
    lam, least = float(_door.positive("lam", lam)), float(lambda_c(task))
    if lam <= least:
        raise ValueError(f"lam must be above lambda_c={least:.6g}, got {lam}")
    x = _each(_descend, _each(_minimise, _GUESS[None, :], lam, task), lam, task)
    return _found(x[0])


_found = jax.jit(_overlaps)

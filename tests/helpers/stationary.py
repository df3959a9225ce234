"""Every stationary point that many random starts find, on M and off it, with its index.

A point of S^(d-1) x S^(d-1) is stationary if and only if it is in the span of k*, v*, k, v, so
the search runs on S^3 x S^3, whatever d is. It is an enumeration, not a proof of completeness.
"""

from functools import cache, partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from slrlib.landscape import tilted as newton
from slrlib.landscape.tilted import energy, overlaps_at
from slrlib.overlaps import Overlaps
from slrlib.risk import excess_risk_gradient
from slrlib.sphere import project

_BATCH, _STEPS, _NEWTON = 64, 200, 10
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


def _looked(x, given):
    """The gradient and the Hessian on the two spheres, as a vector and a matrix of R^8."""
    return newton.look(lambda y: energy(y, None, given), x)[1:]


def _followed(x, given):
    """Levenberg and Marquardt on the length of the gradient: it stops at every kind of point.

    The last steps are Newton's, on all directions that are not flat: they also end slow descents.
    """

    def step(i, state):
        x, slope, bend, damping = state
        values, axes = jnp.linalg.eigh(bend)
        scale = jnp.max(jnp.abs(values))
        exact = jnp.where(jnp.abs(values) > 1e-12 * scale, 1 / (values + 1e-300), 0.0)
        slow = values / (values**2 + damping * scale**2)
        shift = axes @ (jnp.where(i < _STEPS, slow, exact) * (axes.T @ slope))
        across = newton.normals(x)
        shift = shift - across.T @ (across @ shift)
        new = project(x - shift.reshape(x.shape))
        new_slope, new_bend = _looked(new, given)
        shorter = jnp.linalg.norm(new_slope) < jnp.linalg.norm(slope)
        damping = jnp.clip(jnp.where(shorter, damping / 4, damping * 4), 1e-14, 1e8)
        x, slope, bend = (
            jnp.where(shorter, a, b) for a, b in ((new, x), (new_slope, slope), (new_bend, bend))
        )
        return x, slope, bend, damping

    start = (x, *_looked(x, given), jnp.asarray(1e-2, x.dtype))
    return jax.lax.fori_loop(0, _STEPS + _NEWTON, step, start)[0]


def _described(x, given):
    """Length of the gradient, curvatures (8, two of them zero by the projection), block beyond."""
    slope, bend = _looked(x, given)
    risk, ambient = energy(x, None, given)
    here = overlaps_at(x)
    rho = excess_risk_gradient(here, *given).rho
    a, b = jnp.sum(x * ambient, axis=1)
    beyond = jnp.linalg.eigvalsh(jnp.stack([jnp.stack([-a, rho]), jnp.stack([rho, -b])]))
    return here, risk, jnp.linalg.norm(slope), jnp.linalg.eigvalsh(bend), beyond


@cache
def _batched(f):
    return jax.jit(jax.vmap(f, in_axes=(0, None)))


def _each(f, x, given):
    """``f`` of every row of ``x``, in batches of one size, so that it is compiled once."""
    given, batch = jax.tree.map(jnp.asarray, given), _batched(f)
    short = -len(x) % _BATCH
    x = np.concatenate([x, np.repeat(x[-1:], short, axis=0)])
    parts = [batch(x[i : i + _BATCH], given) for i in range(0, len(x), _BATCH)]
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
    return project(x.reshape(-1, 2, 4))


def stationary_points(lam, task, *, key, starts=250, tolerance=1e-8):
    """The stationary points at ``lam`` that ``starts`` random starts and 24 others lead to.

    Every fourth start is also followed down to a minimum first, since these are rarely met.
    Needs 64-bit numbers. For lam^2 d large the risk is flat to rounding along kappa near (k*, v*),
    and the list then shows points of that plateau.
    """
    given, x = (float(lam), task), np.asarray(_starts(starts, key))
    x = np.concatenate([x, newton.minimised(energy, x[::4], None, given)[0]])
    x = _each(_followed, x, given)
    o, risk, length, curvature, beyond = _each(_described, x, given)
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

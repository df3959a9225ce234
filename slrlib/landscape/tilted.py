"""The tilted minimum, found by Newton's method on a product of spheres.

A point ``x`` of shape (..., n) holds one unit vector of R^n in each row. ``energy(x, own, common)``
returns the value of the function to minimize and its gradient with respect to x, which need not be
tangent; ``own`` may differ between starts, ``common`` is the same for all. The descent uses
absolute values of the eigenvalues of the Hessian and moves away from saddles, so it ends at minima.

A stationary point lies in the span of k*, v*, k, v, so the search runs on S^3 x S^3 for any d.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.landscape.swapped import lambda_c_exact
from slrlib.landscape.tools import plain
from slrlib.overlaps import Overlaps
from slrlib.risk import excess_risk
from slrlib.sphere import project
from slrlib.task import Task

__all__ = ["tilted_overlaps"]

REST = 1e-11  # a point is stationary if its gradient norm is below this
LEVEL = 1e-9  # negative curvatures smaller than this times the largest count as zero
_STEPS, _ROUNDS = 25, 24

Energy = Callable[[jax.Array, Any, Any], tuple[jax.Array, jax.Array]]


def normals(x: jax.Array) -> jax.Array:
    """Return the normals of the spheres at x, each as one row of x.size numbers."""
    n = x.shape[-1]
    own = jnp.repeat(jnp.eye(x.size // n, dtype=x.dtype), n, axis=1)
    return own * x.reshape(1, -1)


def look(energy: Callable, x: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Return the energy, and its gradient and Hessian on the spheres as a vector and a matrix.

    ``energy(x)`` returns the value and the gradient.
    """

    def slope_of(y):
        value, slope = energy(y.reshape(x.shape))
        return slope.reshape(-1), (value, slope.reshape(-1))

    bend, (value, slope) = jax.jacfwd(slope_of, has_aux=True)(x.reshape(-1))
    across = normals(x)
    tangent = jnp.eye(x.size, dtype=x.dtype) - across.T @ across
    turn = jnp.repeat(across @ slope, x.shape[-1])
    return value, tangent @ slope, tangent @ (bend - jnp.diag(turn)) @ tangent


def _curvatures(x, bend):
    """Return the eigenvalues of the Hessian on the spheres, in increasing order."""
    across = normals(x)
    above = 1 + bend.shape[0] * jnp.max(jnp.abs(bend))
    values = jnp.linalg.eigvalsh(bend + above * across.T @ across)
    return values[: -len(across)]


@partial(jax.jit, static_argnames="energy")
def _round(x, damping, own, common, energy):
    """Take ``_STEPS`` steps from each start; return the points with their values."""

    def descend(x, damping, own):
        def step(i, state):
            new, x, value, slope, bend, damping = state
            new_value, new_slope, new_bend = look(lambda y: energy(y, own, common), new)
            rounding = 1e-13 * value  # if energies are this close, the gradient decides
            shorter = jnp.linalg.norm(new_slope) < jnp.linalg.norm(slope)
            lower = (new_value < value - rounding) | ((new_value < value + rounding) & shorter)
            damping = jnp.clip(jnp.where(lower, damping / 4, damping * 4), 1e-10, 1e8)
            here = (new, new_value, new_slope, new_bend), (x, value, slope, bend)
            x, value, slope, bend = (jnp.where(lower, a, b) for a, b in zip(*here, strict=True))
            values, axes = jnp.linalg.eigh(bend)
            largest = jnp.max(jnp.abs(values))
            move = -axes @ ((axes.T @ slope) / (jnp.abs(values) + damping * largest))
            saddle = (jnp.linalg.norm(slope) < 1e-8) & (values[0] < -LEVEL * largest)
            push = 0.05 * 0.3 ** (i % 4).astype(x.dtype)  # four lengths: a saddle may be flat
            move = jnp.where(saddle, push * axes[:, 0], move)
            damping = jnp.where(saddle, 1e-2, damping)
            return project(x + move.reshape(x.shape)), x, value, slope, bend, damping

        size = x.size
        worst = jnp.full((), 1e300, x.dtype), jnp.ones(size, x.dtype), jnp.zeros((size, size))
        state = jax.lax.fori_loop(0, _STEPS, step, (x, x, *worst, damping))
        _, x, value, slope, bend, damping = state
        return x, damping, value, jnp.linalg.norm(slope), _curvatures(x, bend)

    return jax.vmap(descend)(x, damping, own)


def minimized(
    energy: Energy, x: ArrayLike, own: Any, common: Any, rest: float = REST, batch: int = 10
) -> tuple[np.ndarray, ...]:
    """Descend from all starts ``x`` (count, ..., n); return ends, energies, slopes, curvatures.

    After each round only the starts whose gradient norm exceeds ``rest`` and those at saddles
    continue. They are processed in small batches of one size, because few starts remain in the last
    rounds.
    """
    common, x = jax.tree.map(jnp.asarray, common), np.array(x)
    curvatures = x[0].size - x[0].size // x.shape[-1]
    ends = [x, np.full(len(x), 1e-2), *np.zeros((2, len(x))), np.zeros((len(x), curvatures))]
    todo = np.arange(len(x))
    for _ in range(_ROUNDS):
        for part in np.split(todo, range(batch, len(todo), batch)):
            rows = np.resize(part, batch)
            given = jax.tree.map(lambda y, rows=rows: jnp.asarray(y[rows]), (*ends[:2], own))
            for all_of_them, new in zip(ends, _round(*given, common, energy=energy), strict=True):
                all_of_them[part] = np.asarray(new)[: len(part)]
        _, _, value, slope, bend = ends
        todo = np.flatnonzero((slope > rest) | (bend[:, 0] < -LEVEL * np.max(np.abs(bend), axis=1)))
        if not len(todo):
            break
    return x, value, slope, bend


def overlaps_at(x: jax.Array) -> Overlaps:
    """Return the overlaps of (k, v) = ``x``, of shape (2, 4), on axes that begin with k* and v*."""
    k, v = x
    return Overlaps(k[0], v[1], v[0], k[1], jnp.dot(k, v))


@jax.value_and_grad
def energy(x: jax.Array, _: object, given: tuple) -> jax.Array:
    """Compute the excess risk of (k, v) = ``x`` and its gradient in R^4 x R^4, not yet tangent."""
    return excess_risk(overlaps_at(x), *given)


# k and v at lam = 1, d = 400, L = 10: both in the plane of k* and v*.
_GUESS = np.array([[0.2426, -0.9701, 0.0, 0.0], [0.3422, 0.9396, 0.0, 0.0]])
_GUESS /= np.linalg.norm(_GUESS, axis=1, keepdims=True)


@checks.in_double
def tilted_overlaps(lam: ArrayLike, task: Task) -> Overlaps:
    """Find the tilted minimum, where most runs at a constant lambda > lambda_c end.

    At this minimum |nu| and |eta| are near 1, so both k and v are close to v* or -v*, and kappa is
    small. The search is a descent from the tilted minimum of another task, in double precision
    regardless of the JAX setting.

    Parameters
    ----------
    lam : float
        Inverse temperature, above ``lambda_c_exact(task)``; a plain number.
    task : Task
        The task, of plain numbers (not arrays, not traced); d, L and gamma enter.

    Returns
    -------
    Overlaps
        The overlaps (kappa, nu, theta, eta, rho) of the minimum.

    Examples
    --------
    >>> o = tilted_overlaps(1.0, Task(d=400, L=10))
    >>> round(float(o.nu), 3), round(float(o.eta), 3)
    (0.94, -0.97)

    Book: {eq}`eq-lambda-c` (not in the paper).
    """
    task = plain(task)
    lam = checks.one_positive("lam", lam)
    least = lambda_c_exact(task)
    if lam <= least:
        raise ValueError(f"lam must be above lambda_c={least:.6g}, got {lam}")
    x, *_ = minimized(energy, _GUESS[None], None, (lam, task), batch=1)
    return overlaps_at(x[0])

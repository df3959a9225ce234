"""Two bounds on the number of steps along the plateau of M, where nu = 1 and kappa still grows."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.risk.closed import shorthand
from slrlib.special import erf_prime, erfc, legendre, new_axis, rule
from slrlib.task import Task

_NODES = 200  # of the integrals over artanh(kappa), whose integrands are smooth


def slope(kappa: ArrayLike, lam: ArrayLike, task: Task) -> jax.Array:
    """Return minus the derivative of the risk in kappa at nu = 1; it decreases in kappa."""
    s = shorthand(kappa, lam, task)
    return 2 * s.gg * s.A * erf_prime(s.x) * erfc(s.y)


def _steepest(low, lam, task):
    """Bound the curvature in k along nu = 1 from ``low`` on: each factor at its largest."""
    s = shorthand(low, lam, task)
    flat = (1 - low) * (1 + low)
    bend = s.A * s.F1 * flat + erfc(s.y) * (2 * s.A**2 * flat + 1)
    return 2 * s.gg * s.A * s.E1 * bend


@checks.in_double  # the slopes of a steep plateau are below what single precision holds
@checks.compiled(
    low=checks.below_one, high=checks.below_one, lam=checks.positive, alpha=checks.positive
)
def plateau_bounds(
    low: ArrayLike, high: ArrayLike, lam: ArrayLike, task: Task, alpha: ArrayLike
) -> tuple[jax.Array, jax.Array]:
    """Bound the number of PGD steps from kappa = ``low`` to ``high`` along nu = 1, from both sides.

    The lower bound holds for every start on M with |kappa| <= ``low``, for any nu.

    Parameters
    ----------
    low, high : array_like
        The overlap kappa = k.k* at the beginning and at the end, in (0, 1).
    lam : array_like
        Inverse temperature lambda > 0, of a shape that broadcasts with the task.
    task : Task
        The task; d, L and gamma enter. Its numbers may be arrays.
    alpha : array_like
        Step size, at most ``certified_step``.

    Returns
    -------
    fewest, most : Array
        The two bounds, of the broadcast shape.

    Examples
    --------
    >>> bounds = plateau_bounds(0.1, 0.99, 0.1, Task(d=400, L=10), 0.002)
    >>> [round(float(x)) for x in bounds]
    [47973, 48839]

    Book: {eq}`eq-plateau` (not in the paper).
    """
    numbers = low, high, lam, alpha, task.d, task.L, task.gamma
    low, high, lam, alpha, *sizes = jnp.broadcast_arrays(*(jnp.asarray(x, float) for x in numbers))
    first, length = jnp.arctanh(low), jnp.arctanh(high) - jnp.arctanh(low)
    nodes, weights = rule(*legendre(_NODES), first)
    kappa = jnp.tanh(new_axis(first) + new_axis(length) * nodes)
    moved = new_axis(alpha) * slope(kappa, new_axis(lam), Task(*map(new_axis, sizes)))

    def over_the_way(values):
        return jnp.where(length > 0, length * jnp.sum(weights * values, -1), 0.0)

    shorter = 1 - alpha * _steepest(low, lam, task)
    fewest = jnp.where(shorter > 0, shorter * over_the_way(1 / moved), 0.0)
    return fewest, 1 + over_the_way(1 / jnp.log1p(moved))

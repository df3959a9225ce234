"""Bounds for erf attention: a lower one for all (k, v) and all lam, an upper one at (v*, k*)."""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp

from slrlib import checks
from slrlib.task import Task


def _three_dimensions(name, task):
    checks.whole(f"{name}.d", checks.task(task).d, at_least=3)
    return task


@checks.compiled(task=_three_dimensions)
def erf_floor(task: Task) -> jax.Array:
    """Compute a lower bound of the excess risk of erf attention over all lam and unit vectors k, v.

    The predictor is sum_l erf(lam X_l.k) X_l.v. The bound is about 2 (L - 1) / d if d is much
    larger than L, and holds for every distribution of the location.

    Parameters
    ----------
    task : Task
        The task (d, L, gamma) with d >= 3; its numbers may be arrays that broadcast.

    Returns
    -------
    jax.Array
        The bound, of the broadcast shape.

    Examples
    --------
    >>> print(f"{erf_floor(Task(d=400, L=10)):.4f}")
    0.0410

    Book: {eq}`eq-erf-floor` (not in the paper).
    """
    others = jnp.subtract(task.L, 1)
    wide = task.d + 2 * others / jnp.square(task.gamma)
    return 2 * others / ((1 + math.pi / task.d) * wide)


@checks.compiled(task=_three_dimensions)
def swapped_ceiling(task: Task) -> jax.Array:
    """Compute an upper bound of the excess risk of erf attention at (k, v) = (v*, k*).

    The predictor is sum_l erf(lam X_l.k) X_l.v. The bound holds at lam^2 = pi / (2 d (1 - h))
    with h = pi gamma^2 / d, and is infinite if h >= 1.

    Parameters
    ----------
    task : Task
        The task (d, L, gamma) with d >= 3; its numbers may be arrays that broadcast.

    Returns
    -------
    jax.Array
        The bound, of the broadcast shape.

    Examples
    --------
    >>> print(f"{swapped_ceiling(Task(d=400, L=10)):.4f}")
    0.0464

    Book: {eq}`eq-swapped-ceiling` (not in the paper).
    """
    gg, others = jnp.square(task.gamma), jnp.subtract(task.L, 1)
    z, bend = math.pi * gg / task.d, math.pi / 2 - 1
    inside = jnp.where(z < 1, 1 - z, 1.0)
    bound = 2 / task.d * (others / inside + gg**2 * (1 + bend * z**2)) + bend * gg * z**2
    return jnp.where(z < 1, bound, jnp.inf)

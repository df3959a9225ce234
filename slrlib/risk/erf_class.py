"""A lower bound of the risk of erf attention, for all (k, v) and all lam."""

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

"""The lowest excess risk of the oracle pair: two bounds whose ratio tends to 1 as d / L grows."""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp

from slrlib.landscape.points import lambert, of_task
from slrlib.task import Task


@of_task
def best_excess_bounds(task: Task) -> tuple[jax.Array, jax.Array]:
    """Bound the excess risk of the oracle pair (k*, v*) at its best lambda, from both sides.

    Parameters
    ----------
    task : Task
        The task, with L >= 2; d, L and gamma enter. Its numbers may be arrays.

    Returns
    -------
    lower, upper : Array
        The bounds. The upper one is infinite unless 4 gamma^2 W < d, with W the Lambert function of
        d gamma^2 / (2 (L - 1)).

    Examples
    --------
    >>> [round(float(x), 4) for x in best_excess_bounds(Task(d=400, L=10))]
    [0.0557, 0.0812]

    Book: {eq}`eq-oracle-bounds` (not in the paper).
    """
    gg, others = jnp.square(task.gamma), jnp.subtract(task.L, 1)
    size = task.d * gg / (2 * others)
    W, higher = lambert(size), lambert(math.e**2 * size)
    unit = 4 / math.pi * others / task.d
    low = unit * (higher + higher / (1 + higher) - 2) / (1 + 4 * (W + 1) / task.d)
    short = 1 - 4 * gg * W / task.d
    wide = 1 / jnp.where(short > 0, short, 1.0)
    high = unit * (wide * W + jnp.sqrt(wide))
    return jnp.maximum(low, 0.0), jnp.where(short > 0, high, jnp.inf)

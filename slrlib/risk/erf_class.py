"""What no erf attention can beat: a floor over all pairs (k, v) and all lam, and who nears it."""

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
    """A number below the excess risk of erf attention for every lam and all unit vectors k, v.

    About 2 (L - 1) / d as d / L grows; it holds for d >= 3 and every law of the place.

    Book: {eq}`eq-erf-floor` (not in the paper).
    """
    others = jnp.subtract(task.L, 1)
    wide = task.d + 2 * others / jnp.square(task.gamma)
    return 2 * others / ((1 + math.pi / task.d) * wide)


@checks.compiled(task=_three_dimensions)
def swapped_ceiling(task: Task) -> jax.Array:
    """A bound for the excess risk of (v*, k*) at a good lam; infinite unless pi gamma^2 < d.

    Book: {eq}`eq-swapped-ceiling` (not in the paper).
    """
    gg, others = jnp.square(task.gamma), jnp.subtract(task.L, 1)
    z, bend = math.pi * gg / task.d, math.pi / 2 - 1
    inside = jnp.where(z < 1, 1 - z, 1.0)
    bound = 2 / task.d * (others / inside + gg**2 * (1 + bend * z**2)) + bend * gg * z**2
    return jnp.where(z < 1, bound, jnp.inf)

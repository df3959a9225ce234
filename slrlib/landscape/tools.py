"""Shared functions of this package: small matrices, root finding and batches of tasks."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.task import Task

_POINTS, _ROUNDS = 481, 7

at_lam = checks.compiled(lam=checks.positive)


def matrix(rows: Sequence[Sequence[ArrayLike]]) -> jax.Array:
    """Return a matrix (..., n, n) from entries that broadcast."""
    entries = jnp.stack(jnp.broadcast_arrays(*(x for row in rows for x in row)), -1)
    return entries.reshape(*entries.shape[:-1], len(rows), len(rows))


def plain(task: Task) -> Any:
    """Return ``task`` with plain numbers, which the root finders need; they cannot be traced."""
    numbers = checks.task(task).d, task.L, task.gamma
    if not all(isinstance(x, float) for x in numbers):
        raise ValueError(
            f"task must hold plain numbers, got {checks.shown(task)}: this function takes one "
            "task; loop over the tasks, or use lambda_c, which takes arrays"
        )
    return Task(*numbers, noise=0.0)


def each_task(f: Callable, task: Task, *others: ArrayLike) -> Any:
    """Apply a function of scalars, ``f(d, L, gamma, *others)``, elementwise with broadcasting."""
    numbers = (jnp.asarray(x, float) for x in (task.d, task.L, task.gamma, *others))
    return jnp.vectorize(f)(*numbers)


def first_crossing(f: Callable, task: Any, low: float = 1.0) -> float:
    """Find the first lam at which ``f(lam, task)`` is not positive; return infinity if none.

    ``f`` takes an array of lam and is positive for small lam. The search, in double precision,
    starts at ``low`` times a lam at which erf is linear for every token. It ends at 1e4 or at 1e4 /
    gamma, whichever is larger, where erf is the sign function and ``f`` no longer changes. The grid
    is refined between the two points where the sign first changes. Near the root the sign depends
    on rounding; if it does not change on a grid, the last interval is kept.
    """
    low = 0.1 * low / max(1.0, task.gamma) / task.d**0.5
    high = 1e4 * max(1.0, 1 / task.gamma)
    with jax.ensure_compile_time_eval(), jax.enable_x64(True):
        for number in range(_ROUNDS):
            grid = low * (high / low) ** np.linspace(0.0, 1.0, _POINTS)
            below = np.asarray(_crossed(f, grid, task))
            if number == 0 and not np.any(below):
                return math.inf
            after = max(np.argmax(below), 1) if np.any(below) else _POINTS - 1
            low, high = grid[after - 1], grid[after]
    return float((low + high) / 2)


@partial(jax.jit, static_argnums=0)
def _crossed(f, grid, task):
    return f(grid, task) <= 0

"""The compiled loop for runs of every kind, which can be resumed at any row.

A run is a pytree. ``onward(run, every)`` returns the run ``every`` steps later, and ``row(run)``
returns the numbers to keep. One program serves runs of any length, so chunks of any length give
bitwise identical results.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import repeat
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from slrlib import checks, store

ROOM = 64  # largest number of rows in one call of the compiled loop

Onward = Callable[[Any, ArrayLike], Any]
Row = Callable[[Any], NamedTuple]

_put = jax.lax.dynamic_update_index_in_dim


def filled(
    onward: Onward, row: Row, run: Any, every: ArrayLike, rows: ArrayLike, room: int = ROOM
) -> tuple[Any, Any]:
    """Advance a run by ``rows`` times ``every`` steps; return it and ``room`` rows, some empty."""

    def block(i, state):
        run, kept = state
        run = onward(run, every)
        return run, jax.tree.map(lambda x, y: _put(x, y, i, 0), kept, row(run))

    like = jax.eval_shape(row, run)
    empty = jax.tree.map(lambda x: jnp.zeros((room, *x.shape), x.dtype), like)
    return jax.lax.fori_loop(0, rows, block, (run, empty))


_compiled = jax.jit(filled, static_argnames=("onward", "row", "room"))


@partial(jax.jit, static_argnames=("onward", "row", "every", "rows"))
def _unrolled(run, onward, row, every, rows):
    """Do the same with loops of static lengths, which differentiation requires."""

    def block(run, _):
        run = onward(run, every)
        return run, row(run)

    end, rest = jax.lax.scan(block, run, None, length=rows)
    return end, jax.tree.map(lambda x, y: jnp.concatenate([x[None], y]), row(run), rest)


def advanced(
    onward: Onward, row: Row, runs: Sequence[Any], steps: int, log_every: int
) -> list[tuple[Any, Any]]:
    """Advance each run by ``steps`` steps; return it, and a row every ``log_every`` steps.

    The first row is that of the given run. Threads compute the runs, which have the same shapes, in
    parallel. They share one program, which is compiled before the threads start because a setting
    such as ``jax.enable_x64`` does not apply in threads.
    """
    _, every, rows = checks.spaced(steps, log_every)
    if checks.any_traced(runs):  # perhaps to be differentiated
        return [_unrolled(run, onward, row, every, rows) for run in runs]
    now, parts = [jax.tree.map(jnp.asarray, run) for run in runs], []
    one = jnp.asarray(1)
    program = _compiled.lower(onward, row, now[0], one, one).compile()

    def follow(*given):
        return jax.block_until_ready(program(*given))

    blocks = [(0, 1), *((every, min(rows - i, ROOM)) for i in range(0, rows, ROOM))]
    with ThreadPoolExecutor(store.cores()) as side_by_side:
        for often, count in blocks:
            numbers = repeat(jnp.asarray(often)), repeat(jnp.asarray(count))
            now, kept = zip(*side_by_side.map(follow, now, *numbers), strict=True)
            parts.append(jax.tree.map(lambda x, n=count: np.asarray(x)[:n], kept))
    return list(zip(now, jax.tree.map(lambda *x: np.concatenate(x), *parts), strict=True))

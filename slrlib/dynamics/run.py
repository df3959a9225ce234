"""Whole runs: one compiled loop, a row of numbers every so many steps, resumable at any row.

``pgd`` and ``sgd`` start, advance and return the trajectory. A long run can do the same in chunks:
``run = start(...)``, then ``run, rows = advance(run, steps, log_every)`` as often as it likes, with
the same numbers to the last bit as in one go. All that a chunk hands on is in ``run``, a pytree.
"""

from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from slrlib import _door
from slrlib.dynamics.blocks import _descended, _lam, _sampled_until
from slrlib.dynamics.chain import _tokens
from slrlib.dynamics.devices import ALL, EACH, _apart, _mesh_of, spread
from slrlib.dynamics.draws import _key_words
from slrlib.dynamics.schedules import _as_pytree
from slrlib.dynamics.steps import _overlaps_of, _pair_of
from slrlib.overlaps import Overlaps, check_overlaps, to_frame
from slrlib.risk import excess_risk

ROOM = 64  # rows that one call of the compiled loop has room for


class Trajectory(NamedTuple):
    """Rows of a run, time first. The risk of a row is that of its overlaps at lam = schedule(step).

    Arrays of NumPy, unless the run is traced.

    Book: {eq}`eq-pgd`.
    """

    step: np.ndarray
    overlaps: Overlaps
    excess_risk: np.ndarray


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Run:
    """Where a run stands (``step``, ``pair``) and all that its next steps need."""

    step: jax.Array
    pair: tuple
    task: object
    schedule: object
    alpha: jax.Array
    key: jax.Array | None = None  # of SGD; the draws of a step depend on it and on the step alone
    batch: int | None = field(default=None, metadata={"static": True})
    tokens: int | None = field(default=None, metadata={"static": True})


_pair_at = jax.jit(lambda o: _pair_of(to_frame(o)))


def start(o, task, schedule, alpha, *, batch=None, key=None):
    """A run before its first step, from the overlaps ``o``: PGD, or SGD if ``batch`` is given.

    Book: {eq}`eq-pgd` (Definition 1 of the paper), {eq}`eq-sgd-chain`.
    """
    _door.task(task)
    alpha = _door.nonnegative("alpha", alpha)
    pair = _pair_at(check_overlaps(o))
    run = Run(jax.device_put(np.zeros((), int)), pair, task, _as_pytree(schedule), alpha)
    if batch is None:
        return run
    batch, tokens = _door.count("batch", batch), _tokens(task)
    return replace(run, key=_key_words(key), batch=batch, tokens=tokens)


def _row(run):
    o = _overlaps_of(run.pair)
    return Trajectory(run.step, o, excess_risk(o, _lam(run, run.step), run.task))


def _onward(run, every, seat=None, alone=False):
    if run.batch is None:
        return jax.lax.fori_loop(0, every, _descended, run)
    return _sampled_until(run.step + every, run, seat, alone)


@partial(jax.jit, static_argnames=("rows", "every"))
def _unrolled(run, every, rows):
    """Loops of known lengths, as derivatives need them."""

    def block(run, _):
        run = _onward(run, every)
        return run, _row(run)

    return jax.lax.scan(block, run, None, length=rows)


_put = jax.lax.dynamic_update_index_in_dim


@partial(jax.jit, static_argnames="mesh")
def _compiled(run, every, rows, mesh):
    """At most ``ROOM`` rows: one program for each shape of the runs, however long they are."""

    def its_rows(run, seat=None):
        def block(i, state):
            run, kept = state
            run = _onward(run, every, seat, alone=True)
            return run, jax.tree.map(lambda x, y: _put(x, y, i, 0), kept, _row(run))

        like = jax.eval_shape(_row, run)
        empty = jax.tree.map(lambda x: jnp.zeros((ROOM, *x.shape), x.dtype), like)
        return jax.lax.fori_loop(0, rows, block, (run, empty))

    kept = Trajectory(ALL, EACH, EACH)
    return its_rows(run) if mesh is None else _apart(its_rows, run, mesh, kept)


def _traced(tree):
    return any(_door.is_traced(x) for x in jax.tree.leaves(tree))


def advance(run, steps, log_every):
    """``steps`` more steps: the run where it then stands, and the rows after each ``log_every``.

    Book: {eq}`eq-pgd`.
    """
    _, every, rows = _door.spaced(steps, log_every)
    if _traced(run):  # perhaps to be differentiated
        return _unrolled(run, every, rows)
    mesh, parts = _mesh_of(run), []
    for first in range(0, max(rows, 1), ROOM):
        count = min(rows - first, ROOM)
        after, kept = _compiled(run, every, count, mesh)
        if _traced(kept):  # a plain run, but within something that is traced
            return _unrolled(run, every, rows)
        run = after
        parts.append(jax.tree.map(lambda x, n=count: np.asarray(x)[:n], kept))
    return run, jax.tree.map(lambda *x: np.concatenate(x), *parts)


first_row = jax.jit(_row)


def _whole(run, steps, log_every):
    first, rest = first_row(run), advance(spread(run), steps, log_every)[1]
    if _traced((first, rest)):
        return jax.tree.map(lambda x, y: jnp.concatenate([x[None], y]), first, rest)
    first, rest = jax.tree.map(np.asarray, (first, rest))
    return jax.tree.map(lambda x, y: np.concatenate([x[None], y]), first, rest)


def pgd(o, task, schedule, alpha, steps, log_every):
    """Projected gradient descent from overlaps ``o``, of any batch shape.

    Row i of the trajectory stands before step i log_every, which uses schedule(i log_every); the
    last row stands after all steps.

    Book: {eq}`eq-pgd` (Definition 1 of the paper).
    """
    return _whole(start(o, task, schedule, alpha), steps, log_every)


def sgd(o, task, schedule, alpha, batch, steps, log_every, *, key=None):
    """Online SGD with ``batch`` fresh samples a step, exact in law; the rows hold the exact risk.

    Book: {eq}`eq-sgd-chain` (section 5 of the paper).
    """
    return _whole(start(o, task, schedule, alpha, batch=batch, key=key), steps, log_every)

"""Whole runs: one compiled scan, a row of numbers every so many steps, resumable at any row.

``pgd`` and ``sgd`` start, advance and return the trajectory. A long run can do the same in chunks:
``run = start(...)``, then ``run, rows = advance(run, steps, log_every)`` as often as it likes, with
the same numbers to the last bit as in one go. All that a chunk hands on is in ``run``, a pytree.
"""

from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp

from slrlib import _door
from slrlib.dynamics.blocks import _descended, _lam, _sampled_until
from slrlib.dynamics.chain import _tokens
from slrlib.dynamics.devices import ALL, EACH, _apart, _mesh_of, _spread
from slrlib.dynamics.draws import _key_words
from slrlib.dynamics.schedules import _as_pytree
from slrlib.dynamics.steps import _overlaps_of, _pair_of
from slrlib.overlaps import Overlaps, check_overlaps, to_frame
from slrlib.risk import excess_risk


class Trajectory(NamedTuple):
    """Rows of a run, time first. The risk of a row is that of its overlaps at lam = schedule(step).

    Book: {eq}`eq-pgd`.
    """

    step: jax.Array
    overlaps: Overlaps
    excess_risk: jax.Array


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
    run = Run(jnp.zeros((), int), pair, task, _as_pytree(schedule), alpha)
    if batch is None:
        return run
    batch, tokens = _door.count("batch", batch), _tokens(task)
    return replace(run, key=_key_words(key), batch=batch, tokens=tokens)


def _row(run):
    o = _overlaps_of(run.pair)
    return Trajectory(run.step, o, excess_risk(o, _lam(run, run.step), run.task))


def _rows(run, every, rows, seat=None, alone=False):
    def block(run, _):
        if run.batch is None:
            run = jax.lax.fori_loop(0, every, _descended, run)
        else:
            run = _sampled_until(run.step + every, run, seat, alone)
        return run, _row(run)

    return jax.lax.scan(block, run, None, length=rows)


@partial(jax.jit, static_argnames=("rows", "mesh"))  # one program for every ``log_every``
def _compiled(run, every, rows, mesh):
    def its_rows(run, seat=None):
        return _rows(run, every, rows, seat, alone=True)

    kept = Trajectory(ALL, EACH, EACH)
    return its_rows(run) if mesh is None else _apart(its_rows, run, mesh, kept)


_unrolled = jax.jit(_rows, static_argnames=("rows", "every"))  # a loop of known length


def advance(run, steps, log_every):
    """``steps`` more steps: the run where it then stands, and the rows after each ``log_every``.

    Book: {eq}`eq-pgd`.
    """
    _, every, rows = _door.spaced(steps, log_every)
    traced = any(_door.is_traced(x) for x in jax.tree.leaves(run))  # perhaps to be differentiated
    return _unrolled(run, every, rows) if traced else _compiled(run, every, rows, _mesh_of(run))


_first = jax.jit(_row)


@jax.jit
def _joined(first, rest):
    return jax.tree.map(lambda x, y: jnp.concatenate([x[None], y]), first, rest)


def _whole(run, steps, log_every):
    return _joined(_first(run), advance(_spread(run), steps, log_every)[1])


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

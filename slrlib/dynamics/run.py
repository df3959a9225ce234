"""Whole runs of PGD and SGD: a row of numbers every so many steps, resumable at any row.

``pgd`` and ``sgd`` start, advance and return the trajectory. A long run can do the same in chunks:
``run = start(...)``, then ``run, rows = advance(run, steps, log_every)`` as often as it likes, with
the same numbers to the last bit as in one go. All that a chunk hands on is in ``run``, a pytree.
"""

from dataclasses import dataclass, field, replace
from typing import NamedTuple

import jax
import numpy as np

from slrlib import _door
from slrlib.dynamics import blocks, scan
from slrlib.dynamics.chain import _tokens
from slrlib.dynamics.devices import mesh_of, spread
from slrlib.dynamics.draws import _key_words
from slrlib.dynamics.schedules import _as_pytree, lam_at
from slrlib.dynamics.steps import _descend, _overlaps_of, _pair_of
from slrlib.overlaps import Overlaps, check_overlaps, to_frame
from slrlib.risk import excess_risk


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


def row(run):
    """What is kept of a run where it stands."""
    o = _overlaps_of(run.pair)
    lam = lam_at(run.schedule, run.step, run.pair.kappa)
    return Trajectory(run.step, o, excess_risk(o, lam, run.task))


def _descended(run, every):
    """The run ``every`` steps of PGD later."""

    def step(_, run):
        lam = lam_at(run.schedule, run.step, run.pair.kappa)
        pair = _descend(run.pair, lam, run.task, run.alpha)
        return replace(run, step=run.step + 1, pair=pair)

    return jax.lax.fori_loop(0, every, step, run)


def advance(run, steps, log_every):
    """``steps`` more steps: the run where it then stands, and the rows after each ``log_every``.

    Book: {eq}`eq-pgd`.
    """
    mesh = mesh_of(run)
    if run.batch is None:
        return scan.advance(_descended, row, run, steps, log_every, mesh=mesh)
    alone = blocks.sampled_alone if mesh is None else blocks.sampled_apart
    return scan.advance(blocks.sampled, row, run, steps, log_every, alone, mesh)


def _whole(run, steps, log_every):
    first = scan.first_row(run, row)
    return scan.joined(first, advance(spread(run), steps, log_every)[1])


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

"""Whole runs of PGD and SGD: a row of numbers every so many steps, resumable at any row.

``pgd`` and ``sgd`` start, advance and return the trajectory. A long run can do the same in chunks:
``run = start(...)``, then ``run, rows = advance(run, steps, log_every)`` as often as it likes, with
the same numbers to the last bit as in one go (``start_sgd`` for SGD). All that a chunk hands on is
in ``run``, a pytree.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.dynamics import blocks, scan
from slrlib.dynamics.chain import tokens_of
from slrlib.dynamics.draws import key_words
from slrlib.dynamics.schedules import Schedule, as_pytree, lam_at, refuse_negative
from slrlib.dynamics.steps import Pair, descend, overlaps_of_pair, pair_of
from slrlib.dynamics.tokens import pairs_drawn
from slrlib.overlaps import Overlaps, to_frame
from slrlib.overlaps.five import check_overlaps
from slrlib.risk import excess_risk
from slrlib.risk.curvature import stability_limit
from slrlib.task import Task

LOG = logging.getLogger("slrlib")


class Trajectory(NamedTuple):
    """Rows of a run, time first. The risk of a row is that of its overlaps at lam = schedule(step).

    Arrays of NumPy, unless the run is traced.

    Book: {eq}`eq-pgd`.
    """

    step: np.ndarray | jax.Array
    overlaps: Overlaps
    excess_risk: np.ndarray | jax.Array


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Run:
    """Where a run stands (``step``, ``pair``) and all that its next steps need."""

    step: jax.Array
    pair: Pair
    task: Task
    schedule: Schedule
    alpha: jax.Array


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class SampledRun(Run):
    """The same for SGD, whose draws depend on the key and on the step alone."""

    key: jax.Array
    batch: int = field(metadata={"static": True})
    tokens: int = field(metadata={"static": True})


_pair_at = jax.jit(lambda o: pair_of(to_frame(o)))


def start(o: Overlaps, task: Task, schedule: Schedule, alpha: ArrayLike) -> Run:
    """A run of PGD before its first step, from the overlaps ``o``.

    Book: {eq}`eq-pgd` (Definition 1 of the paper).
    """
    checks.task(task)
    alpha = checks.nonnegative("alpha", alpha)
    o = check_overlaps(o)
    _refuse_misfits(np.broadcast_shapes(*(np.shape(x) for x in o)), task, alpha)
    pair = _pair_at(o)
    return Run(jax.device_put(np.zeros((), int)), pair, task, as_pytree(schedule), alpha)


def _refuse_misfits(shape, task, alpha):
    """What a run needs is one number for all overlaps, or one for each."""
    given = {f"task.{name}": getattr(task, name) for name in ("d", "L", "gamma", "noise")}
    for name, x in (given | {"alpha": alpha}).items():
        if np.shape(x) and np.shape(x) != shape[-np.ndim(x) :]:
            raise ValueError(
                f"{name} must be one number or fit overlaps of shape {shape}, got {np.shape(x)}"
            )


def start_sgd(
    o: Overlaps, task: Task, schedule: Schedule, alpha: ArrayLike, batch: int, *, key: jax.Array
) -> SampledRun:
    """A run of SGD with ``batch`` fresh samples a step, before its first step.

    Book: {eq}`eq-sgd-chain` (section 5 of the paper).
    """
    run, batch = start(o, task, schedule, alpha), checks.count("batch", batch)
    tokens = tokens_of(task)
    many = 8 * np.size(run.pair.kappa) * pairs_drawn(batch, tokens)  # two steps are drawn at once
    checks.room(many, batch=batch, L=tokens)
    return SampledRun(**vars(run), batch=batch, tokens=tokens, key=key_words(key))


def row(run: Run) -> Trajectory:
    """What is kept of a run where it stands."""
    o = overlaps_of_pair(run.pair)
    lam = lam_at(run.schedule, run.step, run.pair.kappa)
    return Trajectory(run.step, o, excess_risk(o, lam, run.task))


def _descended(run, every):
    """The run ``every`` steps of PGD later."""

    def step(_, run):
        lam = lam_at(run.schedule, run.step, run.pair.kappa)
        pair = descend(run.pair, lam, run.task, run.alpha)
        return replace(run, step=run.step + 1, pair=pair)

    return jax.lax.fori_loop(0, every, step, run)


def advance(run: Run, steps: int, log_every: int) -> tuple[Run, Trajectory]:
    """``steps`` more steps: the run where it then stands, and the rows after each ``log_every``.

    Book: {eq}`eq-pgd`.
    """
    if not isinstance(run, Run):
        raise ValueError(f"run must come from start or start_sgd, got {checks.shown(run)}")
    steps, every, rows = checks.spaced(steps, log_every)
    checks.room(7 * rows * np.size(run.pair.kappa), steps=steps, log_every=every)
    refuse_negative(run.schedule, run.step, steps)
    if isinstance(run, SampledRun):
        found = scan.advanced(blocks.sampled, row, run, steps, log_every, blocks.sampled_alone)
    else:
        found = scan.advanced(_descended, row, run, steps, log_every)
    _refuse_what_overflows(found[1])
    return found


def _refuse_what_overflows(rows):
    """In single precision the slopes of very many tokens can be no numbers."""
    if scan.is_traced(rows):
        return
    finite = np.isfinite(rows.excess_risk)
    good = finite.all(axis=tuple(range(1, finite.ndim)))
    if not good.all():
        step = rows.step[np.argmin(good)]
        raise ValueError(
            f"risk is NaN or inf at step {step} in {rows.excess_risk.dtype}: use a smaller alpha, "
            "or x64"
        )


@jax.jit
def _limits(schedule, steps, task, like):
    """lam at each of ``steps``, and 2 / curvature there, with axes for the shape of ``like``."""
    lam = jax.vmap(lambda t: lam_at(schedule, t, like))(steps)
    lam = jnp.maximum(lam.reshape(*lam.shape, *(1,) * (like.ndim + 1 - lam.ndim)), checks.TINY)
    return lam, stability_limit(lam, task)


def warn_beyond_stability(run: Run, steps: int) -> None:
    """Log one line if alpha exceeds 2 / curvature at some lam of the next ``steps`` steps.

    The curvature is that at (k*, v*), see ``slrlib.risk.curvature``. Runs that JAX traces are not
    checked.
    """
    if scan.is_traced(run):
        return
    every = np.linspace(int(run.step), int(run.step) + max(steps - 1, 0), 64).astype(int)
    with jax.ensure_compile_time_eval():
        lam, limit = map(np.asarray, _limits(run.schedule, every, run.task, run.pair.kappa))
    lam, limit, alpha = np.broadcast_arrays(lam, limit, np.asarray(run.alpha))
    if np.any(alpha > limit):
        worst = np.unravel_index(np.nanargmax(alpha / limit), limit.shape)
        LOG.warning(
            "alpha = %.3g is above 2 / curvature = %.3g at step %d (lam = %.3g): the run may "
            "oscillate and depend on rounding; see slrlib.landscape.suggested_alpha",
            *(alpha[worst], limit[worst], every[worst[0]], lam[worst]),
        )


def _whole(run, steps, log_every):
    warn_beyond_stability(run, checks.spaced(steps, log_every)[0])
    return scan.whole(run, row, advance(run, steps, log_every)[1])


def pgd(
    o: Overlaps, task: Task, schedule: Schedule, alpha: ArrayLike, steps: int, log_every: int
) -> Trajectory:
    """Projected gradient descent from overlaps ``o``, of any batch shape.

    Row i of the trajectory stands before step i log_every, which uses schedule(i log_every); the
    last row stands after all steps.

    Book: {eq}`eq-pgd` (Definition 1 of the paper).
    """
    return _whole(start(o, task, schedule, alpha), steps, log_every)


def sgd(
    o: Overlaps,
    task: Task,
    schedule: Schedule,
    alpha: ArrayLike,
    batch: int,
    steps: int,
    log_every: int,
    *,
    key: jax.Array,
) -> Trajectory:
    """Online SGD with ``batch`` fresh samples a step, exact in law; the rows hold the exact risk.

    Book: {eq}`eq-sgd-chain` (section 5 of the paper).
    """
    return _whole(start_sgd(o, task, schedule, alpha, batch, key=key), steps, log_every)

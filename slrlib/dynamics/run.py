"""Whole runs of PGD and SGD, with a row of numbers every ``log_every`` steps.

``pgd`` and ``sgd`` start a run, advance it and return the trajectory. A long run can be cut into
chunks, at any row: ``run = start(...)`` (``start_sgd`` for SGD), then ``run, rows = advance(run,
steps, log_every)`` repeatedly. The results are bitwise identical, because the pytree ``run`` holds
the whole state.
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
from slrlib.dynamics import chain, scan
from slrlib.dynamics.chain import key_words, tokens_of
from slrlib.dynamics.schedules import Schedule, as_pytree, lam_at, refuse_negative
from slrlib.dynamics.steps import Pair, descend, overlaps_of_pair, pair_of
from slrlib.overlaps import Overlaps, possible, to_frame
from slrlib.risk import excess_risk
from slrlib.risk.closed import stability_limit
from slrlib.task import Task

__all__ = ["advance", "pgd", "sgd", "start"]

LOG = logging.getLogger("slrlib")  # each warning is one line
FEWEST = 15  # smallest number of runs in a part


class Trajectory(NamedTuple):
    """The rows of a run, with time as the first axis; NumPy arrays, unless the run is traced.

    Parameters
    ----------
    step : ndarray
        Shape (time,): number of steps done.
    overlaps : Overlaps
        Each of shape (time, ...): (kappa, nu, theta, eta, rho) at that step.
    excess_risk : ndarray
        Shape (time, ...): the exact excess risk there, at lam = schedule(step).

    Book: {eq}`eq-pgd`.
    """

    step: np.ndarray | jax.Array
    overlaps: Overlaps
    excess_risk: np.ndarray | jax.Array


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Run:
    """The state of a run (``step``, ``pair``) and what its next steps need."""

    step: jax.Array
    pair: Pair
    task: Task
    schedule: Schedule
    alpha: jax.Array


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class SampledRun(Run):
    """The state of a run of SGD, whose samples depend only on the stream and on the step."""

    stream: chain.Stream
    batch: int = field(metadata={"static": True})
    tokens: int = field(metadata={"static": True})


_pair_at = jax.jit(lambda o: pair_of(to_frame(o)))


def start(o: Overlaps, task: Task, schedule: Schedule, alpha: ArrayLike) -> Run:
    """Return a run of PGD at step 0, for ``advance``.

    Parameters
    ----------
    o : Overlaps
        The overlaps of the starts, of any batch shape (...).
    task : Task
        The task; each of its numbers is a scalar or an array that fits the shape (...).
    schedule : function of the step
        Inverse temperature lambda_t, such as ``constant(0.1)``.
    alpha : array_like
        Step size, zero or more.

    Returns
    -------
    Run
        A pytree at step 0.

    Examples
    --------
    >>> from slrlib import Overlaps, Task
    >>> run = start(Overlaps(0.1, 0.1, 0, 0, 0), Task(d=400, L=10), lambda t: 0.1, 0.004)

    Book: {eq}`eq-pgd` (Definition 1 of the paper).
    """
    checks.task(task)
    alpha = checks.nonnegative("alpha", alpha)
    o = possible("o", o)
    _refuse_misfits(np.broadcast_shapes(*(np.shape(x) for x in o)), task, alpha)
    return Run(jax.device_put(np.zeros((), int)), _pair_at(o), task, as_pytree(schedule), alpha)


def _refuse_misfits(shape, task, alpha):
    """Raise an error unless each number is a scalar or fits the shape of the overlaps."""
    given = {f"task.{name}": getattr(task, name) for name in ("d", "L", "gamma", "noise")}
    for name, x in (given | {"alpha": alpha}).items():
        if np.shape(x) and np.shape(x) != shape[-np.ndim(x) :]:
            raise ValueError(
                f"{name} must be one number or fit overlaps of shape {shape}, got {np.shape(x)}"
            )


def start_sgd(
    o: Overlaps,
    task: Task,
    schedule: Schedule,
    alpha: ArrayLike,
    batch: int | None,
    *,
    key: jax.Array,
) -> Run:
    """Return a run at step 0 of SGD with ``batch`` new samples per step, or of PGD if None.

    Book: {eq}`eq-sgd-chain` (section 5 of the paper).
    """
    run = start(o, task, schedule, alpha)
    if batch is None:
        return run
    batch, tokens = checks.count("batch", batch), tokens_of(task)
    stream = chain.Stream(key_words(key), np.uint32(0), np.uint32(np.size(run.pair.kappa)))
    return SampledRun(**vars(run), batch=batch, tokens=tokens, stream=stream)


def row(run: Run) -> Trajectory:
    """Return the row of a run at its current step."""
    o = overlaps_of_pair(run.pair)
    lam = lam_at(run.schedule, run.step, run.pair.kappa)
    return Trajectory(run.step, o, excess_risk(o, lam, run.task))


def _descended(run, every):
    """Advance a run by ``every`` steps of PGD."""

    def step(_, run):
        lam = lam_at(run.schedule, run.step, run.pair.kappa)
        pair = descend(run.pair, lam, run.task, run.alpha)
        return replace(run, step=run.step + 1, pair=pair)

    return jax.lax.fori_loop(0, every, step, run)


def advance(run: Run, steps: int, log_every: int) -> tuple[Run, Trajectory]:
    """Advance a run by ``steps`` steps and return a row every ``log_every`` steps.

    Parameters
    ----------
    run : Run
        A run of PGD from ``start``, or the run that an earlier call returned.
    steps : int
        Number of steps.
    log_every : int
        Number of steps between rows; it must divide ``steps``.

    Returns
    -------
    run : Run
        The run after these steps.
    rows : Trajectory
        ``step``, ``overlaps`` and ``excess_risk``, with ``steps / log_every`` rows.

    Examples
    --------
    >>> from slrlib import Overlaps, Task
    >>> run = start(Overlaps(0.1, 0.1, 0, 0, 0), Task(d=400, L=10), lambda t: 0.1, 0.004)
    >>> run, rows = advance(run, 200, 100)
    >>> rows.step
    array([100, 200])

    Book: {eq}`eq-pgd`.
    """
    run, rows = followed(run, steps, log_every)
    return run, jax.tree.map(lambda x: x[1:], rows)


def followed(run: Run, steps: int, log_every: int) -> tuple[Run, Trajectory]:
    """Do the same as ``advance``, but return the row of the given ``run`` as first row."""
    if not isinstance(run, Run):
        raise ValueError(f"run must come from start or start_sgd, got {checks.shown(run)}")
    run = jax.tree.map(jnp.asarray, run)  # inside a trace, this makes them tracers
    steps, every, rows = checks.spaced(steps, log_every)
    checks.room(7 * rows * np.size(run.pair.kappa), steps=steps, log_every=every)
    refuse_negative(run.schedule, run.step, steps)
    onward = chain.sampled if isinstance(run, SampledRun) else _descended
    ends, rows = zip(*scan.advanced(onward, row, _parts(run), steps, log_every), strict=True)
    end, rows = (ends[0], rows[0]) if len(ends) == 1 else _joined(run, ends, rows)
    _refuse_what_overflows(rows)
    return end, rows


def _parts(run):
    """Split runs that share one setting into 2, 4 or 8 equal parts, computed by parallel threads.

    The number of parts depends only on the number of runs, because rounding depends on the size of
    a part. Runs on an accelerator or on several devices are not split.
    """
    if checks.any_traced(run) or jax.default_backend() != "cpu":
        return [run]
    runs, here = run.pair.kappa.size, run.pair.kappa.devices()
    lam = jax.eval_shape(lam_at, run.schedule, run.step, run.pair.kappa)
    setting = jax.tree.leaves((run.task, run.alpha, lam))
    if here != set(jax.local_devices()[:1]) or any(map(np.ndim, setting)):
        return [run]
    fits = (n for n in (8, 4, 2) if runs >= FEWEST * n and len(run.pair.kappa) % n == 0)
    if not (count := next(fits, 0)):
        return [run]
    pairs = zip(*(np.split(np.asarray(x), count) for x in run.pair), strict=True)
    parts = [replace(run, pair=Pair(*pair)) for pair in pairs]
    if isinstance(run, SampledRun):
        firsts = np.asarray(run.stream.first) + np.arange(0, runs, runs // count, dtype=np.uint32)
        streams = (replace(run.stream, first=first) for first in firsts)
        parts = [replace(part, stream=s) for part, s in zip(parts, streams, strict=True)]
    return parts


def _joined(run, ends, rows):
    """Join the parts of a run after the same number of steps, and their rows."""
    pair = jax.tree.map(lambda *x: jnp.asarray(np.concatenate(x)), *(end.pair for end in ends))
    step, *rest = zip(*rows, strict=True)
    rest = (jax.tree.map(lambda *x: np.concatenate(x, axis=1), *each) for each in rest)
    return replace(run, step=ends[0].step, pair=pair), Trajectory(step[0], *rest)


def _refuse_what_overflows(rows):
    """Raise an error if rows hold NaN or inf, which many tokens can cause in single precision."""
    if checks.any_traced(rows):
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
    """Return lam and 2 / curvature at each of ``steps``, with one axis more than ``like``."""
    lam = jax.vmap(lambda t: lam_at(schedule, t, like))(steps)
    lam = jnp.maximum(lam.reshape(*lam.shape, *(1,) * (like.ndim + 1 - lam.ndim)), checks.TINY)
    return lam, stability_limit(lam, task)


def warn_beyond_stability(run: Run, steps: int) -> None:
    """Log one line if alpha exceeds 2 / curvature at some lam of the next ``steps`` steps.

    The curvature is that at (k*, v*), see ``slrlib.risk.closed``. Traced runs are not checked.
    """
    if checks.any_traced(run):
        return
    every = np.linspace(int(run.step), int(run.step) + max(steps - 1, 0), 64).astype(int)
    one_run = np.zeros((1,) * run.pair.kappa.ndim, run.pair.kappa.dtype)  # all runs share a program
    with jax.ensure_compile_time_eval():
        lam, limit = map(np.asarray, _limits(run.schedule, every, run.task, one_run))
    lam, limit, alpha = np.broadcast_arrays(lam, limit, np.asarray(run.alpha))
    if np.any(alpha > limit):
        worst = np.unravel_index(np.nanargmax(alpha / limit), limit.shape)
        LOG.warning(
            "alpha = %.3g is above 2 / curvature = %.3g at step %d (lam = %.3g): the run may "
            "oscillate and depend on rounding; landscape.suggested_alpha gives a smaller alpha",
            *(alpha[worst], limit[worst], every[worst[0]], lam[worst]),
        )


def _whole(run, steps, log_every):
    warn_beyond_stability(run, checks.spaced(steps, log_every)[0])
    return followed(run, steps, log_every)[1]


def pgd(
    o: Overlaps, task: Task, schedule: Schedule, alpha: ArrayLike, steps: int, log_every: int
) -> Trajectory:
    """Run projected gradient descent (PGD) on the exact risk, in the five overlaps.

    Threads compute the runs in parallel if there are at least thirty, if all have the same setting,
    and if their first axis has even length.

    Parameters
    ----------
    o : Overlaps
        The overlaps of the starts, of any batch shape (...).
    task : Task
        The task; d, L and gamma enter.
    schedule : function of the step
        Inverse temperature lambda_t: step t = 0, 1, ... uses ``schedule(t)``.
    alpha : array_like
        Step size.
    steps, log_every : int
        Number of steps, and number of steps between rows; ``log_every`` must divide ``steps``.

    Returns
    -------
    Trajectory
        ``step``, ``overlaps`` and ``excess_risk``, of shape (1 + steps / log_every, ...). Row 0 is
        the start; row i holds the state after i log_every steps.

    Examples
    --------
    >>> from slrlib import Overlaps, Task
    >>> rows = pgd(Overlaps(0.1, 0.1, 0, 0, 0), Task(d=400, L=10), lambda t: 0.1, 0.004, 2000, 1000)
    >>> [round(float(x), 3) for x in rows.overlaps.nu]
    [0.1, 0.935, 1.0]

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
    """Run online SGD with new samples at each step, in the five overlaps.

    The overlaps have exactly the same joint distribution as in SGD on the vectors. The dimension
    must be at least 6. Threads compute the runs in parallel if there are at least thirty, if all
    have the same setting, and if their first axis has even length.

    Parameters
    ----------
    o : Overlaps
        The overlaps of the starts, of any batch shape (...).
    task : Task
        The task; d, L, gamma and noise enter.
    schedule : function of the step
        Inverse temperature lambda_t: step t = 0, 1, ... uses ``schedule(t)``.
    alpha : array_like
        Step size.
    batch : int
        Number of samples per step.
    steps, log_every : int
        Number of steps, and number of steps between rows; ``log_every`` must divide ``steps``.
    key : Array
        Random key.

    Returns
    -------
    Trajectory
        ``step``, ``overlaps`` and the exact ``excess_risk``, of shape (1 + steps / log_every, ...).
        Row 0 is the start.

    Examples
    --------
    >>> from slrlib import Overlaps, Task
    >>> o, task, key = Overlaps(0.1, 0.1, 0, 0, 0), Task(d=80, L=10), jax.random.key(0)
    >>> sgd(o, task, lambda t: 0.1, 0.001, 5, 20, 10, key=key).step
    array([ 0, 10, 20])

    Book: {eq}`eq-sgd-chain` (section 5 of the paper).
    """
    return _whole(start_sgd(o, task, schedule, alpha, batch, key=key), steps, log_every)

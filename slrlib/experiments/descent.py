"""Runs of PGD and of online SGD on the five overlaps (Figures 4, 5 and 7)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from slrlib.dynamics.run import Trajectory, followed, start_sgd, warn_beyond_stability
from slrlib.dynamics.schedules import Held, InverseDecay, Schedule, is_own, values
from slrlib.experiments.base import Experiment, Folder
from slrlib.experiments.chunks import equal_chunks, in_chunks
from slrlib.landscape import STATES, state
from slrlib.overlaps import Overlaps, random_overlaps
from slrlib.risk import oracle_excess_risk
from slrlib.special import counted
from slrlib.task import Task


class DescentResult(NamedTuple):
    """The rows of the runs; row i is the state before step ``step[i]``, which uses ``lam[i]``.

    ``oracle`` is the excess risk of the oracle pair at that lam, ``distance`` is the distance to M,
    and ``ends`` is the state of each run after the last step, one of ``landscape.STATES``.
    """

    step: Annotated[np.ndarray, "time"]
    lam: Annotated[np.ndarray, "time"]
    overlaps: Annotated[Overlaps, "time run"]
    excess_risk: Annotated[np.ndarray, "time run"]
    distance: Annotated[np.ndarray, "time run"]
    oracle: Annotated[np.ndarray, "time"]
    ends: Annotated[np.ndarray, "run"]


@dataclass(frozen=True)
class Descending(Experiment):
    """The base class of descent experiments; the schedule may be any function of the step."""

    task: Task
    schedule: InverseDecay | Held
    alpha: float
    steps: int
    log_every: int

    def validate(self, folder: Folder) -> None:
        super().validate(folder)
        if is_own(self.schedule):
            values(self.schedule, self.steps)  # each must be finite and zero or more

    def descended(
        self, folder: Folder, progress: bool, run: Any, followed: Callable, rows_of: type
    ) -> tuple[Any, Any]:
        """Return the run after all steps and its rows from step 0 on, of type ``rows_of``."""

        def advance(run, steps, log_every):
            """Keep the row at the start of a chunk only if it is the start of the run."""
            after, rows = followed(run, steps, log_every)
            skipped = int(run.step > 0)
            return after, jax.tree.map(lambda x: x[skipped:], rows)

        how = advance, equal_chunks(self.steps, self.log_every), rows_of
        return in_chunks(self, folder, progress, *how, run=run)


@dataclass(frozen=True)
class Descent(Descending):
    """Runs of PGD, or of online SGD if ``batch`` is given, from random or given starts.

    Parameters
    ----------
    name : str
        Name of the experiment; the name of its file begins with it.
    task : Task
        The task: d, L, gamma, noise.
    schedule : function of the step
        Inverse temperature: ``dynamics.inverse_decay(1.0, 1e-4)``, or any function of the step.
    alpha : float
        Step size.
    steps : int
        Number of steps of each run.
    log_every : int
        Number of steps between rows of the result; it must divide ``steps``.
    repetitions : int
        Number of runs.
    on_manifold : bool
        Whether the random starts lie on the invariant manifold.
    batch : int or None
        New sequences per step; None: the exact gradient.
    seed : int
        Seed of the random starts and samples.
    starts : Overlaps or None
        Your own starts instead of random ones: five numbers, or arrays (repetitions,).

    Examples
    --------
    >>> from slrlib import dynamics
    >>> e = Descent("mine", Task(80, 10), dynamics.constant(0.1), 1e-3, 20, 10, repetitions=2)
    >>> e.run().excess_risk.shape
    (3, 2)
    """

    repetitions: int = 30
    on_manifold: bool = False
    batch: int | None = None
    seed: int = 0
    starts: Overlaps | None = None

    result: ClassVar[type] = DescentResult

    def compute(self, folder: Folder, progress: bool) -> DescentResult:
        key_start, key_noise = jax.random.split(jax.random.key(self.seed))
        shape = (self.repetitions,)
        if self.starts is None:
            o = random_overlaps(key_start, self.task.d, shape, on_manifold=self.on_manifold)
        else:
            o = Overlaps(*(np.broadcast_to(np.asarray(x, float), shape) for x in self.starts))
        run = start_sgd(o, self.task, self.schedule, self.alpha, self.batch, key=key_noise)
        warn_beyond_stability(run, self.steps)
        run, rows = self.descended(folder, progress, run, followed, Trajectory)
        step, o = rows.step.astype(jnp.result_type(float)), rows.overlaps
        lam = np.asarray(lams(run.schedule, step))
        oracle = np.asarray(oracle_excess_risk(lam, self.task))
        codes = state(Overlaps(*(x[-1] for x in o)), float(lam[-1]), self.task)
        distance = np.sqrt(o.theta**2 + o.eta**2 + o.rho**2)
        ends = np.array(STATES)[np.asarray(codes)]
        return DescentResult(rows.step, lam, o, rows.excess_risk, distance, oracle, ends)

    def finding(self, r: DescentResult) -> str:
        risk, oracle = np.median(r.excess_risk[-1]), r.oracle[-1]
        return f"{counted(r.ends)}; median excess risk {risk:.4g}, oracle pair {oracle:.4g}"

    def draw(self, r: DescentResult, pictures: Any, **words: str) -> Any:
        columns = r.step, r.excess_risk, r.overlaps.kappa, r.overlaps.nu, r.distance
        return pictures.four_panels(*columns, r.ends, r.oracle, **words)


@jax.jit
def lams(schedule: Schedule, step: jax.Array) -> jax.Array:
    """Return lam at each step."""
    return jnp.broadcast_to(jnp.asarray(schedule(step)), step.shape)

"""Final states of thousands of starts under schedules with a slow decay or a drop of lam."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar, NamedTuple

import jax
import numpy as np

from slrlib.dynamics import advance, constant, inverse_decay, start
from slrlib.experiments.chunks import InParts
from slrlib.landscape import best_lam
from slrlib.landscape.states import STATES, found, state
from slrlib.overlaps import Overlaps, random_overlaps
from slrlib.task import Task

SLOW = 0  # value of ``first`` without a first stage: lam decays from the beginning


class SchedulesResult(NamedTuple):
    """The final states of the runs, one row per schedule.

    ``first`` is the number of steps at ``lam0``, 0 for a slow decay. ``half`` is the first logged
    step at which half of the runs have recovered the teacher (-1: none), ``count`` is the number of
    runs in each of ``landscape.STATES`` after all ``steps``, and ``excess_risk`` is their median
    excess risk at that point.
    """

    lam0: Annotated[np.ndarray, "schedule"]
    alpha: Annotated[np.ndarray, "schedule"]
    first: Annotated[np.ndarray, "schedule"]
    steps: Annotated[np.ndarray, "schedule"]
    half: Annotated[np.ndarray, "schedule"]
    count: Annotated[np.ndarray, "schedule state"]
    excess_risk: Annotated[np.ndarray, "schedule"]


@dataclass(frozen=True)
class Schedules(InParts):
    """A comparison of schedules with slow decay and with a drop, by initial lam and step size.

    The slow decay is lam0 / (1 + rate t). The drop keeps lam0 for a first stage and then uses the
    best lam of the oracle pair. Each schedule has its own starts.

    Parameters
    ----------
    name : str
        Name of the experiment.
    task : Task
        The task: d, L, gamma, noise.
    lams : tuple of float
        Initial values lam0.
    alphas : tuple of float
        Step sizes.
    stages : tuple of int
        Lengths of the first stage of a drop, in steps.
    rate : float
        Rate of the slow decay per step.
    slow_steps : int
        Number of steps of a slow decay.
    last_steps : int
        Number of steps after a drop.
    last_alpha : float
        Step size after a drop.
    log_every : int
        Number of steps between logged rows.
    repetitions : int
        Number of runs of each schedule.
    seed : int
        Seed of the random numbers.
    """

    task: Task
    lams: tuple[float, ...] = (1.0, 2.0, 4.0)
    alphas: tuple[float, ...] = (1e-3, 4e-3)
    stages: tuple[int, ...] = (2000, 8000)
    rate: float = 1e-4
    slow_steps: int = 120_000
    last_steps: int = 18_000
    last_alpha: float = 4e-3
    log_every: int = 1000
    repetitions: int = 4000
    seed: int = 0

    result: ClassVar[type] = SchedulesResult
    takes_minutes: ClassVar[bool] = True

    def cells(self) -> list[tuple[float, float, int]]:
        """Return (lam0, alpha, first) of each schedule."""
        firsts = SLOW, *self.stages
        return [(lam0, alpha, n) for lam0 in self.lams for alpha in self.alphas for n in firsts]

    def parts(self) -> list[tuple[int, int]]:
        return [(i, self.repetitions) for i in range(len(self.cells()))]

    def legs(self, lam0: float, alpha: float, first: int) -> Iterator[tuple]:
        """Yield (schedule, step size, steps) of each stage."""
        if first == SLOW:
            yield inverse_decay(lam0, self.rate), alpha, self.slow_steps
        else:
            yield constant(lam0), alpha, first
            yield constant(best_lam(self.task)[0]), self.last_alpha, self.last_steps

    def part(self, cell: int, runs: int) -> SchedulesResult:
        """Return the row of one schedule, from ``runs`` starts."""
        key = jax.random.fold_in(jax.random.key(self.seed), cell)
        o = random_overlaps(key, self.task.d, (runs,))
        before, half = 0, -1
        for schedule, alpha, steps in self.legs(*self.cells()[cell]):
            run, rows = advance(start(o, self.task, schedule, alpha), steps, self.log_every)
            many = np.mean(np.asarray(found(rows.overlaps.kappa, rows.overlaps.nu)), axis=1) >= 0.5
            if half < 0 and many.any():
                half = before + int(rows.step[np.argmax(many)])
            before += steps
            o = Overlaps(*(x[-1] for x in rows.overlaps))
        ends = np.asarray(state(o, run.schedule(steps), self.task))
        count = np.bincount(ends, minlength=len(STATES))
        row = *self.cells()[cell], before, half, count, np.median(rows.excess_risk[-1])
        return SchedulesResult(*(np.asarray(x)[None] for x in row))

    def finding(self, r: SchedulesResult) -> str:
        rows = zip(self.cells(), r.count[:, 2], strict=True)
        words = (f"({lam0:g}, {alpha:g}, {first}) {n:,}" for (lam0, alpha, first), n in rows)
        listed = ", ".join(words)
        return f"runs of {self.repetitions:,} that swap, by (lam0, alpha, steps at lam0): {listed}"


EXPERIMENTS = (Schedules("schedules", Task(d=400, L=10)),)

"""The final states of random starts, and how often the early verdict on a run is wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, NamedTuple

import jax
import numpy as np

from slrlib import checks
from slrlib.dynamics import advance, constant, pgd
from slrlib.dynamics.run import start_sgd
from slrlib.experiments.chunks import InParts
from slrlib.experiments.descent import Descending, lams
from slrlib.landscape import BASINS, STATES, basin, state, suggested_alpha
from slrlib.landscape.states import in_time
from slrlib.overlaps import Overlaps, random_overlaps
from slrlib.special import counted, wilson
from slrlib.task import Task


class EndsResult(NamedTuple):
    """The early verdicts on each run, and its state after the last step.

    ``first_verdict`` is the first verdict other than "undecided" and ``last_verdict`` the verdict
    at the last step, both as indices into ``landscape.BASINS``; ``where`` is the state as an index
    into ``landscape.STATES``.
    """

    first_verdict: Annotated[np.ndarray, "run"]
    last_verdict: Annotated[np.ndarray, "run"]
    where: Annotated[np.ndarray, "run"]

    def count(self, state: str) -> int:
        """Return the number of runs in ``state`` after the last step."""
        return int(np.sum(self.where == STATES.index(state)))

    def errors(self) -> dict[str, tuple[int, int]]:
        """Return, for each first verdict, the number of runs and how many end with another verdict.

        Runs that are undecided at all steps have the first verdict "undecided".
        """
        found = {}
        for code, verdict in enumerate(BASINS):
            last = self.last_verdict[self.first_verdict == code]
            found[verdict] = last.size, int(np.sum(last != code))
        return found


@dataclass(frozen=True)
class Ends(InParts, Descending):
    """The final states of PGD, or of online SGD if ``batch`` is given, from random starts.

    The early verdict is ``landscape.basin``, computed every ``log_every`` steps. Groups of
    ``together`` starts are run for all their steps and then stored.

    Parameters
    ----------
    name : str
        Name of the experiment.
    task : Task
        The task: d, L, gamma, noise.
    schedule : function of the step
        Inverse temperature.
    alpha : float
        Step size.
    steps : int
        Number of steps of each run.
    log_every : int
        Number of steps between early verdicts.
    repetitions : int
        Number of runs.
    together : int
        Number of runs computed and stored together.
    on_manifold : bool
        Whether the random starts lie on the invariant manifold.
    batch : int or None
        New sequences per step; None: the exact gradient.
    seed : int
        Seed of the random numbers.
    """

    repetitions: int = 4000
    together: int = 500
    on_manifold: bool = False
    batch: int | None = None
    seed: int = 0

    result: ClassVar[type] = EndsResult
    takes_minutes: ClassVar[bool] = True

    def parts(self) -> list[tuple[int, int]]:
        count, size = self.repetitions, self.together
        return [(first, min(size, count - first)) for first in range(0, count, size)]

    def part(self, first: int, count: int) -> EndsResult:
        """Return the final states of ``count`` starts, beginning with number ``first``."""
        key = jax.random.fold_in(jax.random.key(self.seed), first)
        key_start, key_noise = jax.random.split(key)
        o = random_overlaps(key_start, self.task.d, (count,), on_manifold=self.on_manifold)
        run = start_sgd(o, self.task, self.schedule, self.alpha, self.batch, key=key_noise)
        _, rows = advance(run, self.steps, self.log_every)
        lam = np.asarray(lams(run.schedule, rows.step))[:, None]
        codes = np.asarray(basin(rows.overlaps, lam, self.task))
        first_verdict = codes[np.argmax(codes > 0, axis=0), np.arange(count)]
        last = Overlaps(*(x[-1] for x in rows.overlaps))
        where = np.asarray(in_time(codes[-1], last.kappa, last.nu))
        return EndsResult(*(x.astype(np.int8) for x in (first_verdict, codes[-1], where)))

    def finding(self, r: EndsResult) -> str:
        where = counted(np.array(STATES)[r.where])
        wrong = "".join(
            f"\nfirst verdict {verdict}: {wrong:,} of {runs:,} differ from the last verdict"
            for verdict, (runs, wrong) in r.errors().items()
        )
        return f"after {self.steps:,} steps: {where}{wrong}"


class StartsEnd(NamedTuple):
    """The final states of random starts, with one entry for each of ``landscape.STATES``.

    ``low`` and ``high`` are the ends of the 95% Wilson interval of ``fractions``.
    """

    counts: np.ndarray
    fractions: np.ndarray
    low: np.ndarray
    high: np.ndarray
    alpha: float


def where_do_starts_end(
    task: Task,
    lam: float,
    n: int,
    *,
    alpha: float | None = None,
    steps: int = 100_000,
    seed: int = 0,
) -> StartsEnd:
    """Count the final states of PGD at constant ``lam`` from ``n`` random starts.

    Parameters
    ----------
    task : Task
        The task.
    lam : float
        The inverse temperature, constant.
    n : int
        Number of starts.
    alpha : float, optional
        The step size; if None, ``landscape.suggested_alpha(task, lam)``.
    steps : int
        Number of steps.
    seed : int
        The seed of the starts.

    Returns
    -------
    StartsEnd
        Counts, fractions and 95% Wilson intervals of the states.

    Examples
    --------
    >>> found = where_do_starts_end(Task(d=20, L=10), 0.5, 10, steps=2_000)
    >>> int(found.counts.sum())
    10
    """
    checks.task(task)
    lam = float(checks.positive("lam", lam))
    n = checks.count("n", n)
    if alpha is None:
        alpha = float(suggested_alpha(task, lam))
    o = random_overlaps(jax.random.key(checks.count("seed", seed, at_least=0)), task.d, (n,))
    run = pgd(o, task, constant(lam), alpha, checks.count("steps", steps), steps)
    last = Overlaps(*(x[-1] for x in run.overlaps))
    count = np.bincount(np.asarray(state(last, lam, task)), minlength=len(STATES))
    low, high = np.transpose([wilson(k, n) for k in count])
    return StartsEnd(count, count / n, low, high, float(alpha))

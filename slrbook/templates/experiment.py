"""The excess risk at random starts, at several lam."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, NamedTuple

import jax
import numpy as np

from slrlib import checks
from slrlib.experiments.base import Experiment, Folder
from slrlib.overlaps import random_overlaps
from slrlib.risk import excess_risk
from slrlib.task import Task


# The annotations name the axes: they are the columns of the table that `--out file.csv` writes.
class SkeletonResult(NamedTuple):
    """The excess risk of each start at each ``lam``."""

    lam: Annotated[np.ndarray, "lam"]
    excess_risk: Annotated[np.ndarray, "lam start"]


# Frozen, because its parameters identify an experiment and name the file of its result. Each is an
# option on the command line, and the section Parameters is its help.
@dataclass(frozen=True)
class Skeleton(Experiment):
    """The excess risk at random starts, before any training.

    Parameters
    ----------
    name : str
        Name of the experiment.
    task : Task
        The task: d, L, gamma, noise.
    lams : tuple of float
        Inverse temperatures lambda.
    starts : int
        Number of random starts.
    seed : int
        Seed of the random numbers.
    """

    task: Task
    lams: tuple[float, ...] = (0.05, 0.1, 0.2, 0.5, 1.0)
    starts: int = 200
    seed: int = 0

    result: ClassVar[type] = SkeletonResult
    # revision: ClassVar[int] = 2         increase it when a change of the code changes the numbers
    # takes_minutes: ClassVar[bool] = True        then `make results` stores the result

    def compute(self, folder: Folder, progress: bool) -> SkeletonResult:
        count = checks.count("starts", self.starts)
        lams = checks.positive("lams", list(self.lams))
        dimension = checks.count("task.d", self.task.d, at_least=2)
        # A key, not a global state: the same seed gives the same starts on every machine.
        starts = random_overlaps(jax.random.key(self.seed), dimension, (count,))
        risks = [np.asarray(excess_risk(starts, lam, self.task)) for lam in lams]
        return SkeletonResult(lam=np.asarray(lams), excess_risk=np.stack(risks))

    def finding(self, r: SkeletonResult) -> str:
        rows = zip(r.lam, np.median(r.excess_risk, axis=1), strict=True)
        return "median excess risk: " + ", ".join(f"{x:.3g} at lam = {lam:g}" for lam, x in rows)

    # With this method `--out file.pdf` draws r with a function of slrbook/picture:
    # def draw(self, r, pictures, **words):
    #     return pictures.risks_at_random_starts(r.lam, r.excess_risk, **words)


# The catalogue finds this list. To add a variant, add a line.
EXPERIMENTS = (Skeleton("skeleton", Task(d=400, L=10)),)

"""Descent of attention with logistic weights and a bias, from uniform starts at a constant lam."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, NamedTuple

import jax
import numpy as np

from slrlib import checks
from slrlib.dynamics.steps import descend_along, overlaps_of_pair, pair_of
from slrlib.experiments.chunks import InParts, parts_of
from slrlib.overlaps import Overlaps, random_overlaps, to_frame
from slrlib.risk import activation_excess_risk
from slrlib.task import Task

POINTS = 37  # nodes of the quadrature; more nodes make no visible difference


@jax.jit
def learned(
    o: Overlaps, lam: float, bias: float, alpha: float, task: Task, steps: int
) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Return (kappa, nu, excess risk) after projected gradient descent from these overlaps."""

    def risk(o):
        return activation_excess_risk(jax.nn.sigmoid, o, lam, task, bias, points=POINTS)

    def step(_, pair):
        slope = jax.vmap(jax.grad(risk))(overlaps_of_pair(pair))
        return descend_along(pair, slope, alpha)

    pair = jax.lax.fori_loop(0, steps, step, pair_of(to_frame(o)))
    return pair.kappa, pair.nu, risk(overlaps_of_pair(pair))


class LogisticResult(NamedTuple):
    """The end points of the runs; a row is one run at the slope ``lam`` and the ``bias``."""

    lam: Annotated[np.ndarray, "row"]
    bias: Annotated[np.ndarray, "row"]
    kappa: Annotated[np.ndarray, "row"]
    nu: Annotated[np.ndarray, "row"]
    excess_risk: Annotated[np.ndarray, "row"]

    def at(self, lam: float) -> LogisticResult:
        """Return the rows with this slope."""
        return LogisticResult(*(x[self.lam == lam] for x in self))

    def found(self) -> np.ndarray:
        """Return which runs recover the teacher, including its sign."""
        return (self.kappa > 0.5) & (self.nu > 0.9)


@dataclass(frozen=True)
class LogisticDescent(InParts):
    """PGD on the exact risk of attention with logistic weights, for each slope and its bias.

    Parameters
    ----------
    name : str
        Name of the experiment.
    task : Task
        The task: d, L, gamma, noise.
    lams : tuple of float
        Slopes lambda of the weights.
    biases : tuple of float
        Bias at each slope.
    alpha : float
        Step size.
    steps : int
        Number of steps of each run.
    starts : int
        Number of starts at each slope.
    together : int
        Number of runs computed and stored together.
    seed : int
        Seed of the random numbers.
    """

    task: Task
    lams: tuple[float, ...] = (0.5, 1.0)
    biases: tuple[float, ...] = (3.5, 4.0)
    alpha: float = 2e-3
    steps: int = 30_000
    starts: int = 4000
    together: int = 250
    seed: int = 0

    result: ClassVar[type] = LogisticResult
    takes_minutes: ClassVar[bool] = True
    revision: ClassVar[int] = 2  # in revision 1, k stayed in the span of k*, v* and its start

    def parts(self) -> list[tuple[int, int]]:
        settings = list(zip(self.lams, self.biases, strict=True))
        return parts_of(len(settings), self.starts, self.together)

    def part(self, setting: int, first: int) -> LogisticResult:
        """Return the rows of one group of starts, beginning with number ``first``."""
        given = lam, bias = float(self.lams[setting]), float(self.biases[setting])
        d, count = checks.count("task.d", self.task.d, 2), min(self.together, self.starts - first)
        key = jax.random.fold_in(jax.random.fold_in(jax.random.key(self.seed), setting), first)
        alpha, o = checks.positive("alpha", self.alpha), random_overlaps(key, d, (count,))
        ends = learned(o, *given, alpha, self.task, self.steps)
        settings = np.full(count, lam), np.full(count, bias)
        return LogisticResult(*settings, *(np.asarray(x, np.float32) for x in ends))

    def finding(self, r: LogisticResult) -> str:
        words = (f"{r.at(lam).found().mean():.2%} at lam = {lam:g}" for lam in self.lams)
        return f"fraction of {self.starts:,} starts that recover the pair: {', '.join(words)}"


EXPERIMENTS = (LogisticDescent("logistic", Task(d=400, L=10)),)

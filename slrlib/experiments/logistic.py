"""Descent of attention with logistic weights and a bias, from uniform starts at a constant lam."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Annotated, ClassVar, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from slrlib import checks
from slrlib.experiments.chunks import InParts, parts_of
from slrlib.overlaps import Overlaps, random_overlaps, to_frame
from slrlib.risk import activation_excess_risk
from slrlib.task import Task

POINTS = 37  # of the rule for the means; more of them change nothing that is seen


def _risk(pair, lam, bias, task):
    """The excess risk of a pair in the frame: k of shape (3,), v of shape (4,)."""
    k, v = pair
    o = Overlaps(k[0], v[1], v[0], k[1], k @ v[:3])
    return activation_excess_risk(jax.nn.sigmoid, o, lam, task, bias, points=POINTS)


@partial(jax.jit, static_argnames=("d", "count", "steps"))
def _learned(key, lam, bias, alpha, task, d, count, steps):
    """The pairs after projected gradient descent from ``count`` uniform starts, and their risks."""

    def moved(x, slope):
        x = x - alpha * (slope - (slope @ x) * x)
        return x / jnp.linalg.norm(x)

    def step(_, pair):
        return tuple(map(moved, pair, jax.grad(_risk)(pair, lam, bias, task)))

    def learned(pair):
        pair = jax.lax.fori_loop(0, steps, step, pair)
        return pair, _risk(pair, lam, bias, task)

    return jax.vmap(learned)(tuple(to_frame(random_overlaps(key, d, (count,)))))


class LogisticResult(NamedTuple):
    """Where the runs end; a row is one run at the slope ``lam`` and the ``bias`` of its weights."""

    lam: Annotated[np.ndarray, "row"]
    bias: Annotated[np.ndarray, "row"]
    kappa: Annotated[np.ndarray, "row"]
    nu: Annotated[np.ndarray, "row"]
    excess_risk: Annotated[np.ndarray, "row"]

    def at(self, lam: float) -> LogisticResult:
        """The rows of this slope."""
        return LogisticResult(*(x[self.lam == lam] for x in self))

    def found(self) -> np.ndarray:
        """Which runs recover the pair, with the right sign."""
        return (self.kappa > 0.5) & (self.nu > 0.9)


@dataclass(frozen=True)
class LogisticDescent(InParts):
    """PGD on the exact risk of logistic weights, at each of ``lams`` with its bias.

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
        Starts at each slope.
    together : int
        Runs that are computed, and then kept, together.
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

    def parts(self) -> list[tuple[int, int]]:
        settings = list(zip(self.lams, self.biases, strict=True))
        return parts_of(len(settings), self.starts, self.together)

    def part(self, setting: int, first: int) -> LogisticResult:
        """The rows of the starts from number ``first`` on that are followed together."""
        given = lam, bias = float(self.lams[setting]), float(self.biases[setting])
        d, count = checks.count("task.d", self.task.d, 3), min(self.together, self.starts - first)
        key = jax.random.fold_in(jax.random.fold_in(jax.random.key(self.seed), setting), first)
        alpha = checks.positive("alpha", self.alpha)
        (k, v), risk = _learned(key, *given, alpha, self.task, d, count, self.steps)
        ends = (np.asarray(x, np.float32) for x in (k[:, 0], v[:, 1], risk))
        return LogisticResult(np.full(count, lam), np.full(count, bias), *ends)

    def finding(self, r: LogisticResult) -> str:
        words = (f"{r.at(lam).found().mean():.2%} at lam = {lam:g}" for lam in self.lams)
        return f"fraction of {self.starts:,} starts that recover the pair: {', '.join(words)}"


EXPERIMENTS = (LogisticDescent("logistic", Task(d=400, L=10)),)

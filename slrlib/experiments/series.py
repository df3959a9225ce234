"""Softmax attention trained on windows of a time series with one anomaly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, NamedTuple

import numpy as np

from slrlib import checks
from slrlib.experiments.chunks import InParts, parts_of
from slrlib.task import Task

PERIODS = {"fast": 4, "slow": 1}  # number of periods of a wave in a window


def wave(name: str, d: int) -> np.ndarray:
    """Return the wave of this name, normalized, in a window of d samples, of shape (d,)."""
    angles = np.pi * (2 * np.arange(d) + 1) / d
    return np.cos(PERIODS[name] * angles) / (d / 2) ** 0.5


def windows(
    rng: np.random.Generator,
    n: int,
    task: Task,
    memory: float,
    anomaly: np.ndarray,
    asked: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Sample ``n`` series cut into windows (n, L, d), and their labels (n,).

    Samples have unit variance, and their correlation decreases by the factor ``memory`` per sample.
    In one window the noise is multiplied by gamma and the wave ``anomaly`` is added, with norm r.
    The label is the component of this window along ``asked``, whose dtype sets the precision.
    """
    L, d = int(task.L), int(task.d)
    jumps = rng.standard_normal((n, L * d), asked.dtype.type)
    if memory:
        from scipy.signal import lfilter  # takes a second to import; needed only here

        jumps[:, 1:] *= (1 - memory**2) ** 0.5
        now, before = np.array([[1, 0], [1, -memory]], asked.dtype)
        jumps = np.asarray(lfilter(now, before, jumps, axis=1))
    X = jumps.reshape(n, L, d)
    here = np.arange(n), rng.integers(L, size=n)
    X[here] = float(task.gamma) * X[here] + float(task.signal) * anomaly
    return X, X[here] @ asked


class SeriesResult(NamedTuple):
    """The end points of softmax attention; a row is one start under one noise model."""

    setting: Annotated[np.ndarray, "row"]  # which of ``SETTINGS``
    kappa: Annotated[np.ndarray, "row"]
    nu: Annotated[np.ndarray, "row"]


# For white and autocorrelated noise: (memory, the anomaly, the wave that sets the label).
SETTINGS = {
    "white": (0.0, "fast", "slow"),
    "asked": (0.6, "fast", "slow"),
    "sought": (0.6, "slow", "fast"),
}


@dataclass(frozen=True)
class AnomalySeries(InParts):
    """SGD of softmax attention on new series, from uniform starts, for each of ``SETTINGS``.

    Parameters
    ----------
    name : str
        Name of the experiment.
    task : Task
        The task: d, L, gamma, noise.
    lam : float
        Inverse temperature lambda.
    alpha : float
        Step size.
    steps : int
        Number of steps of each run.
    batch : int
        New series per step.
    starts : int
        Number of starts in each setting.
    together : int
        Number of runs computed and stored together.
    seed : int
        Seed of the random numbers.
    """

    task: Task
    lam: float = 1.0
    alpha: float = 0.02
    steps: int = 1200
    batch: int = 2
    starts: int = 4000
    together: int = 100
    seed: int = 0

    result: ClassVar[type] = SeriesResult
    takes_minutes: ClassVar[bool] = True

    def parts(self) -> list[tuple[int, int]]:
        return parts_of(len(SETTINGS), self.starts, self.together)

    def part(self, setting: int, first: int) -> SeriesResult:
        """Return the rows of one group of starts, beginning with number ``first``."""
        memory, *names = list(SETTINGS.values())[setting]
        d, L = checks.count("task.d", self.task.d, 9), checks.count("task.L", self.task.L)
        first_wave, asked = (wave(name, d).astype(np.float32) for name in names)
        rng = np.random.default_rng([self.seed, setting, first])
        n, one = min(self.together, self.starts - first), np.float32
        pair = rng.standard_normal((2, n, d), one)
        for _ in range(self.steps):
            pair /= np.linalg.norm(pair, axis=2, keepdims=True)
            X, y = windows(rng, n * self.batch, self.task, memory, first_wave, asked)
            X = X.reshape(n, self.batch * L, d)
            score, value = ((X @ x[..., None]).reshape(n, self.batch, L) for x in pair)
            p = np.exp(one(self.lam) * (score - score.max(axis=2, keepdims=True)))
            p /= p.sum(axis=2, keepdims=True)
            said = np.sum(p * value, axis=2)
            of_value = (said - y.reshape(n, self.batch))[..., None] * p
            of_score = of_value * (value - said[..., None])
            slopes = [w.reshape(n, 1, -1) @ X for w in (of_score, of_value)]
            pair -= one(self.alpha * 2 / self.batch) * np.stack(slopes)[:, :, 0]
        pair /= np.linalg.norm(pair, axis=2, keepdims=True)
        k, v = pair
        return SeriesResult(np.full(n, setting, one), k @ first_wave, v @ asked)

    def finding(self, r: SeriesResult) -> str:
        found = (r.kappa > 0.8) & (r.nu > 0.8)
        words = (f"{name} {found[r.setting == i].mean():.2%}" for i, name in enumerate(SETTINGS))
        return f"fraction of {self.starts:,} starts that recover the waves: {', '.join(words)}"


EXPERIMENTS = (AnomalySeries("series", Task(d=48, L=8)),)

"""Several erf heads: stochastic PGD (Figure 9), and descent on the exact risk."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, ClassVar, NamedTuple

import jax
import numpy as np

from slrlib import checks, sphere
from slrlib.experiments.base import Folder
from slrlib.experiments.descent import Descending, lams
from slrlib.heads import oracle_excess_risk
from slrlib.heads.sgd import Trajectory, followed, start
from slrlib.task import Teacher, random_teacher

KEPT = 20  # runs whose inner products are stored


class HeadsDescentResult(NamedTuple):
    """The rows of the runs; ``kappa`` = k_h.k_i* and ``nu`` = v_h.v_i* are signed.

    ``gram`` holds the inner products of the vectors k_1*, ..., v_1*, ..., k_1, ..., v_1, ..., in
    this order, after the last step, for the first runs only. There are 2m + 2H vectors for m
    locations and H heads.
    """

    step: Annotated[np.ndarray, "time"]
    excess_risk: Annotated[np.ndarray, "time run"]
    kappa: Annotated[np.ndarray, "time run head location"]
    nu: Annotated[np.ndarray, "time run head location"]
    lam: Annotated[np.ndarray, "time"]
    gram: Annotated[np.ndarray, "first vector with"]


@dataclass(frozen=True)
class HeadsDescent(Descending):
    """Descent of several erf heads on several locations; each run has its own start and teachers.

    Parameters
    ----------
    name : str
        Name of the experiment.
    task : Task
        The task: d, L, gamma, noise.
    schedule : function of the step
        Inverse temperature lambda_t.
    alpha : float
        Step size.
    steps : int
        Number of steps of each run.
    log_every : int
        Number of steps between rows of the result.
    repetitions : int
        Number of runs.
    heads : int
        Number of heads H.
    locations : int
        Number of locations m.
    batch : int or None
        New sequences per step; None: the exact risk.
    shared_noise : bool
        Whether the informative tokens of a sequence have the same noise.
    seed : int
        Seed of the random numbers.
    """

    repetitions: int = 20
    heads: int = 2
    locations: int = 2
    batch: int | None = 5
    shared_noise: bool = False
    seed: int = 0

    result: ClassVar[type] = HeadsDescentResult
    takes_minutes: ClassVar[bool] = True

    def compute(self, folder: Folder, progress: bool) -> HeadsDescentResult:
        # A run does not depend on the number of runs.
        numbers = np.arange(self.repetitions)
        d = checks.count("task.d", self.task.d, at_least=2)
        key = jax.random.key(self.seed)
        (teachers, K, V), key_draws = vectors(key, numbers, d, self.heads, self.locations)
        given = self.task, self.schedule, self.alpha, self.batch
        run = start(K, V, teachers, *given, shared_noise=self.shared_noise, key=key_draws)
        run, rows = self.descended(folder, progress, run, followed, Trajectory)
        axes = np.concatenate([*run.teachers, run.K, run.V], axis=1, dtype=float)[:KEPT]
        return HeadsDescentResult(
            step=rows.step,
            excess_risk=rows.excess_risk,
            kappa=np.asarray(rows.kappa, np.float32),  # more digits would not be visible
            nu=np.asarray(rows.nu, np.float32),
            lam=np.asarray(lams(run.schedule, np.asarray(rows.step, float))),
            gram=np.einsum("rid,rjd->rij", axes, axes),
        )

    def finding(self, r: HeadsDescentResult) -> str:
        lam, risk = float(r.lam[-1]), np.mean(r.excess_risk[-1])
        oracle = oracle_excess_risk(lam, self.task, self.locations)
        best = np.abs(r.kappa[-1]).max(axis=-2).mean()
        said = f"mean excess risk {risk:.4g}, oracle pairs {oracle:.4g}"
        return f"{said}; the better head at each location has mean |k_h.k_i*| = {best:.2f}"

    def draw(self, r: HeadsDescentResult, pictures: Any, **words: str) -> Any:
        oracle = oracle_excess_risk(r.lam, self.task, self.locations)
        law = "shared noise" if self.shared_noise else "own noise"
        rows = r.step, r.excess_risk, oracle, *matched(r.kappa, r.nu)
        return pictures.one_column({law: rows}, **words)


@partial(jax.jit, static_argnames=("d", "heads", "locations"))
def vectors(
    key: jax.Array, numbers: jax.Array, d: int, heads: int, locations: int
) -> tuple[tuple[Teacher, jax.Array, jax.Array], jax.Array]:
    """Return teachers (R, m, d) and heads (R, H, d) of these repetitions, and a key for samples."""
    key_vectors, key_draws = jax.random.split(key)

    def one(i):
        keys = jax.random.split(jax.random.fold_in(key_vectors, i), 3)
        teachers = random_teacher(d, (locations,), key=keys[0])
        K, V = (sphere.uniform(d, (heads,), key=key) for key in keys[1:])
        return teachers, K, V

    return jax.vmap(one)(numbers), key_draws


def matched(kappa: np.ndarray, nu: np.ndarray) -> list[np.ndarray]:
    """Return |kappa| and |nu| of two heads, in the order that matches the locations best."""
    K, V = np.abs(kappa), np.abs(nu)
    if K.shape[2:] != (2, 2):
        raise ValueError(f"heads and locations must be two in a picture, got {K.shape[2:]}")
    crossed = K[-1, :, 0, 1] + K[-1, :, 1, 0] > K[-1, :, 0, 0] + K[-1, :, 1, 1]
    return [np.where(crossed[:, None, None], x[..., ::-1, :], x) for x in (K, V)]

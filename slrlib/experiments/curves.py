"""Figures that need no run: risks as functions of the dimension, and the gradient field on M."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, NamedTuple

import jax.numpy as jnp
import numpy as np

from slrlib import checks, risk
from slrlib.dynamics import manifold_step
from slrlib.experiments.base import Experiment, Folder
from slrlib.landscape import best_lam, explicit_lam
from slrlib.task import Task


class RiskByDimensionResult(NamedTuple):
    """Excess risks by dimension: oracle pair at two values of lam, best linear, and null."""

    d: Annotated[np.ndarray, "dimension"]
    oracle: Annotated[np.ndarray, "dimension"]  # Theorem 1 at lam = (d L)^(-1/4)
    best: Annotated[np.ndarray, "dimension"]  # Theorem 1 at the best lam
    linear: Annotated[np.ndarray, "dimension"]  # Proposition 3
    null: Annotated[np.ndarray, ""]


@dataclass(frozen=True)
class RiskByDimension(Experiment):
    """Theorem 1 compared with Proposition 3, at several dimensions (Figure 3).

    Parameters
    ----------
    name : str
        Name of the experiment.
    task : Task
        The task: d, L, gamma, noise.
    sizes : tuple of float
        Dimensions d; they replace that of the task.
    """

    task: Task
    sizes: tuple[float, ...]

    result: ClassVar[type] = RiskByDimensionResult

    def compute(self, folder: Folder, progress: bool) -> RiskByDimensionResult:
        given, sizes = self.task, checks.positive("sizes", list(self.sizes))
        task = Task(np.asarray(sizes, float), given.L, given.gamma, given.noise, given.p)
        return RiskByDimensionResult(
            d=np.asarray(task.d),
            oracle=np.asarray(risk.oracle_excess_risk(explicit_lam(task), task)),
            best=np.asarray(best_lam(task)[1]),
            linear=np.broadcast_to(risk.linear_excess_risk(task), (len(self.sizes),)),
            null=np.asarray(risk.null_excess_risk(task)),
        )

    def finding(self, r: RiskByDimensionResult) -> str:
        at_ours, at_best = (x[-1] / r.linear[-1] for x in (r.oracle, r.best))
        return (
            f"at d = {r.d[-1]:g} and lam = (dL)^(-1/4) the oracle pair has {at_ours:.1%} of the "
            f"best linear risk; at its best lam {at_best:.1%}"
        )

    def draw(self, r: RiskByDimensionResult, pictures: Any, **words: str) -> Any:
        risks = r.oracle, r.best, r.linear, float(r.null)
        return pictures.oracle_and_linear(r.d / self.task.L, *risks, np.empty((0, 3)), **words)


class ManifoldFieldResult(NamedTuple):
    """The excess risk and the direction of descent on the grid ``nu[i]``, ``kappa[j]``.

    ``flow`` is minus the gradient on the two spheres, in (kappa, nu): the first-order change of
    kappa and nu in a step of size one.
    """

    kappa: Annotated[np.ndarray, "column"]
    nu: Annotated[np.ndarray, "row"]
    excess_risk: Annotated[np.ndarray, "row column"]
    flow: Annotated[np.ndarray, "row column direction"]


@dataclass(frozen=True)
class ManifoldField(Experiment):
    """The risk on M and its direction of descent, on a square grid of (kappa, nu) (Figure 6).

    Parameters
    ----------
    name : str
        Name of the experiment.
    task : Task
        The task: d, L, gamma, noise.
    lam : float
        Inverse temperature lambda.
    points : int
        Number of grid points along each axis.
    """

    task: Task
    lam: float
    points: int = 61

    result: ClassVar[type] = ManifoldFieldResult

    def compute(self, folder: Folder, progress: bool) -> ManifoldFieldResult:
        line = jnp.linspace(-1.0, 1.0, checks.count("points", self.points, at_least=2))
        kappa, nu = jnp.meshgrid(line, line)
        small = 1e-4
        moved = manifold_step(kappa, nu, self.lam, self.task, small)
        flow = [(new - old) / small for new, old in zip(moved, (kappa, nu), strict=True)]
        return ManifoldFieldResult(
            kappa=np.asarray(line),
            nu=np.asarray(line),
            excess_risk=np.asarray(risk.manifold_excess_risk(kappa, nu, self.lam, self.task)),
            flow=np.stack([np.asarray(x) for x in flow], axis=-1),
        )

    def finding(self, r: ManifoldFieldResult) -> str:
        lowest, highest = r.excess_risk.min(), r.excess_risk.max()
        return f"excess risk from {lowest:.4g} at the oracle pair to {highest:.4g}"

    def draw(self, r: ManifoldFieldResult, pictures: Any, **words: str) -> Any:
        levels = np.linspace(r.excess_risk.min(), r.excess_risk.max(), 10)[1:-1]
        return pictures.manifold_risk(r.kappa, r.nu, r.excess_risk, levels, **words)

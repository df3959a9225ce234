"""The figures that no run is needed for: risks against the dimension, and the field on M."""

from typing import NamedTuple

import jax.numpy as jnp
import numpy as np

from slrlib.dynamics import manifold_step
from slrlib.landscape import best_lam, explicit_lam
from slrlib.risk import (
    linear_excess_risk,
    manifold_excess_risk,
    null_excess_risk,
    oracle_excess_risk,
)
from slrlib.task import Task


class Compared(NamedTuple):
    """Excess risks at each dimension ``d``: the oracle at two choices of lam, linear, null."""

    d: np.ndarray
    oracle: np.ndarray  # Theorem 1 at lam = (d L)^(-1/4)
    best: np.ndarray  #   Theorem 1 at the best lam
    linear: np.ndarray  # Proposition 3
    null: float


def compare(experiment):
    """Theorem 1 against Proposition 3, as the dimension grows (Figure 3)."""
    given = experiment.task
    task = Task(np.asarray(experiment.sizes, float), given.L, given.gamma, given.noise, given.p)
    linear = np.broadcast_to(linear_excess_risk(task), (len(experiment.sizes),))
    return Compared(
        d=np.asarray(task.d),
        oracle=np.asarray(oracle_excess_risk(explicit_lam(task), task)),
        best=np.asarray(best_lam(task)[1]),
        linear=linear,
        null=float(null_excess_risk(task)),
    )


class Mapped(NamedTuple):
    """On the grid ``nu[i]``, ``kappa[j]``: the excess risk and the direction of descent.

    ``flow`` (points, points, 2) is minus the gradient on the two spheres, in (kappa, nu): the
    first-order change of both, for a step of size one.
    """

    kappa: np.ndarray
    nu: np.ndarray
    excess_risk: np.ndarray
    flow: np.ndarray


def chart(experiment):
    """The risk on M and the field that descent follows (Figure 6)."""
    line = jnp.linspace(-1.0, 1.0, experiment.points)
    kappa, nu = jnp.meshgrid(line, line)
    small = 1e-4
    moved = manifold_step(kappa, nu, experiment.lam, experiment.task, small)
    flow = [(new - old) / small for new, old in zip(moved, (kappa, nu), strict=True)]
    return Mapped(
        kappa=np.asarray(line),
        nu=np.asarray(line),
        excess_risk=np.asarray(manifold_excess_risk(kappa, nu, experiment.lam, experiment.task)),
        flow=np.stack([np.asarray(x) for x in flow], axis=-1),
    )

"""Shared by the explorers of descent: the controls of the task, and functions that are printed."""

import jax.numpy as jnp

from slrbook.explorers.base import Explorer
from slrbook.explorers.parts import Control, spread
from slrlib.dynamics import manifold_step, pgd_step
from slrlib.landscape.states import state
from slrlib.overlaps import Frame, Overlaps
from slrlib.risk import excess_risk, manifold_excess_risk
from slrlib.task import Task

TASK = ("d", "L", "gamma")
TOKENS = 10.0  # L in Figure 4 of the paper; used where L does not matter
FIVE = Overlaps._fields
# The code that *As Python* shows: an experiment of slrlib and its finding.
RUN = """\
{imports}

experiment = {experiment}
result = run(experiment)
print(experiment.finding(result))
"""


def task_of(d, L, gamma):
    return Task(d=d, L=L, gamma=gamma, noise=0.0)  # the excess risk does not depend on the noise


def step(kappa, eta, a, theta, nu, b, c, lam, alpha, d, L, gamma):
    """Return the frame of (k, v) after one step of projected gradient descent.

    Book: {eq}`eq-pgd` (Definition 1 of the paper).
    """
    frame = Frame(jnp.stack([kappa, eta, a]), jnp.stack([theta, nu, b, c]))
    k, v = pgd_step(frame, lam, task_of(d, L, gamma), alpha)
    return k[0], k[1], k[2], v[0], v[1], v[2], v[3]


def risk(kappa, nu, theta, eta, rho, lam, d, L, gamma):
    """Return the excess risk at five overlaps.

    Book: {eq}`eq-risk`.
    """
    return excess_risk(Overlaps(kappa, nu, theta, eta, rho), lam, task_of(d, L, gamma))


def slide(kappa, nu, lam, alpha, d, gamma):
    """Return (kappa, nu) after one step on M, which does not depend on L."""
    return manifold_step(kappa, nu, lam, task_of(d, TOKENS, gamma), alpha)


def risk_on_m(kappa, nu, lam, d, gamma):
    """Return the excess risk on M, where the number of tokens only adds a constant."""
    return manifold_excess_risk(kappa, nu, lam, task_of(d, TOKENS, gamma))


def ending(kappa, nu, eta, lam, d, L, gamma):
    """Return the state of a run, as an index into ``STATES``."""
    return state(Overlaps(kappa, nu, 0.0, eta, 0.0), lam, task_of(d, L, gamma))


class OnM(Explorer):
    """An explorer of runs on M; the default task is that of Figure 4 of the paper."""

    python = RUN

    alpha = Control(4e-3, 4e-4, 4e-2, sign="α", words="step size", log=True, place="more")
    steps = Control(20_000, 1_000, 60_000, words="steps", step=1_000, whole=True, place="more")
    d = Control(400, 20, 1e5, sign="d", words="dimension", log=True, whole=True, place="more")
    gamma = spread(low=0.1, high=2.0, step=0.01)


class OfDescent(OnM):
    """An explorer of runs on and off M."""

    L = Control(TOKENS, 2, 30, sign="L", words="tokens", whole=True, place="more")

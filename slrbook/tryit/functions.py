"""The scalar functions behind ``import slr``; the explorers use most of them too."""

from slrbook.explorers.lam_map.spec import determinant, highest_stable, swapped
from slrbook.explorers.law import oracle
from slrbook.explorers.of_descent import FIVE, TASK, risk, task_of
from slrbook.javascript import printed
from slrlib.dynamics import pgd_step
from slrlib.overlaps import Overlaps, from_frame, to_frame
from slrlib.special import zeta


def step(kappa, nu, theta, eta, rho, lam, alpha, d, L, gamma):
    """Return the five overlaps after one step of projected gradient descent.

    Book: {eq}`eq-pgd` (Definition 1 of the paper).
    """
    frame = to_frame(Overlaps(kappa, nu, theta, eta, rho))
    return from_frame(pgd_step(frame, lam, task_of(d, L, gamma), alpha))


FUNCTIONS = {
    "risk": (risk, [*FIVE, "lam", *TASK]),
    "step": (step, [*FIVE, "lam", "alpha", *TASK]),
    "oracle": (oracle, ["lam", *TASK]),
    "swapped": (swapped, ["lam", *TASK]),
    "determinant": (determinant, ["lam", *TASK]),
    "highest_stable": (highest_stable, list(TASK)),
    "zeta": (zeta, ["t", "gamma"]),
}


def script() -> str:
    """Return the functions as JavaScript, one per line."""
    return printed(FUNCTIONS)

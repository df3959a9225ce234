"""What ``import slr`` computes with, on scalars: most of it is what the explorers print."""

from slrbook.explorers.laboratory.spec import risk
from slrbook.explorers.lam_map.spec import determinant, highest_stable, oracle, swapped
from slrbook.javascript import printed
from slrlib.dynamics import pgd_step
from slrlib.overlaps import Overlaps, from_frame, to_frame
from slrlib.special import zeta
from slrlib.task import Task

OVERLAPS, TASK = ("kappa", "nu", "theta", "eta", "rho"), ("d", "L", "gamma")


def step(kappa, nu, theta, eta, rho, lam, alpha, d, L, gamma):
    """The five overlaps one step of projected gradient descent later.

    Book: {eq}`eq-pgd` (Definition 1 of the paper).
    """
    task = Task(d=d, L=L, gamma=gamma, noise=0.0)  # excess risk does not know the noise
    frame = to_frame(Overlaps(kappa, nu, theta, eta, rho))
    return from_frame(pgd_step(frame, lam, task, alpha))


FUNCTIONS = {
    "risk": (risk, [*OVERLAPS, "lam", *TASK]),
    "step": (step, [*OVERLAPS, "lam", "alpha", *TASK]),
    "oracle": (oracle, ["lam", *TASK]),
    "swapped": (swapped, ["lam", *TASK]),
    "determinant": (determinant, ["lam", *TASK]),
    "highest_stable": (highest_stable, list(TASK)),
    "zeta": (zeta, ["t", "gamma"]),
}


def script() -> str:
    """The functions as JavaScript, one a line."""
    return printed(FUNCTIONS)

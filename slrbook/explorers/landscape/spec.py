"""The landscape: what does risk look like on M, and where does descent go from each point?"""

from slrbook.explorers.as_python import RUN
from slrbook.explorers.base import Explorer
from slrbook.explorers.listed import with_controls
from slrbook.explorers.step import Step, Why
from slrbook.explorers.trait import Control
from slrlib.dynamics.manifold import manifold_angle_step
from slrlib.landscape import certified_step, saddle_rates
from slrlib.landscape.states import LOCKED, MANIFOLD_STATES, NEAR_SADDLE, manifold_state
from slrlib.risk import manifold_excess_risk
from slrlib.task import Task

GAMMA, D, L = 0.5**0.5, 400.0, 10.0  # the values of the paper


def _task():
    return Task(d=D, L=L, gamma=GAMMA, noise=0.0)


def step(phi, psi, lam, alpha):
    """One step of projected gradient descent on M in the angles, at the values of the paper."""
    return manifold_angle_step(phi, psi, lam, _task(), alpha)


def risk(kappa, nu, lam):
    """The excess risk on M at the values of the paper."""
    return manifold_excess_risk(kappa, nu, lam, _task())


def rates(lam):
    """The two curvatures at the saddle, and the certified step size."""
    return *saddle_rates(lam, _task()), certified_step(lam, _task())


class Landscape(Explorer):
    """The square of M with its risk, the arrows of descent and the line that divides the starts."""

    question = "Where does gradient descent end from each start on M?"
    note = (
        "M is the set of pairs (k, v) that κ = k·k* and ν = v·v* describe; the other overlaps are "
        "zero. Arrows: direction of descent. Thin lines: equal risk. Thick line: the starts that "
        "converge to the saddle. d = 400, L = 10, γ² = 1/2."
    )
    python = RUN
    asks = (
        Step(
            "Descent starts at κ = 0.9, ν = −0.2: k is nearly right, v points slightly away from "
            "v*. Where does it end?",
            "kappa",
            "It ends at κ = {kappa}, ν = {nu}.",
            {"kappa0": 0.9, "nu0": -0.2},
            ("at (−1, −1)", "at neither corner", "at (1, 1)"),
            cuts=(-0.9, 0.9),
        ),
        Step(
            "And from κ = 0.3, ν = −0.9?",
            "kappa",
            "It ends at κ = {kappa}, ν = {nu}.",
            {"kappa0": 0.3, "nu0": -0.9},
            ("at (−1, −1)", "at neither corner", "at (1, 1)"),
            cuts=(-0.9, 0.9),
        ),
        Step(
            "Descent starts at the saddle, κ = ν = 0. Where is it after 20,000 steps?",
            "regime",
            "The gradient is zero at the saddle, so no step moves the pair.",
            {"kappa0": 0, "nu0": 0},
            ("it has left", "it is still there"),
            values=("recovered the teacher", "at the saddle"),
        ),
    )
    why = Why(
        "The starts that converge to the saddle form one decreasing curve. Starts above it "
        "converge to (1, 1), starts below it to (−1, −1).",
        "the dividing line",
        "pgd_convergence",
        "order-line",
    )
    scripts = ("view.js", "divide.js")
    order = ("lam", "alpha", "steps", "kappa0", "nu0")

    lam = Control(0.1, 0.01, 2.0, sign="λ", words="inverse temperature", log=True)
    alpha = Control(4e-3, 4e-4, 4e-2, sign="α", words="step size", log=True, place="more")
    steps = Control(20_000, 1_000, 60_000, words="steps", step=1_000, whole=True, place="more")
    kappa0 = Control(0.6, -1.0, 1.0, sign="κ", words="at the start", step=0.01, place="more")
    nu0 = Control(-0.39, -1.0, 1.0, sign="ν", words="at the start", step=0.01, place="more")

    @classmethod
    def constants(cls):
        return {"locked": LOCKED, "near": NEAR_SADDLE, "states": MANIFOLD_STATES}

    @classmethod
    def functions(cls):
        return {
            "step": (step, ["phi", "psi", "lam", "alpha"]),
            "risk": (risk, ["kappa", "nu", "lam"]),
            "ending": (manifold_state, ["kappa", "nu"]),
            "rates": (rates, ["lam"]),
        }


@with_controls(Landscape)
def the_landscape(**controls) -> Landscape:
    """The risk on M; controls ``lam``, ``alpha``, ``steps``, ``kappa0``, ``nu0``."""
    return Landscape(**controls)

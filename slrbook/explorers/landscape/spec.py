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

    title = "The landscape"
    question = "What does risk look like on M?"
    note = (
        "Arrows: where descent goes. Thin lines: equal risk. Thick line: the starts that end at "
        "the saddle, found by running descent backwards. d = 400, γ² = 1/2, L = 10."
    )
    python = RUN
    asks = (
        Step(
            "Let κ = 0.9 and ν = −0.2 at the start: k is nearly right, v a little wrong. Where "
            "does descent lead?",
            "kappa",
            "It ends at κ = {kappa}, ν = {nu}.",
            {"kappa0": 0.9, "nu0": -0.2},
            ("to (−1, −1)", "to neither corner", "to (1, 1)"),
            cuts=(-0.9, 0.9),
        ),
        Step(
            "And from κ = 0.3, ν = −0.9?",
            "kappa",
            "It ends at κ = {kappa}, ν = {nu}.",
            {"kappa0": 0.3, "nu0": -0.9},
            ("to (−1, −1)", "to neither corner", "to (1, 1)"),
            cuts=(-0.9, 0.9),
        ),
        Step(
            "And from the saddle itself, κ = ν = 0: where is descent after 20,000 steps?",
            "regime",
            "Both slopes are zero there, so no step moves it; a start off the thick line leaves.",
            {"kappa0": 0, "nu0": 0},
            ("it has left", "it is still there"),
            values=("recovered the teacher", "at the saddle"),
        ),
    )
    why = Why(
        "The starts that fail are one decreasing curve through the saddle. What lies above it goes "
        "to (1, 1), what lies below to (−1, −1).",
        "the starts that fail",
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

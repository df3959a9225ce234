"""The puzzle: can descent find two hidden directions it is never told?"""

from slrbook.explorers.as_python import RUN
from slrbook.explorers.base import Explorer
from slrbook.explorers.listed import with_controls
from slrbook.explorers.step import Step, Why
from slrbook.explorers.trait import Control
from slrlib.dynamics import manifold_step
from slrlib.landscape.states import LOCKED, MANIFOLD_STATES, manifold_state
from slrlib.risk import manifold_excess_risk
from slrlib.task import Task

GAMMA, D, L = 0.5**0.5, 400.0, 10.0  # Figure 4(b) of the paper


def step(kappa, nu, lam, alpha):
    """One step of projected gradient descent on M, with the task of Figure 4(b)."""
    return manifold_step(kappa, nu, lam, Task(d=D, L=L, gamma=GAMMA, noise=0.0), alpha)


def risk(kappa, nu, lam):
    """The excess risk on M, with the task of Figure 4(b)."""
    return manifold_excess_risk(kappa, nu, lam, Task(d=D, L=L, gamma=GAMMA, noise=0.0))


class Puzzle(Explorer):
    """A start in the (kappa, nu) square on M, and the path that descent takes from it."""

    title = "The puzzle"
    question = "Can descent find two hidden directions it is never told?"
    note = (
        "κ = k·k* says how well k knows where to look, ν = v·v* how well v knows what to read. "
        "This puzzle lives on the manifold M, where the other three overlaps are zero; "
        f"d = 400, γ² = 1/2, L = 10. Recovered the teacher: both overlaps past "
        f"{LOCKED}, with the same sign. "
        f"Thin lines: other descents; dots over time: past {LOCKED}."
    )
    python = RUN
    asks = (
        Step(
            "Let descent start at κ = 0.4, ν = 0.05, where k is far ahead of v. Which of the two "
            "passes 0.95 first?",
            ("kappa_past", "nu_past"),
            "κ passes it at step {kappa_past}, ν at step {nu_past}.",
            {"kappa0": 0.4, "nu0": 0.05},
            ("κ, where to look", "ν, what to read"),
        ),
        Step(
            "Now κ = −0.5, ν = 0.1, and λ = 0.05: k begins on the wrong side. Where does the run "
            "end?",
            "kappa",
            "It ends at κ = {kappa}, ν = {nu}.",
            {"kappa0": -0.5, "nu0": 0.1, "lam": 0.05},
            ("at (−1, −1)", "somewhere between", "at (1, 1)"),
            cuts=(-0.9, 0.9),
        ),
        Step(
            "The first start again, with λ = 0.5, five times as large. Does it recover the teacher "
            "within its 20,000 steps?",
            "regime",
            "It ends at κ = {kappa}, ν = {nu}.",
            {"lam": 0.5},
            ("yes, and sooner", "no, κ is still on its way"),
            values=("recovered the teacher", "on the plateau"),
        ),
    )
    why = Why(
        "ν climbs wherever k sees a little, while κ climbs along the slope of an erf, which is "
        "flat far out, and the flatter the larger λ. In the end almost every start on M finds the "
        "pair, up to sign.",
        "Theorem 5",
        "pgd_convergence",
        "paper-thm-5",
    )
    order = ("lam", "alpha", "steps", "kappa0", "nu0")

    lam = Control(0.1, 0.01, 2.0, sign="λ", words="inverse temperature", log=True)
    alpha = Control(4e-3, 4e-4, 4e-2, sign="α", words="step size", log=True, place="more")
    steps = Control(20_000, 1_000, 60_000, words="steps", step=1_000, whole=True, place="more")
    kappa0 = Control(-0.05, -1.0, 1.0, sign="κ", words="at the start", step=0.01, place="more")
    nu0 = Control(0.05, -1.0, 1.0, sign="ν", words="at the start", step=0.01, place="more")

    @classmethod
    def constants(cls):
        return {"locked": LOCKED, "states": MANIFOLD_STATES}

    @classmethod
    def functions(cls):
        return {
            "step": (step, ["kappa", "nu", "lam", "alpha"]),
            "risk": (risk, ["kappa", "nu", "lam"]),
            "ending": (manifold_state, ["kappa", "nu"]),
        }


@with_controls(Puzzle)
def puzzle(**controls) -> Puzzle:
    """The puzzle of the opening page; ``lam``, ``alpha``, ``steps``, ``kappa0``, ``nu0``."""
    return Puzzle(**controls)

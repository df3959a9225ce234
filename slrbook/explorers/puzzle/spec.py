"""The puzzle: can descent find two hidden directions?"""

from slrbook.explorers.of_descent import OnM, risk_on_m, slide
from slrbook.explorers.parts import Control, Step, Why
from slrlib.landscape.states import LOCKED, MANIFOLD_STATES, manifold_state


class Puzzle(OnM):
    """A start in the (kappa, nu) square on M, and the path that descent takes from it."""

    question = "Can gradient descent find two hidden directions?"
    note = (
        "κ = k·k* measures how close k is to the hidden direction k*, and ν = v·v* how close v is "
        "to v*; v·k*, k·v* and k·v are zero. Thin lines show other runs. The teacher (k*, v*) "
        f"counts as recovered, up to sign, once |κ| and |ν| have passed {LOCKED} (dots) and κ and "
        "ν have the same sign."
    )
    asks = (
        Step(
            "Suppose descent starts at κ = 0.4 and ν = 0.05, so k starts closer to k* than v does "
            "to v*. Which of κ and ν passes 0.95 first?",
            ("kappa_past", "nu_past"),
            "κ passes 0.95 at step {kappa_past} and ν at step {nu_past}. The risk is affine in ν, "
            "but flat in κ near κ = 1.",
            {"kappa0": 0.4, "nu0": 0.05},
            ("κ, the overlap of k", "ν, the overlap of v"),
        ),
        Step(
            "Now κ = −0.5, ν = 0.1 and λ = 0.05, so k starts on the wrong side. Where does the "
            "run end?",
            "kappa",
            "The run ends at κ = {kappa}, ν = {nu}, on the same side of the line that divides the "
            "square as its start. The pair at (−1, −1) predicts as well as the one at (1, 1).",
            {"kappa0": -0.5, "nu0": 0.1, "lam": 0.05},
            ("at (−1, −1)", "somewhere between", "at (1, 1)"),
            cuts=(-0.9, 0.9),
        ),
        Step(
            "Now κ = −0.05, ν = 0.05 and λ = 0.5. Does descent recover the teacher within 20,000 "
            "steps?",
            "regime",
            "The run ends at κ = {kappa}, ν = {nu}. As erf is flat for large scores, the "
            "derivative of the risk in κ is small.",
            {"lam": 0.5},
            ("yes", "no, κ is still rising"),
            values=("recovered the teacher", "on the plateau"),
        ),
    )
    why = Why(
        "ν changes as soon as κ is not zero. The derivative of the risk in κ contains that of erf, "
        "which is nearly zero for large scores and smaller still for larger λ. From almost every "
        "start in this square, descent recovers the teacher, up to sign. Next, drag the ring and "
        "look for a start that fails.",
        "Theorem 5",
        "pgd_convergence",
        "paper-thm-5",
    )
    functions = {"step": slide, "risk": risk_on_m, "ending": manifold_state}

    lam = Control(0.1, 0.01, 2.0, sign="λ", words="inverse temperature", log=True)
    kappa0 = Control(-0.05, -1.0, 1.0, sign="κ", words="at the start", step=0.01, place="more")
    nu0 = Control(0.05, -1.0, 1.0, sign="ν", words="at the start", step=0.01, place="more")

    @classmethod
    def constants(cls):
        return {"locked": LOCKED, "states": MANIFOLD_STATES}

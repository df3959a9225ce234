"""The descent: does it recover the teacher off M? Figure 4(a) of the paper, run in the page."""

from slrbook.explorers.of_descent import OfDescent, ending, risk, slide, step
from slrbook.explorers.parts import Control, Step, Why
from slrlib.landscape.states import LARGE, LOCKED, SMALL, STATES


class Descent(OfDescent):
    """Thirty random starts on the spheres, or one start of the reader's, and where they end."""

    called = "the_descent"
    question = "Does descent recover the teacher from random starts?"
    note = (
        f"Recovered: |k·k*|, |v·v*| > {LOCKED}. Swapped: |k·v*| > {LARGE}, |v·v*| < {SMALL}. "
        "The numbers in the right panel are median excess risks. λ at step t is "
        "λ at the start / (1 + decay × t)."
    )
    asks = (
        Step(
            "One run starts at v·v* = 0.3 (1 at the teacher) and k·v* = 0.05 (0 there). Where does "
            "it end?",
            "ends.0",
            "Its excess risk is {groups.0.2}. It ends there because ν is larger than η at the "
            "start.",
            {"seed": 0, "nu0": 0.3, "eta0": 0.05},
            ("at the teacher", "swapped"),
            values=("recovered the teacher", "swapped"),
        ),
        Step(
            "Now ν = 0.02 and η = 0.5 at the start, and λ = 0.1 is constant. Where does the run "
            "end?",
            "ends.0",
            "Its excess risk is {groups.0.2}; the teacher’s is {oracle}. It ends there because "
            "η is larger than ν at the start.",
            {"seed": 0, "nu0": 0.02, "eta0": 0.5, "lam0": 0.1, "decay": 0},
            ("at the teacher", "swapped"),
            values=("recovered the teacher", "swapped"),
        ),
        Step(
            "Now the same start, with λ = 0.05. Which has the lower risk, the end of this run or "
            "the teacher?",
            ("groups.0.2", "oracle"),
            "The excess risk is {groups.0.2} at the end of the run and {oracle} at the teacher, "
            "because λ is below the value at which the two are equal.",
            {"seed": 0, "nu0": 0.02, "eta0": 0.5, "lam0": 0.05, "decay": 0},
            ("the end of the run", "the teacher"),
        ),
    )
    why = Why(
        "There is a second local minimum, with k along v* and v along k*. For small λ it predicts "
        "better than the teacher, so a low risk does not imply that the teacher is recovered. "
        "Next, lower λ at the start and run 30 new starts.",
        "the swapped risk",
        "off_the_manifold",
        "equation-eq-swapped",
    )
    functions = {"step": step, "slide": slide, "risk": risk, "ending": ending}

    lam0 = Control(1.0, 0.02, 2.0, sign="λ", words="at the start", log=True)
    decay = Control(1e-4, 0.0, 1e-3, words="decay of λ", step=1e-5)
    alpha = Control(4e-3, 4e-4, 4e-2, sign="α", words="step size", log=True)
    nu0 = Control(0.03, -1.0, 1.0, sign="ν", words="at your start", step=0.01, place="more")
    eta0 = Control(0.08, -1.0, 1.0, sign="η", words="at your start", step=0.01, place="more")
    kappa0 = Control(0.05, -1.0, 1.0, sign="κ", words="at your start", step=0.01, place="more")
    theta0 = Control(0.05, -1.0, 1.0, sign="θ", words="at your start", step=0.01, place="more")
    steps = Control(120_000, 1_000, 200_000, words="steps", step=1_000, whole=True, place="more")
    seed = Control(1, 0, 999_999, whole=True, place="hidden")  # 0: the reader's own start

    @classmethod
    def constants(cls):
        return {"states": STATES}

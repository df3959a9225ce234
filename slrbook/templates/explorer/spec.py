"""How the excess risk depends on one overlap, along two lines on M."""

from slrbook.explorers.base import Explorer
from slrbook.explorers.parts import Control, Step, Why
from slrlib import Task
from slrlib.risk import manifold_excess_risk


# A function of numbers, translated to JavaScript. Tests call both versions at random arguments in
# the range of the control of the same name.
def risk(kappa, nu, lam):
    """Return the excess risk on M in the paper's setting."""
    return manifold_excess_risk(kappa, nu, lam, Task(d=400, L=10))


class Skeleton(Explorer):
    """The excess risk against kappa and against nu."""

    # The title. The sentence below the picture (``reading`` in view.js) answers it.
    question = "Does the excess risk depend more on κ or on ν?"
    note = "Both panels pass through the same point (κ, ν); d = 400, L = 10."
    # The code shown by the button "as Python"; ``python`` in view.js gives the value of each
    # ``{name}``. A test compares each variable that is also in ``figures`` with its value there.
    python = """\
from slrlib import Task
from slrlib.risk import manifold_excess_risk

task = Task(d=400, L=10)
excess_risk = float(manifold_excess_risk({kappa}, {nu}, {lam}, task))
print("excess risk", excess_risk)
"""
    # Predict first: two to four questions. The correct answer is computed from ``figures``.
    asks = (
        Step(
            "At (κ, ν) = (0.5, 0.5) and λ = 0.1 the excess risk is 0.4. Let λ = 1 instead. "
            "What is it then?",
            "excess_risk",
            "It is {excess_risk}: at a large λ the uninformative tokens get weight too.",
            {"lam": 1.0},
            ("less than 0.4", "between 0.4 and 1", "more than 1"),
            cuts=(0.4, 1.0),
        ),
        Step(
            "Let κ = ν = 1, which is the teacher, at λ = 0.1. What is the excess risk?",
            "excess_risk",
            "It is {excess_risk}: it would be 0 only if all other tokens had weight 0.",
            {"kappa": 1.0, "nu": 1.0},
            ("less than 0.1", "between 0.1 and 0.3", "more than 0.3"),
            cuts=(0.1, 0.3),
        ),
    )
    # The statement that explains the answers: its page, and its label in the address of that page.
    why = Why(
        "On M the excess risk has a closed form in κ and ν. Next, look for its largest value.",
        "the closed form of the risk",
        "gaussian_integrals",
        "equation-eq-risk-manifold",
    )
    functions = {"risk": risk}  # the keys are the names in view.js

    # In the order of the page. The numbers are the value after a reset and the range; with ``log``
    # the slider is logarithmic.
    lam = Control(0.1, 0.01, 2.0, sign="λ", words="inverse temperature", log=True)
    kappa = Control(0.5, -1.0, 1.0, sign="κ", words="= k·k*", step=0.01)
    nu = Control(0.5, -1.0, 1.0, sign="ν", words="= v·v*", step=0.01)

"""How the excess risk depends on one overlap, along two lines on M."""

from slrbook.explorers.base import Explorer
from slrbook.explorers.step import Step, Why
from slrbook.explorers.trait import Control
from slrlib import Task
from slrlib.risk import manifold_excess_risk


# A function of numbers, printed as JavaScript: the page computes what slrlib computes. Tests call
# both at random arguments, which lie in the range of the control of the same name.
def risk(kappa, nu, lam):
    """The excess risk on M in the paper's setting."""
    return manifold_excess_risk(kappa, nu, lam, Task(d=400, L=10))


class Skeleton(Explorer):
    """The excess risk against kappa and against nu."""

    # The title. The sentence below the picture (``reading`` in view.js) answers it.
    question = "Does the excess risk depend more on κ or on ν?"
    note = "Both panels pass through the same point (κ, ν); d = 400, L = 10."
    # What the button "as Python" shows, with ``{name}`` from ``python`` in view.js. Each name that
    # view.js has in ``figures`` too is compared with it.
    python = """\
from slrlib import Task
from slrlib.risk import manifold_excess_risk

task = Task(d=400, L=10)
excess_risk = float(manifold_excess_risk({kappa}, {nu}, {lam}, task))
print("excess risk", excess_risk)
"""
    # Predict first: two to four questions. The right answer is computed from ``figures``.
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
            "It is {excess_risk}: it would be 0 only if each other token had weight 0.",
            {"kappa": 1.0, "nu": 1.0},
            ("less than 0.1", "between 0.1 and 0.3", "more than 0.3"),
            cuts=(0.1, 0.3),
        ),
    )
    # The statement that explains the answers: a page and the label that its address has there.
    why = Why(
        "On M the excess risk is a closed form in κ and ν. Next, look for its largest value.",
        "the closed form of the risk",
        "gaussian_integrals",
        "equation-eq-risk-manifold",
    )
    functions = {"risk": risk}  # by the names that they have in view.js

    # In the order of the page. ``log``: the slider moves through powers of ten. The first number is
    # the value of reset.
    lam = Control(0.1, 0.01, 2.0, sign="λ", words="inverse temperature", log=True)
    kappa = Control(0.5, -1.0, 1.0, sign="κ", words="= k·k*", step=0.01)
    nu = Control(0.5, -1.0, 1.0, sign="ν", words="= v·v*", step=0.01)

"""The map of lam: which pair is better at which lam and d. Figures 4 and 7 in one picture."""

from slrbook.explorers.base import Explorer
from slrbook.explorers.law import oracle
from slrbook.explorers.parts import Control, Step, Why, spread, toggle
from slrlib.landscape import lambda_c, swapped_excess_risk
from slrlib.landscape.swapped import swapped_determinant
from slrlib.task import Task


def swapped(lam, d, L, gamma):
    return swapped_excess_risk(lam, Task(d=d, L=L, gamma=gamma))


def determinant(lam, d, L, gamma):
    """Return a number that is positive where the swapped family is a minimum, below lambda_sw."""
    return swapped_determinant(lam, Task(d=d, L=L, gamma=gamma))


def highest_stable(d, L, gamma):
    """Return lambda_c."""
    return lambda_c(Task(d=d, L=L, gamma=gamma))


class LamMap(Explorer):
    """The regions that divide lam against d, and a schedule of lam that crosses them."""

    called = "the_map_of_lam"
    question = "Is the teacher a better minimum than the swapped pair at this λ?"
    note = (
        "In the swapped pair k and v exchange roles, so k is close to v*. At step t, λ is "
        "λ₀ / (1 + decay × t). For λ ≤ λ_c the teacher is a local minimum; above λ_c it is not, up "
        "to an exponentially small gap."
    )
    python = """\
from slrlib import Task, landscape, risk

lam, task = {lam0} / (1 + {decay} * {t}), Task(d={d}, L={L}, gamma={gamma})
c, sw, best = landscape.lambda_c(task), landscape.lambda_sw(task), landscape.best_lam(task)[0]
oracle, swapped = risk.oracle_excess_risk(lam, task), landscape.swapped_excess_risk(lam, task)
print("lam", lam, "lambda_c", c, "lambda_sw", sw, "risk at the pair", oracle, "swapped", swapped)
"""
    asks = (
        Step(
            "At the end of the schedule, step 120,000, which pair has the lower risk?",
            ("oracle", "swapped"),
            "At λ = {lam} the teacher has {oracle}, the swapped pair {swapped}, because erf "
            "attention at the teacher gives the informative token too little weight at this λ.",
            {"t": 120_000},
            ("the teacher", "the swapped pair"),
        ),
        Step(
            "At the first step λ = 1. Let d = 20 instead of 400. Is the teacher a local minimum?",
            ("lam", "c"),
            "At d = 20 the teacher is a local minimum for λ below {c}, because the noise of the "
            "other tokens, which is larger in low dimensions, penalizes a tilted pair.",
            {"d": 20},
            ("yes", "no"),
        ),
        Step(
            "Increase d from 400 to 100,000. What happens to the λ that gives the teacher its "
            "lowest risk?",
            "best",
            "The best λ decreases almost like 1/√d, because the score of the informative token is "
            "about √(d/2).",
            {"d": 100_000},
            ("it shrinks to 0.0003", "it shrinks to 0.008", "it stays at 0.06"),
            cuts=(0.0015, 0.02),
        ),
    )
    why = Why(
        "A large λ makes the teacher unstable, and a small λ makes the swapped pair better. The "
        "best λ for the teacher is near the lower end of the middle region or below. Next, show "
        "the line of the lowest risk and move d.",
        "the largest stable λ",
        "lambda_must_fall",
        "equation-eq-lambda-c",
    )
    functions = {
        "oracle": oracle,
        "swapped": swapped,
        "determinant": determinant,
        "highestStable": highest_stable,
    }

    lam0 = Control(1.0, 0.01, 4.0, sign="λ₀", words="at the start", log=True)
    d = Control(400, 20, 1e6, sign="d", words="dimension", log=True, whole=True)
    L = Control(10, 2, 20, sign="L", words="tokens", whole=True, place="more")
    gamma = spread()
    t = Control(0, 0, 120_000, sign="t", words="step", step=200, whole=True)
    decay = Control(1e-4, 0.0, 1e-3, words="decay of λ", step=1e-5, place="more")
    also = toggle("also show the best λ of the teacher")
    playing = Control(0, 0, 1, whole=True, place="hidden")

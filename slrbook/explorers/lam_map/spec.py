"""The map of lam: which lam does what, at which d? Figures 4 and 7 in one picture."""

import jax.numpy as jnp

from slrbook.explorers.base import Explorer
from slrbook.explorers.law import oracle
from slrbook.explorers.step import Step, Why
from slrbook.explorers.trait import Control, menu, spread
from slrlib.landscape import lambda_c, local_slopes, swapped_excess_risk
from slrlib.landscape.swapped import free_theta, minimiser_entries, swapped_determinant
from slrlib.task import Task


def swapped(lam, d, L, gamma):
    return swapped_excess_risk(lam, Task(d=d, L=L, gamma=gamma))


def determinant(lam, d, L, gamma):
    """Positive while the swapped family is a minimum, which ends at lambda_sw."""
    return swapped_determinant(lam, Task(d=d, L=L, gamma=gamma))


def theta(lam, d, gamma):
    """The theta of the swapped family, not clipped."""
    return free_theta(lam, Task(d=d, L=2.0, gamma=gamma))


def highest_stable(d, L, gamma):
    """lambda_c."""
    return lambda_c(Task(d=d, L=L, gamma=gamma))


def sharpness(lam, d, L, gamma):
    """The largest curvature across M at (k*, v*), over d."""
    a, b, c = minimiser_entries(lam, Task(d=d, L=L, gamma=gamma))
    return ((a + c) / 2 + jnp.hypot((a - c) / 2, b)) / d


def slope(lam, d, gamma):
    """The slope of the risk in kappa at kappa = nu = 1."""
    return local_slopes(lam, Task(d=d, L=2.0, gamma=gamma))[0]


# One more line on the map, or none.
ALSO = (
    *("nothing more", "the lowest risk of the teacher", "where swapped is a minimum"),
    *("the plateau", "the edge of stability", "swapped is exactly (v*, k*)"),
)


class LamMap(Explorer):
    """The regions that divide lam against d, and a schedule of lam that crosses them."""

    called = "the_map_of_lam"
    question = "Is the teacher a better minimum than the swapped pair at this λ?"
    note = (
        "In the swapped pair k and v exchange roles, so k is close to v*. At step t, λ is "
        "λ₀ / (1 + decay × t). Below λ_c the teacher is a local minimum (exponentially small terms "
        "are omitted). “Also show” adds another line and explains it."
    )
    python = """\
import jax
jax.config.update("jax_enable_x64", True)
from slrlib import Task, landscape, risk

lam, task = {lam0} / (1 + {decay} * {t}), Task(d={d}, L={L}, gamma={gamma})
c, sw, clip = landscape.lambda_c(task), landscape.lambda_sw(task), landscape.lambda_clip(task)
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
    order = ("lam0", "t", "d", "also", "L", "gamma", "decay", "alpha", "playing")

    lam0 = Control(1.0, 0.01, 4.0, sign="λ₀", words="at the start", log=True)
    d = Control(400, 20, 1e6, sign="d", words="dimension", log=True, whole=True)
    L = Control(10, 2, 20, sign="L", words="tokens", whole=True, place="more")
    gamma = spread()
    t = Control(0, 0, 120_000, sign="t", words="step", step=200, whole=True)
    decay = Control(1e-4, 0.0, 1e-3, words="decay of λ", step=1e-5, place="more")
    alpha = Control(
        4e-3, 4e-6, 4e-2, sign="α", words="step size, for α·h = 2", log=True, place="more"
    )
    also = menu("also show", ALSO)
    playing = Control(0, 0, 1, whole=True, place="hidden")

    @classmethod
    def functions(cls):
        four = ["lam", "d", "L", "gamma"]
        three = ["lam", "d", "gamma"]
        return {
            "oracle": (oracle, four),
            "swapped": (swapped, four),
            "determinant": (determinant, four),
            "theta": (theta, three),
            "highestStable": (highest_stable, four[1:]),
            "sharpness": (sharpness, four),
            "slope": (slope, three),
        }

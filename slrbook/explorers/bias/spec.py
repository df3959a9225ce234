"""A bias: what weights with a threshold read, their risk, and whether descent finds the pair."""

import jax
from jax.scipy.special import erf

from slrbook.explorers.base import Explorer
from slrbook.explorers.listed import with_controls
from slrbook.explorers.step import Step, Why
from slrbook.explorers.trait import Control
from slrlib.dynamics.steps import sphere_coordinate
from slrlib.landscape.states import LOCKED
from slrlib.overlaps import Overlaps
from slrlib.risk import (
    activation_excess_risk,
    erf_floor,
    oracle_excess_risk,
    threshold_excess_risk,
)
from slrlib.task import Task

POINTS = 73  # of the moments; up to lam = 2 they are good to 1e-11
WEIGHTS = {"erf": erf, "logistic": jax.nn.sigmoid}


def weight(activation):
    """The weight of a token of this score."""

    def weighed(score, lam, tau):
        return activation(lam * (score - tau))

    return weighed


def risk(name):
    """The excess risk on M of weights activation(lam (s - tau)): their bias is lam tau."""
    activation = WEIGHTS[name]

    def excess(kappa, nu, lam, tau, d, L, gamma):
        o, task = Overlaps(kappa, nu, 0.0, 0.0, 0.0), Task(d=d, L=L, gamma=gamma, noise=0.0)
        return activation_excess_risk(activation, o, lam, task, lam * tau, POINTS)

    return excess


def step(name):
    """One step of projected gradient descent on M."""
    slopes = jax.grad(risk(name), (0, 1))

    def moved(kappa, nu, lam, tau, d, L, gamma, alpha):
        of_kappa, of_nu = slopes(kappa, nu, lam, tau, d, L, gamma)
        return sphere_coordinate(kappa, of_kappa, alpha), sphere_coordinate(nu, of_nu, alpha)

    return moved


def unbiased(lam, d, L, gamma):
    """The excess risk of the oracle pair under erf without a bias."""
    return oracle_excess_risk(lam, Task(d=d, L=L, gamma=gamma))


def floor(d, L, gamma):
    """What no erf attention without a bias can reach."""
    return erf_floor(Task(d=d, L=L, gamma=gamma))


def steepest(tau, d, L, gamma):
    """The excess risk of a threshold at tau, the limit of logistic weights for large lam."""
    return threshold_excess_risk(tau, Task(d=d, L=L, gamma=gamma))


class Bias(Explorer):
    """The weight of a token against its score, the risk against the threshold, and descent on M."""

    question = "Does a bias lower the risk of attention?"
    note = (
        "A token with score s = X·k has weight σ(λ(s − τ)), so the bias is λτ. Left: the weight "
        "over the distributions of the scores; dashed: τ. Right: the exact excess risk at the "
        "teacher; best erf and erf floor are without a bias."
    )
    python = """\
import jax
jax.config.update("jax_enable_x64", True)
from slrlib import Overlaps, Task, risk
from slrlib.dynamics.steps import sphere_coordinate
from slrlib.landscape import best_lam

task, lam, tau = Task(d={d}, L={L}, gamma={gamma}), {lam}, {tau}

def on_m(pair):  # the excess risk on M; the bias is lam tau
    o = Overlaps(*pair, 0.0, 0.0, 0.0)
    return risk.activation_excess_risk({activation}, o, lam, task, lam * tau)

def step(_, pair):  # of projected gradient descent on M
    return tuple(map(sphere_coordinate, pair, jax.grad(on_m)(pair), ({alpha}, {alpha})))

excess_risk, best_erf, floor = on_m((1.0, 1.0)), best_lam(task)[1], risk.erf_floor(task)
at_threshold = risk.threshold_excess_risk(tau, task)
kappa, nu = jax.lax.fori_loop(0, {steps}, step, ({kappa0}, {nu0}))
print("risk", excess_risk, "best erf", best_erf, "floor", floor, "descent ends at", kappa, nu)
"""
    asks = (
        Step(
            "Keep erf and λ = 0.1, and move the threshold from 0 to 7, halfway to the score of the "
            "informative token. Which has the lower risk at the teacher?",
            ("excess_risk", "without"),
            "The excess risk is {excess_risk} with the threshold and {without} without it, because "
            "every other token now has a weight near −0.7.",
            {"tau": 7},
            ("erf with the threshold", "erf without it"),
        ),
        Step(
            "Now take logistic weights with λ = 0.5 and threshold 7. Which is lower: their risk at "
            "the teacher, or the floor of erf attention without a bias?",
            ("excess_risk", "floor"),
            "Their excess risk is {excess_risk}, the floor of erf is {floor}, because the weight "
            "of the other tokens is nearly zero.",
            {"shape": 1, "lam": 0.5, "tau": 7},
            ("the risk of the logistic weights", "the floor of erf"),
        ),
        Step(
            "With λ = 2 the risk at the teacher is far lower. Descent starts at κ = ν = 0.1. Does "
            "it find the teacher within 20,000 steps?",
            "regime",
            "It ends at κ = {kappa}, ν = {nu}. Near the start almost every token has weight zero, "
            "so the gradient is almost zero.",
            {"shape": 1, "lam": 2, "tau": 8.2},
            ("yes", "no"),
            values=("recovered the teacher", "undecided"),
        ),
    )
    why = Why(
        "Erf without a bias gives a token of score zero the weight zero, so it is nearly linear "
        "there and admits the noise of all other tokens. A weight that is zero below a threshold "
        "does not, and its risk is exponentially small in d. Next, move τ and watch the point on "
        "the right.",
        "the risk of a threshold",
        "what_attention_reaches",
        "equation-eq-risk-threshold",
    )
    order = (
        *("shape", "lam", "tau", "d"),
        *("L", "gamma", "alpha", "steps", "kappa0", "nu0"),
    )

    shape = Control(0, 0, 1, words="weights", whole=True, kind="select", options=tuple(WEIGHTS))
    lam = Control(0.1, 0.02, 2.0, sign="λ", words="steepness", log=True)
    tau = Control(0.0, -2.0, 20.0, sign="τ", words="threshold", step=0.1)
    d = Control(400, 20, 800, sign="d", words="dimension", log=True, whole=True)
    L = Control(10, 2, 20, sign="L", words="tokens", whole=True, place="more")
    gamma = Control(
        0.5**0.5, 0.5, 1.5, sign="γ", words="spread of the informative token", step=0.02,
        place="more",
    )  # fmt: skip
    alpha = Control(4e-3, 4e-4, 4e-2, sign="α", words="step size", log=True, place="more")
    steps = Control(20_000, 1_000, 60_000, words="steps", step=1_000, whole=True, place="more")
    kappa0 = Control(0.1, -1.0, 1.0, sign="κ", words="at the start", step=0.01, place="more")
    nu0 = Control(0.1, -1.0, 1.0, sign="ν", words="at the start", step=0.01, place="more")

    @classmethod
    def constants(cls):
        return {"locked": LOCKED}

    @classmethod
    def functions(cls):
        three = ["d", "L", "gamma"]
        place = ["kappa", "nu", "lam", "tau", *three]
        named = {}
        for name, activation in WEIGHTS.items():
            named[f"{name}Weight"] = weight(activation), ["score", "lam", "tau"]
            named[f"{name}Risk"] = risk(name), place
            named[f"{name}Step"] = step(name), [*place, "alpha"]
        return named | {
            "unbiased": (unbiased, ["lam", *three]),
            "floor": (floor, three),
            "steepest": (steepest, ["tau", *three]),
        }


@with_controls(Bias)
def the_bias(**controls) -> Bias:
    """Weights with a threshold; ``shape``, ``lam``, ``tau``, ``d``, and a descent on M."""
    return Bias(**controls)

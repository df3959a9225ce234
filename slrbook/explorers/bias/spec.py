"""A bias: weights with a threshold, and their risk."""

import jax
from jax.scipy.special import erf

from slrbook.explorers.base import Explorer
from slrbook.explorers.law import oracle
from slrbook.explorers.parts import Control, Step, Why, menu, spread
from slrlib.overlaps import ORACLE
from slrlib.risk import activation_excess_risk, erf_floor, threshold_excess_risk
from slrlib.task import Task

POINTS = 73  # nodes for the moments; accurate to 1e-11 up to lam = 2
WEIGHTS = {"erf": erf, "logistic": jax.nn.sigmoid}


def weight(activation):
    """Return the function that gives the weight of a token with a given score."""

    def weighed(score, lam, tau):
        return activation(lam * (score - tau))

    return weighed


def risk(activation):
    """Return the teacher's excess risk, as a function, for weights activation(lam (s - tau))."""

    def excess(lam, tau, d, L, gamma):
        task = Task(d=d, L=L, gamma=gamma, noise=0.0)
        return activation_excess_risk(activation, ORACLE, lam, task, lam * tau, POINTS)

    return excess


def floor(d, L, gamma):
    """Return a lower bound on the excess risk of erf attention without a bias."""
    return erf_floor(Task(d=d, L=L, gamma=gamma))


def steepest(tau, d, L, gamma):
    """Return the excess risk of a threshold at tau, the limit of logistic weights for large lam."""
    return threshold_excess_risk(tau, Task(d=d, L=L, gamma=gamma))


class Bias(Explorer):
    """The weight of a token against its score, and the risk against the threshold."""

    called = "the_bias"
    question = "Does a threshold on the scores lower the risk?"
    note = (
        "A token with score s = X·k has weight σ(λ(s − τ)), where τ is the threshold and σ is the "
        "function selected under “weights”. Left: the weight and the distributions of the scores "
        "(dashed line: τ). Right: the exact excess risk at the teacher. The dashed lines are for "
        "erf with τ = 0: its risk at the teacher with its best λ, and a lower bound for all pairs "
        "(k, v) and all λ."
    )
    python = """\
from slrlib import Task, risk
from slrlib.landscape import best_lam
from slrlib.overlaps import ORACLE

task, lam, tau = Task(d={d}, L={L}, gamma={gamma}), {lam}, {tau}
excess_risk = risk.activation_excess_risk({activation}, ORACLE, lam, task, lam * tau)
best_erf, floor = best_lam(task)[1], risk.erf_floor(task)
at_threshold = risk.threshold_excess_risk(tau, task)
print("risk", excess_risk, "best erf", best_erf, "floor", floor, "step function", at_threshold)
"""
    asks = (
        Step(
            "Keep erf and λ = 0.1, and move the threshold from 0 to 7, halfway to the score of the "
            "informative token. Is the risk at the teacher lower with this threshold or without?",
            ("excess_risk", "without"),
            "The excess risk is {excess_risk} with the threshold and {without} without it. With "
            "the threshold, every other token has a weight near −0.7.",
            {"tau": 7},
            ("with the threshold", "without it"),
        ),
        Step(
            "Now take logistic weights with λ = 0.5 and threshold 7. Which is lower: their risk at "
            "the teacher, or the lower bound for erf attention with τ = 0?",
            ("excess_risk", "floor"),
            "Their excess risk is {excess_risk} and the bound is {floor}. The other tokens have "
            "weights near zero, so they add little noise.",
            {"shape": 1, "lam": 0.5, "tau": 7},
            ("the risk of the logistic weights", "the lower bound for erf"),
        ),
    )
    why = Why(
        "Erf with τ = 0 is nearly linear near score zero, so it admits the noise of all other "
        "tokens. A weight that is zero below a threshold does not, and its risk is exponentially "
        "small in d. Next, move τ and watch the point on the right.",
        "the risk of a threshold",
        "what_attention_reaches",
        "equation-eq-risk-threshold",
    )
    functions = {
        **{f"{name}Weight": weight(activation) for name, activation in WEIGHTS.items()},
        **{f"{name}Risk": risk(activation) for name, activation in WEIGHTS.items()},
        "unbiased": oracle,
        "floor": floor,
        "steepest": steepest,
    }

    shape = menu("weights", WEIGHTS)
    lam = Control(0.1, 0.02, 2.0, sign="λ", words="inverse temperature", log=True)
    tau = Control(0.0, -2.0, 20.0, sign="τ", words="threshold", step=0.1)
    d = Control(400, 20, 800, sign="d", words="dimension", log=True, whole=True, place="more")
    L = Control(10, 2, 20, sign="L", words="tokens", whole=True, place="more")
    gamma = spread()

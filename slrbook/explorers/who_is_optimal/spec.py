"""Who is optimal: which predictor has the lowest risk at which lam, d and L?"""

from slrbook.explorers.base import Explorer
from slrbook.explorers.law import oracle
from slrbook.explorers.parts import Control, Step, Why, spread, toggle
from slrbook.explorers.who_is_optimal import table
from slrlib.risk import best_linear_attention, linear_attention_excess_risk
from slrlib.risk.activations import softmax_integrand, softmax_range
from slrlib.risk.bayes import log_overlap
from slrlib.task import Task

NODES = 41  # of the softmax integrand: fewer than in Python, accurate to 2%


def linear_attention(lam, d, L, gamma):
    return linear_attention_excess_risk(lam, Task(d=d, L=L, gamma=gamma))


def linear_attention_best(d, L, gamma):
    return best_linear_attention(Task(d=d, L=L, gamma=gamma))


def softmax_ends(lam, d, gamma):
    return softmax_range(lam, Task(d=d, L=2.0, gamma=gamma))


def softmax_part(u, lam, d, L, gamma):
    return softmax_integrand(u, lam, Task(d=d, L=L, gamma=gamma), NODES)


def overlap(d, gamma):
    return log_overlap(Task(d=d, L=2.0, gamma=gamma))


class WhoIsOptimal(Explorer):
    """Excess risk against lam for erf and linear attention and Bayes, at any d, L and gamma."""

    question = "Which has the lower risk, erf or linear attention?"
    note = (
        "Each attention predictor uses the teacher (k*, v*). All risks are exact except that of "
        "softmax (within 2%) and that of Bayes (an exact exponential times a factor estimated by "
        f"importance sampling; standard error at most {table.stored()['error']:.0%} for d up to "
        f"{max(table.DIMENSIONS):,})."
    )
    python = """\
from slrlib import Task, landscape, risk

lam, task = {lam}, Task(d={d}, L={L}, gamma={gamma})
erf, (best_lam, best_erf) = risk.oracle_excess_risk(lam, task), landscape.best_lam(task)
linear_attention = risk.linear_attention_excess_risk(lam, task)
best_linear_attention = risk.best_linear_attention(task)[1]
print("erf", erf, best_erf, "linear attention", linear_attention, best_linear_attention)
"""
    asks = (
        Step(
            "Let d = 100 and L = 20. Which has the lower risk, erf or linear attention, with each "
            "at its best λ?",
            ("best_erf", "best_linear_attention"),
            "The excess risk is {best_erf} for erf attention and {best_linear_attention} for "
            "linear attention. For linear attention λ is a free output scale; erf attention has "
            "none.",
            {"d": 100, "L": 20},
            ("erf attention", "linear attention"),
        ),
        Step(
            "Now d = 400 and L = 10, but the informative token has spread γ = 2.5. Which of the "
            "two has the lower risk, with each at its best λ?",
            ("best_erf", "best_linear_attention"),
            "The excess risk is {best_erf} for erf attention and {best_linear_attention} for "
            "linear attention. A large γ makes the score vary more, and a linear weight varies "
            "with it.",
            {"gamma": 2.5},
            ("erf attention", "linear attention"),
        ),
        Step(
            "Now γ² = 0.5 again. Always predicting 0 gives excess risk 0.5. How large is the "
            "excess risk of erf attention at λ = 1 instead of 0.1?",
            "erf",
            "It is {erf}; always predicting 0 gives {null}. The other tokens add too much noise at "
            "this λ.",
            {"lam": 1.0},
            ("less than 0.1", "between 0.1 and 0.5", "more than 0.5"),
            cuts=(0.1, 0.5),
        ),
    )
    why = Why(
        "A small λ gives the informative token too little weight, and a large λ admits noise from "
        "all others; the best λ balances the two effects. The excess risk then decreases like "
        "log(d/L)·L/d. It tends to zero, but at a given d another predictor may be "
        "better. Next, show softmax under More and increase λ.",
        "Corollary 2",
        "bayes_optimality",
        "paper-cor-2",
    )
    functions = {
        "oracle": oracle,
        "linearAttention": linear_attention,
        "linearAttentionBest": linear_attention_best,
        "softmaxEnds": softmax_ends,
        "softmaxPart": softmax_part,
        "logOverlap": overlap,
    }

    lam = Control(0.1, 0.001, 2.0, sign="λ", words="inverse temperature", log=True)
    d = Control(400, 10, 1e6, sign="d", words="dimension", log=True, whole=True)
    L = Control(10, 2, 20, sign="L", words="tokens", whole=True)
    gamma = spread(high=2.5)
    show_softmax = toggle("softmax attention", place="more")

    @classmethod
    def constants(cls):
        return table.stored()

"""Where does it look: how lam changes the weights and the predictions of two predictors."""

from slrbook.explorers.base import Explorer
from slrbook.explorers.law import erf_weight, tilt, token
from slrbook.explorers.parts import Control, Step, Why, seed, spread

NOISE = 0.1


class Where(Explorer):
    """One sequence, the weights that two predictors give to its tokens, and their predictions."""

    called = "where_does_it_look"
    question = "How does λ change the attention weights?"
    note = (
        "The predictors use the teacher (k*, v*) and differ only in how they turn the scores X·k* "
        "into weights. Softmax weights sum to one; erf weights need not. Green: the informative "
        "token."
    )
    python = """\
import numpy as np
from slrlib import predictors as p

lam = {lam}
scores = np.array({scores})
values = np.array({reads})
softmax, erf = (f(scores, lam) @ values for f in (p.softmax_weights, p.erf_weights))
print("softmax", softmax, "erf", erf)
"""
    asks = (
        Step(
            "Lower λ from 0.1 to 0.02. Which predictor then gives the informative token the "
            "smaller weight, erf or softmax?",
            ("weight_erf", "weight_softmax"),
            "Erf gives it the weight {weight_erf}, softmax {weight_softmax}, because softmax "
            "weights sum to one however small the scores are.",
            {"lam": 0.02},
            ("erf", "softmax"),
        ),
        Step(
            "Keep λ = 0.1 and increase d from 400 to 100,000. What weight does softmax give the "
            "informative token?",
            "weight_softmax",
            "The weight is {weight_softmax}, because the score grows like √d.",
            {"d": 100_000},
            ("below 0.5", "between 0.5 and 0.95", "above 0.95"),
            cuts=(0.5, 0.95),
        ),
    )
    why = Why(
        "A weight depends on λ times the score, and the score of the informative token is about "
        "√(d/2), so a larger λ and a larger d both increase its weight. Softmax normalizes the "
        "weights; erf does not, so it admits noise from the other tokens, which grows with λ. "
        "Next, move λ until both predict the label well.",
        "the noise of erf attention",
        "predictor",
        "noise-sum",
    )
    functions = {"token": token, "tilt": tilt, "erfWeight": erf_weight}

    lam = Control(0.1, 0.01, 2.0, sign="λ", words="inverse temperature", log=True)
    d = Control(400, 10, 1e6, sign="d", words="dimension", log=True, whole=True)
    L = Control(10, 2, 20, sign="L", words="tokens", whole=True)
    gamma = spread()
    seed = seed(22)

    @classmethod
    def constants(cls):
        return {"noise": NOISE}

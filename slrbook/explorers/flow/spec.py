"""The flow of data: one sequence from its tokens through scores and weights to the output."""

import jax.numpy as jnp

from slrbook.explorers.base import Explorer
from slrbook.explorers.law import erf_weight, tilt, token
from slrbook.explorers.parts import Control, Step, Why, menu, seed

D, L, GAMMA, NOISE = 400.0, 10, 0.5**0.5, 0.1  # Figure 4 of the paper
RULES = ("erf", "softmax")


def turned(along, across, overlap):
    """Return a token's component along a unit vector that has this ``overlap`` with a direction.

    ``along`` is the component of the token along that direction, ``across`` that along the rest of
    the unit vector.
    """
    return overlap * along + jnp.sqrt(jnp.maximum(0.0, 1.0 - overlap**2)) * across


class Flow(Explorer):
    """The tokens of one sequence, their scores, weights and values, and the weighted sum."""

    called = "the_flow"
    question = "Which token gets the largest weight, and what is the output?"
    note = (
        "κ = k·k* and ν = v·v*; the other inner products of k, v, k* and v* are zero. The ringed "
        "green token is informative. The width of a line shows the weight of the token. Here "
        "d = 400, L = 10 and γ² = 1/2."
    )
    python = """\
import numpy as np
from slrlib import predictors

scores = np.array({scores})  # X k of each token
values = np.array({reads})  # X v
weights = np.asarray(predictors.{weighs}_weights(scores, {lam}))
output = weights @ values
second, first = np.sort(abs(weights))[-2:]
ratio, error = first / second, abs(output - {label})
print("weights", weights.round(2), "output", output, "error", error)
"""
    asks = (
        Step(
            "Turn k until it is orthogonal to k* (κ = 0). Does one token still have more than "
            "twice the weight of any other?",
            "ratio",
            "The largest weight is {ratio} times the second largest: no token stands out along k.",
            {"kappa": 0},
            ("no", "yes"),
            cuts=(2,),
        ),
        Step(
            "Now κ = 1, but v is orthogonal to v* (ν = 0). Is the output within 0.3 of the label?",
            "error",
            "The error is {error}. The predictor selects the right token, but outputs its "
            "component along a direction other than v*.",
            {"nu": 0},
            ("yes", "no"),
            cuts=(0.3,),
        ),
    )
    why = Why(
        "The weights depend only on the scores X·k, so k determines which token is selected. The "
        "output is a weighted sum of the values X·v, so v determines which component is output.",
        "the definition of the predictor",
        "predictor",
        "equation-eq-erf",
    )
    scripts = ("flow.js", "view.js")
    functions = {"token": token, "turned": turned, "tilt": tilt, "erfWeight": erf_weight}

    lam = Control(0.1, 0.01, 2.0, sign="λ", words="inverse temperature", log=True)
    kappa = Control(1.0, -1.0, 1.0, sign="κ", words="alignment of k with k*", step=0.01)
    nu = Control(1.0, -1.0, 1.0, sign="ν", words="alignment of v with v*", step=0.01)
    rule = menu("weights", RULES, place="more")
    seed = seed(3601)

    @classmethod
    def constants(cls):
        return {"d": D, "L": L, "gamma": GAMMA, "noise": NOISE, "rules": RULES}

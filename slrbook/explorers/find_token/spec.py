"""Find the token: which one is informative?"""

import functools

from slrbook.explorers.base import Explorer
from slrbook.explorers.law import token
from slrbook.explorers.parts import Control, Step, Why, spread
from slrlib.risk.reference import norm_only_hit_rate
from slrlib.task import Task

D, L, ROUNDS = 400.0, 10, 10
PAPER_GAMMA = 0.5**0.5


@functools.cache
def ceilings() -> dict:
    """Return the hit rate of the best rule that uses only lengths, at each value of the slider."""
    gammas = sorted([PAPER_GAMMA, *(0.5 + 0.02 * i for i in range(51))])
    rates = [norm_only_hit_rate(Task(d=D, L=L, gamma=gamma)) for gamma in gammas]
    return {
        "gammas": [round(gamma, 6) for gamma in gammas],
        "rates": [round(rate, 4) for rate in rates],
    }


class FindToken(Explorer):
    """Ten tokens shown by their length, then along k*; the reader says which is informative."""

    question = "Can you tell which token is informative?"
    note = (
        "In each sequence, one of the L = 10 tokens is informative: its mean points along the "
        "hidden direction k*, and its component along a second one, v*, is the label, up to noise. "
        "The bars start at √d, the typical length of the other tokens. Here d = 400."
    )
    python = """\
import numpy as np
from slrlib import Task
from slrlib.risk import norm_only_hit_rate

tokens = {tokens}
scores, values, lengths = np.array(tokens).T  # X k*, X v* and |X| of each token
ceiling = norm_only_hit_rate(Task(d=400, L=10, gamma={gamma}))
print("longest", lengths.argmax() + 1, "largest X k*", scores.argmax() + 1, "ceiling", ceiling)
"""
    asks = (
        Step(
            "Let γ = 1.5 instead of 0.71, so that the informative token is longer than the others "
            "on average. How often does the best rule that uses only lengths find it?",
            "ceiling",
            "The success rate is {ceiling}, because the mean squared lengths now differ. At "
            "γ = 0.71 they are equal, and the rate is barely above chance, which is {chance}.",
            {"gamma": 1.5},
            ("less than 50% of the time", "between 50% and 90%", "more than 90% of the time"),
            cuts=(0.5, 0.9),
        ),
        Step(
            "Choose a token by its length, then by its component along k*. Which token is "
            "informative?",
            "answer",
            "By length you chose token {guess}. Along k* the informative token stands out, because "
            "its mean is √(d/2) k*.",
            {"seed": 3},
            click="look",
        ),
    )
    why = Why(
        "At γ² = 1/2 both kinds of token have the same mean squared length. Along k* the "
        "informative token is √(d/2) away from the others on average. Next, play "
        "ten rounds. The explorer then compares your score with that of the best rules.",
        "the formula for the mean squared lengths",
        "task",
        "equation-eq-norms",
    )
    functions = {"token": token}

    gamma = spread(PAPER_GAMMA, place="view")
    seed = Control(0, 0, 9999, words="seed of the game", whole=True, kind="number", place="more")
    round = Control(1, 1, ROUNDS, words="round", whole=True, place="more")
    guess = Control(0, 0, L, whole=True, place="hidden")  # by length; 0: none yet
    look = Control(0, 0, L, whole=True, place="hidden")  # along k*

    @classmethod
    def constants(cls):
        return {"d": D, "L": L, "rounds": ROUNDS, "ceiling": ceilings()}

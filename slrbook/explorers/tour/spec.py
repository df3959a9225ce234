"""The tour: the book in six scenes of twenty seconds, drawn by the functions of the book."""

import jax

from slrbook.explorers import of_descent
from slrbook.explorers.base import Explorer
from slrbook.explorers.flow.spec import Flow
from slrbook.explorers.parts import Control, Step, Why
from slrbook.explorers.read_a_sentence import table
from slrlib.dynamics.steps import Pair, descend_along, overlaps_of_pair
from slrlib.experiments.random_starts import outcome
from slrlib.risk import two_token_softmax_excess_risk
from slrlib.special import mean_erf, mean_erf_prime

LONG = 120  # seconds
SENTENCES = (  # adjective, where
    ("gentle", "at the end"),
    ("cruel", "at the end"),
    ("cruel", "before the animal"),
)
D, GAMMA = 400.0, 0.5**0.5  # Figure 4 of the paper


def slide(kappa, nu, lam, alpha):
    """Return (kappa, nu) after one step of descent on M, at the values of the paper.

    Book: {eq}`eq-pgd` (Definition 1 of the paper).
    """
    return of_descent.slide(kappa, nu, lam, alpha, D, GAMMA)


def mean_weight(kappa, lam):
    """Return the mean weight of the informative token under erf attention.

    Book: {eq}`eq-mean-erf` (Lemma 16 of the paper).
    """
    return mean_erf(lam * (D / 2) ** 0.5 * kappa, lam * GAMMA)


def steepness(kappa, lam):
    """Return the derivative of the mean weight in kappa."""
    scale = lam * (D / 2) ** 0.5
    return scale * mean_erf_prime(scale * kappa, lam * GAMMA)


def erf_step(kappa, eta, a, theta, nu, b, c, lam, alpha):
    """Return the frame after one step of descent off M, with erf attention over two tokens.

    Book: {eq}`eq-pgd` (Definition 1 of the paper).
    """
    return of_descent.step(kappa, eta, a, theta, nu, b, c, lam, alpha, D, 2.0, GAMMA)


def softmax_step(kappa, eta, a, theta, nu, b, c, lam, alpha):
    """Return the frame after the same step with softmax attention over two tokens.

    Book: {eq}`eq-open-softmax`.
    """
    pair = Pair(kappa, eta, a, theta, nu, b, c)
    task = of_descent.task_of(D, 2.0, GAMMA)
    slope = jax.grad(two_token_softmax_excess_risk)(overlaps_of_pair(pair), lam, task)
    return tuple(descend_along(pair, slope, alpha))


def ending(kappa, eta, a, theta, nu, b, c):
    """Return the outcome of a run from a random start, as an index into ``OUTCOMES``."""
    return outcome(Pair(kappa, eta, a, theta, nu, b, c))


class Tour(Explorer):
    """Six scenes: a word, tokens, the layer, descent, the theorem, random starts."""

    called = "the_tour"
    question = "Can attention learn to find the one word that matters? A tour in two minutes"
    note = (
        "Scene 1 shows stored scores from layer 5 of the pretrained language model MiniLM. The "
        "others are computed on this page: scenes 2 to 5 at d = 400, L = 10, γ² = 1/2 and λ = 0.1 "
        "(scene 4: λ = 0.2), scene 6 at d = 400, L = 2 and λ = 0.05."
    )
    asks = (
        Step(
            "Replace “gentle” with “cruel”. What happens to the prediction?",
            "output",
            "The prediction is now {output}: the attention weight stays on the decisive word.",
            {"t": 10},
            ("it turns negative", "it stays positive"),
            cuts=(0.0,),
        ),
        Step(
            "At the start, k is a little closer to its target k* than v is to its target v*. Which "
            "of the two directions is learned first?",
            "ahead",
            "At step {step}, κ = k·k* is {kappa} and ν = v·v* is {nu}.",
            {"t": 66},
            ("k", "v"),
            values=("k", "v"),
        ),
        Step(
            "Thirty runs with softmax attention start at random. How many recover (k*, v*), up to "
            "sign?",
            "softmax",
            "All {softmax} do. With erf attention, only {erf} of the same thirty starts do.",
            {"t": 119},
            ("about half", "all"),
            cuts=(25,),
        ),
    )
    why = Why(
        "A small κ already gives the informative token a large weight, so v is learned first. "
        "Then erf is nearly flat, so k is learned slowly. From random starts with erf attention, "
        "k and v can also exchange their roles.",
        "softmax from random starts",
        "random_starts",
        "random-softmax",
    )
    scripts = ("../flow/flow.js", "runs.js", "scenes.js", "view.js")
    functions = Flow.functions | {
        "slide": slide,
        "meanWeight": mean_weight,
        "steepness": steepness,
        "erfStep": erf_step,
        "softmaxStep": softmax_step,
        "ending": ending,
    }

    t = Control(0, 0, LONG, words=f"time (0 to {LONG} s)", step=0.5)
    playing = Control(0, 0, 1, whole=True, place="hidden")

    @classmethod
    def constants(cls):
        found = []
        for adjective, where in SENTENCES:
            words = table.compose(adjective, "The city is grim. His", where, "sheep")
            row = table.sentences().index(words)
            scores, values = (x.tolist() for x in table.unpacked(table.stored(), row))
            found.append(dict(words=words, row=row, word=adjective, scores=scores, values=values))
        return Flow.constants() | {"sentences": found}

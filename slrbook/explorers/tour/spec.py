"""The tour: the book in six scenes of twenty seconds, drawn by the functions of the book."""

import jax
import jax.numpy as jnp

from slrbook.explorers.base import Explorer
from slrbook.explorers.flow.spec import Flow
from slrbook.explorers.listed import with_controls
from slrbook.explorers.read_a_sentence import table
from slrbook.explorers.step import Step, Why
from slrbook.explorers.trait import Control
from slrlib.dynamics import manifold_step, pgd_step
from slrlib.dynamics.steps import Pair, descend_along, overlaps_of_pair
from slrlib.experiments.random_starts import outcome
from slrlib.overlaps import Frame
from slrlib.risk import two_token_softmax_excess_risk
from slrlib.special import mean_erf
from slrlib.task import Task

LONG = 120  # seconds
SENTENCES = (  # adjective, where
    ("gentle", "at the end"),
    ("cruel", "at the end"),
    ("cruel", "before the animal"),
)
PAIR = ["kappa", "eta", "a", "theta", "nu", "b", "c"]


def _task(L):
    return Task(d=400.0, L=L, gamma=0.5**0.5, noise=0.0)


def slide(kappa, nu, lam, alpha):
    """One step of descent on M, at the values of the paper.

    Book: {eq}`eq-pgd` (Definition 1 of the paper).
    """
    return manifold_step(kappa, nu, lam, _task(10.0), alpha)


def mean_weight(kappa, lam):
    """The mean weight of the informative token under erf attention.

    Book: {eq}`eq-mean-erf` (Lemma 16 of the paper).
    """
    task = _task(10.0)
    return mean_erf(lam * task.signal * kappa, lam * task.gamma)


def steepness(kappa, lam):
    """The derivative of the mean weight in kappa."""
    return jax.grad(mean_weight)(kappa, lam)


def erf_step(kappa, eta, a, theta, nu, b, c, lam, alpha):
    """One step of descent off M, with erf attention over two tokens.

    Book: {eq}`eq-pgd` (Definition 1 of the paper).
    """
    frame = Frame(jnp.stack([kappa, eta, a]), jnp.stack([theta, nu, b, c]))
    k, v = pgd_step(frame, lam, _task(2.0), alpha)
    return k[0], k[1], k[2], v[0], v[1], v[2], v[3]


def softmax_step(kappa, eta, a, theta, nu, b, c, lam, alpha):
    """The same step with softmax attention over two tokens.

    Book: {eq}`eq-open-softmax`.
    """
    pair = Pair(kappa, eta, a, theta, nu, b, c)
    slope = jax.grad(two_token_softmax_excess_risk)(overlaps_of_pair(pair), lam, _task(2.0))
    return tuple(descend_along(pair, slope, alpha))


def ending(kappa, eta, a, theta, nu, b, c):
    """Where a run from a random start stands, as an index into ``OUTCOMES``."""
    return outcome(Pair(kappa, eta, a, theta, nu, b, c))


class Tour(Explorer):
    """Six scenes: a word, tokens, the layer, descent, the theorem, random starts."""

    question = "Can attention learn to find the one word that matters? A tour in two minutes"
    note = (
        "All pictures are computed on this page. Scene 1 uses stored scores from layer 5 of the "
        "pretrained MiniLM. Scenes 2 to 5: d = 400, L = 10, γ² = 1/2. Scene 6: d = 400, L = 2."
    )
    python = "{lines}"
    asks = (
        Step(
            "k starts a little closer to its target k* than v to its target v*. Which of the two "
            "directions is learned first?",
            "ahead",
            "At step {step} κ is {kappa} and ν is {nu}.",
            {"t": 66},
            ("k", "v"),
            values=("k", "v"),
        ),
        Step(
            "Thirty runs start at random, with softmax attention. How many recover the teacher?",
            "softmax",
            "All {softmax} of them, but only {erf} of those with erf attention.",
            {"t": 119},
            ("about half", "all"),
            cuts=(25,),
        ),
    )
    why = Why(
        "A small κ already gives the informative token weight, so v learns at once; erf is then "
        "nearly flat, so k learns slowly. From random starts, k and v can also exchange their "
        "roles under erf attention.",
        "softmax from random starts",
        "random_starts",
        "random-softmax",
    )
    scripts = ("../flow/flow.js", "runs.js", "scenes.js", "view.js")
    order = ("t", "playing")

    t = Control(0, 0, LONG, words=f"time, of {LONG} seconds", step=0.5)
    playing = Control(0, 0, 1, whole=True, place="hidden")

    @classmethod
    def functions(cls):
        return Flow.functions() | {
            "slide": (slide, ["kappa", "nu", "lam", "alpha"]),
            "meanWeight": (mean_weight, ["kappa", "lam"]),
            "steepness": (steepness, ["kappa", "lam"]),
            "erfStep": (erf_step, [*PAIR, "lam", "alpha"]),
            "softmaxStep": (softmax_step, [*PAIR, "lam", "alpha"]),
            "ending": (ending, PAIR),
        }

    @classmethod
    def constants(cls):
        found = []
        for adjective, where in SENTENCES:
            words = table.compose(adjective, "The city is grim. His", where, "sheep")
            row = table.sentences().index(words)
            scores, values = (x.tolist() for x in table.unpacked(table.stored(), row))
            found.append(dict(words=words, row=row, word=adjective, scores=scores, values=values))
        return Flow.constants() | {"sentences": found}


@with_controls(Tour)
def the_tour(**controls) -> Tour:
    """The tour of the opening page, at second ``t``; ``playing`` is 1 while it plays."""
    return Tour(**controls)

"""Where the pair looks in a few sentences, and where the heads of attention look in many."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from slrlib import language
from slrlib.experiments.inside import Heads, heads, told_pair
from slrlib.experiments.kinds import Experiment
from slrlib.experiments.language import bert, kept


@dataclass(frozen=True)
class Attending(Experiment):
    """How the heads of all layers attend from [CLS], on ``sentences`` test sentences."""

    task: None = None
    sentences: int = 320


@dataclass(frozen=True)
class Flipping(Experiment):
    """Sentences that differ in their informative word only (Figure 1(a)), read by the pair."""

    task: None = None
    pattern: str = "The city is clean. Her white cat is quite {}."
    words: tuple = ("nice", "nasty")
    layer: int = 5


class Flipped(NamedTuple):
    """Arrays (sentence, token), and (sentence,): place of the word, and what the pair says."""

    pieces: np.ndarray
    weight: np.ndarray
    value: np.ndarray  # X v + bias of each token
    at: np.ndarray
    output: np.ndarray  # the weighted sum of the values


def attend(experiment, folder=None):
    """The ``Heads`` of the model."""
    return kept(experiment, folder, lambda: heads(experiment.sentences), Heads)


def flip(experiment, folder=None):
    """What one changed word does to the pair's output: the paper's Figure 1(a)."""

    def make():
        e = experiment
        texts = [e.pattern.format(word) for word in e.words]
        tokens, (states, mask) = bert().tokens(texts), bert().states(texts)
        pair = told_pair(e.layer)
        seen = language.project(pair, states[e.layer], mask)
        at = tokens.at(np.full(len(texts), e.pattern.index("{}")))
        output = language.pair_predict(pair, states[e.layer], mask)
        return tokens.pieces, language.attend(seen), seen.value, at, output

    return kept(experiment, folder, make, Flipped)

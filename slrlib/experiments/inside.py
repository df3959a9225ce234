"""More of the pair (k, v) inside a pretrained model: its plane, other predictors, the heads."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from slrlib import language
from slrlib.experiments.kinds import Experiment
from slrlib.experiments.model import (
    SETS,
    canonical,
    kept,
    measure,
    stacked,
    told_pair,
)

ROLES = ("none", "other", "distractor", "positive", "negative")
CONTROLS = ("[CLS]", "mean of the tokens", "concatenated tokens", "(k, v)")


@dataclass(frozen=True)
class Plane(Experiment):
    """The tokens of ``sentences`` sentences in the plane of (k, v), fitted with places known."""

    task: None = None
    layers: tuple = (0, 3, 5)
    sentences: int = 320
    chosen: str = "ood_tokens"


@dataclass(frozen=True)
class Controlling(Experiment):
    """Linear predictors on other summaries of the tokens, beside the pair, with the same labels."""

    task: None = None
    layers: tuple = (0, 5)


class Planes(NamedTuple):
    """Arrays (layer, n, T) of X k and X v + bias; ``role`` (n, T) numbers the names in ROLES."""

    score: np.ndarray
    value: np.ndarray
    role: np.ndarray


class Controlled(NamedTuple):
    """Arrays (control, layer, set), controls as in CONTROLS."""

    accuracy: np.ndarray
    auc: np.ndarray


class Heads(NamedTuple):
    """Arrays (layer, head) of the attention of [CLS] on ordinary test sentences."""

    hits: np.ndarray  #        how often the word it attends to most is the informative one
    informative: np.ndarray  # mean weight on the informative token
    distractor: np.ndarray  #  mean weight on the adjective of the first sentence
    special: np.ndarray  #     mean weight on [CLS] and [SEP] together
    chance: float  #           hits of a head that picks a word at random


def plane(experiment, folder=None):
    """Tokens in the plane of (k, v), layer by layer: the paper's Figure 2, measured."""

    def make():
        e = experiment
        sentences, seen = canonical()[e.chosen]
        tokens = np.arange(seen.mask.shape[1])[None]
        role = np.where(seen.mask, 1, 0)
        has = sentences.distractor >= 0
        if has.any():
            far = seen.tokens.at(np.where(has, sentences.distractor, sentences.place))
            role[(tokens == far[:, None]) & has[:, None]] = 2
        role[tokens == seen.at[:, None]] = np.where(seen.labels > 0, 3, 4)
        rows = np.linspace(0, len(role) - 1, e.sentences).astype(int)  # of both patterns
        seen_ones = [
            language.project(told_pair(layer), seen.states[layer][rows], seen.mask[rows])
            for layer in e.layers
        ]
        score = np.stack([one.score for one in seen_ones])
        score = np.where(np.isfinite(score), score, 0)
        return score, np.stack([one.value for one in seen_ones]), role[rows]

    return kept(experiment, folder, make, Planes)


def control(experiment, folder=None):
    """What a linear predictor reaches on [CLS], on the mean and on all tokens one after another."""

    def make():
        sets = {name: seen for name, (_, seen) in canonical().items()}
        train, longest = sets["train"], max(seen.mask.shape[1] for seen in sets.values())
        summaries = (
            lambda states, mask: states[:, 0],
            language.mean_pooled,
            lambda states, mask: language.concatenated(states, mask, longest),
        )
        rows = []
        for summary in summaries:
            rows.append([])
            for layer in experiment.layers:
                seen = {n: summary(each.states[layer], each.mask) for n, each in sets.items()}
                fitted = language.fit_probe(seen["train"], train.labels)
                decisions = {name: language.decide(fitted, x) for name, x in seen.items()}
                rows[-1].append([language.score(decisions[n], sets[n].labels) for n in SETS])
        pairs = [(layer, told_pair(layer)) for layer in experiment.layers]
        rows.append([[measure(p, sets[name], layer)[0] for name in SETS] for layer, p in pairs])
        scores = stacked(rows)
        return scores.accuracy, scores.auc

    return kept(experiment, folder, make, Controlled)


def heads(n=320):
    """Whether a head of attention singles the informative token out, on n of the test sentences."""
    those, seen = canonical()["test"]
    chosen = np.linspace(0, len(seen.at) - 1, n).astype(int)
    attention, mask, at = seen.attention[:, chosen], seen.mask[chosen], seen.at[chosen]
    far = seen.tokens.at(those.distractor)[chosen]
    rows, last = np.arange(n), mask.sum(1) - 1
    words = np.mean(1 / (last - 1))
    on = [np.mean(attention[:, rows, :, each], axis=0) for each in (at, far, 0 * at, last)]
    hits = language.hits_of_heads(attention, at, mask)
    return Heads(hits, on[0], on[1], on[2] + on[3], float(words))

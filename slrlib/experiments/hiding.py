"""Predictors that learned from short texts, in long ones that hide the same sentences."""

from dataclasses import dataclass
from typing import NamedTuple

import jax
import numpy as np

from slrlib import language
from slrlib.experiments.kinds import Experiment
from slrlib.experiments.model import canonical, cls_probe, kept, measure, read, stacked, told_pair


@dataclass(frozen=True)
class Hiding(Experiment):
    """Predictors that learned from short texts, read the same sentences among fillers.

    The pair that learns from labels alone gets ``labels`` of them, drawn with ``seed``.
    """

    task: None = None
    chosen: tuple = ("test", "ood_tokens")
    lengths: tuple = (20, 32, 64, 128, 256, 512)
    sentences: tuple = (96, 96, 96, 96, 48, 32)
    layer: int = 5
    labels: int = 640
    inits: int = 4
    seed: int = 3


class Hidden(NamedTuple):
    """Accuracies and areas (set, length); those of ``learned`` (set, length, init).

    ``decisions`` (set, length, text, 2) are what the probe and the pair that was told the places
    say of each text, zero beyond the last one of a length: of them a few can be read again.
    """

    length: np.ndarray
    n: np.ndarray  #       (length,)
    ends: np.ndarray  #    (init,) found, shortcut or lost, on the sentences that it learned from
    cls: np.ndarray
    cls_auc: np.ndarray
    told: np.ndarray  #    softmax, lam = 1
    told_auc: np.ndarray
    hardest: np.ndarray  # the token of largest score alone
    told_hits: np.ndarray
    learned: np.ndarray
    learned_auc: np.ndarray
    learned_hits: np.ndarray
    decisions: np.ndarray


def hidden(e, name, length):
    """The ``SentenceSet`` of the texts of this length that hide sentences of the set ``name``."""
    key = jax.random.fold_in(jax.random.key(e.chosen.index(name)), length)
    count = e.sentences[e.lengths.index(length)]
    drawn, where = jax.random.split(key)
    those = language.subset(language.sentence_sets()[name], count, key=drawn)
    return language.hide(those, length, key=where)


def heard(layer, seen):
    """(n, 2): what the [CLS] probe and the pair with known places, both fitted at this layer to
    the book's own train set, say of each sentence."""
    states = seen.states[layer]
    pair = language.pair_predict(told_pair(layer), states, seen.mask)
    return np.stack([language.decide(cls_probe(layer), states[:, 0]), pair], axis=1)


def follow(experiment, folder=None):
    """Accuracy against the length of the text that the sentence is hidden in."""

    def make():
        e, (sentences, _) = experiment, canonical()["train"]
        few = read(language.subset(sentences, e.labels, key=jax.random.key(e.seed)))
        own = language.fit_pair_label_only(
            few.states[e.layer], few.mask, few.labels, inits=e.inits, key=jax.random.key(1)
        )
        ends = [language.end_of(measure(pair, few, e.layer)[1]) for pair in own]
        told, rows, longest = told_pair(e.layer), [], max(e.sentences)
        for name in e.chosen:
            for length in e.lengths:
                seen = read(hidden(e, name, length))
                decisions = heard(e.layer, seen)
                cls = language.score(decisions[:, 0], seen.labels)
                soft, hits = measure(told, seen, e.layer)
                hard, _ = measure(told, seen, e.layer, np.inf)
                learned, found = zip(*(measure(pair, seen, e.layer) for pair in own), strict=True)
                learned = stacked(learned)
                rows.append(
                    (
                        *(cls.accuracy, cls.auc, soft.accuracy, soft.auc),
                        *(hard.accuracy, np.mean(hits), learned.accuracy, learned.auc),
                        np.mean(found, axis=1),
                        np.pad(decisions, ((0, longest - len(decisions)), (0, 0))),
                    )
                )
        shape = (len(e.chosen), len(e.lengths))
        table = [np.array(each) for each in zip(*rows, strict=True)]
        return e.lengths, e.sentences, ends, *(x.reshape(shape + x.shape[1:]) for x in table)

    return kept(experiment, folder, make, Hidden)

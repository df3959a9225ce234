"""The sentences inside a pretrained model: the [CLS] probe of Figure 1 and the pair (k, v)."""

from dataclasses import dataclass
from typing import NamedTuple

import jax
import numpy as np

from slrlib import language
from slrlib.experiments.kinds import Experiment
from slrlib.experiments.model import SETS, bert, kept, measure, read, stacked


@dataclass(frozen=True)
class Probing(Experiment):
    """A logistic regression on [CLS] at each layer; ``most`` sentences of a set, or all of them."""

    task: None = None
    most: int | None = None
    penalty: float = 1.0


@dataclass(frozen=True)
class Drawing(Experiment):
    """The [CLS] probe and the pair (k, v) with the same labels, for several draws of the lists.

    The pair is fitted with the places known at all layers, and from the labels alone, from
    ``inits`` random starts, at ``layers``.
    """

    task: None = None
    draws: int = 6
    train: int = 640
    test: int = 320
    layers: tuple = (0, 3, 5)
    inits: int = 4
    seed: int = 0


class Probed(NamedTuple):
    """Arrays (layer, set), layers from 0 on: accuracy with its 95% interval, area under the ROC.

    With ``weight`` and ``bias`` of a layer, applied to the state as it is, the probes can be asked
    once more.
    """

    n: np.ndarray  # (set,)
    accuracy: np.ndarray
    low: np.ndarray
    high: np.ndarray
    auc: np.ndarray
    weight: np.ndarray  # (layer, D)
    bias: np.ndarray  #   (layer,)


class Drawn(NamedTuple):
    """Arrays that begin (draw, layer); the last axis but that of the two labels is the set.

    ``hits`` says how often the informative token has the largest score, for label +1 and -1.
    """

    cls: np.ndarray  #             (draw, layer, set) accuracies of the [CLS] probe
    cls_auc: np.ndarray
    told: np.ndarray  #            (draw, layer, set) of the pair, places known
    told_auc: np.ndarray
    told_hits: np.ndarray  #       (draw, layer, set, 2)
    told_cosine: np.ndarray  #     (draw, layer)
    learned: np.ndarray  #         (draw, chosen layer, init, set) of the pair, labels alone
    learned_auc: np.ndarray
    learned_hits: np.ndarray  #    (draw, chosen layer, init, set, 2)
    learned_cosine: np.ndarray  #  (draw, chosen layer, init)
    ends: np.ndarray  #            (draw, chosen layer, init) found, shortcut or lost, on train


def probe(experiment, folder=None):
    """The [CLS] probe by layer, on the paper's sets (Figure 1)."""

    def make():
        e, sets = experiment, language.sentence_sets()
        for i, (name, those) in enumerate(sets.items()):
            if e.most is not None and e.most < len(those.labels):
                sets[name] = language.subset(those, e.most, key=jax.random.key(i))
        states = {name: bert().cls_states(those.sentences) for name, those in sets.items()}
        scores, probes = [], []
        for layer in range(len(states["train"])):
            fitted = language.fit_probe(states["train"][layer], sets["train"].labels, e.penalty)
            weight = fitted.weight / fitted.scale
            probes.append((weight, fitted.bias - fitted.mean @ weight))
            scores.append(
                [
                    language.score(language.decide(fitted, states[name][layer]), sets[name].labels)
                    for name in SETS
                ]
            )
        return (
            [len(sets[name].labels) for name in SETS],
            *stacked(scores),
            *zip(*probes, strict=True),
        )

    return kept(experiment, folder, make, Probed)


def draw(experiment, folder=None):
    """What each predictor reaches with the same labels, over draws of all word lists."""

    def make():
        rows = [_one_draw(experiment, number) for number in range(experiment.draws)]
        return [np.stack(each) for each in zip(*rows, strict=True)]

    return kept(experiment, folder, make, Drawn)


def drawn_sets(e, number):
    """(the sets of one draw as the model sees them, the key of its starts)."""
    keys = jax.random.split(jax.random.split(jax.random.key(e.seed), e.draws)[number], 4)
    sets = language.random_sentence_sets(key=keys[0])
    sizes = {"train": e.train, "test": e.test, "ood_tokens": e.test}
    for i, (name, n) in enumerate(sizes.items()):
        sets[name] = language.subset(sets[name], n, key=jax.random.fold_in(keys[1], i))
    return {name: read(those) for name, those in sets.items()}, keys[2]


def learned_pairs(e, train, layer, key):
    """The pairs of one draw at this layer, from the labels alone."""
    key = jax.random.fold_in(key, layer)
    return language.fit_pair_label_only(
        train.states[layer], train.mask, train.labels, inits=e.inits, key=key
    )


def _one_draw(e, number):
    sets, key = drawn_sets(e, number)
    train = sets["train"]

    def all_sets(pair, layer):
        scores, hits = zip(*(measure(pair, sets[name], layer) for name in SETS), strict=True)
        return stacked(scores), hits, language.cosine(pair)

    cls, told, learned = [], [], []
    for layer, states in enumerate(train.states):
        fitted = language.fit_probe(states[:, 0], train.labels)
        decisions = [language.decide(fitted, sets[name].states[layer, :, 0]) for name in SETS]
        labels = [sets[name].labels for name in SETS]
        cls.append([language.score(*each) for each in zip(decisions, labels, strict=True)])
        told.append(all_sets(language.fit_pair(states, train.mask, train.at, train.labels), layer))
    for layer in e.layers:
        learned.append([all_sets(pair, layer) for pair in learned_pairs(e, train, layer, key)])
    scores, hits, cosines = zip(*told, strict=True)
    own = [list(zip(*one, strict=True)) for one in learned]
    ends = [[language.end_of(hit[0]) for hit in one[1]] for one in own]
    return (
        *_two(cls),
        *_two(scores),
        np.array(hits),
        np.array(cosines),
        *_two([one[0] for one in own]),
        np.array([one[1] for one in own]),
        np.array([one[2] for one in own]),
        np.array(ends),
    )


def _two(scores):
    """Accuracies and areas."""
    scores = stacked(scores)
    return scores.accuracy, scores.auc

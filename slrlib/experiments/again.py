"""What is stored as a whole, done again in part where the model is: the check of the chapter."""

from typing import NamedTuple

import numpy as np

from slrlib import language
from slrlib.experiments.hiding import heard, hidden
from slrlib.experiments.language import drawn_sets, learned_pairs
from slrlib.experiments.model import SETS, canonical, measure, read, stacked

ROUNDING = 1e-5  # ten times what states differ by from machine to machine
CHANCE = 1e-6  # with which a right machine may fail a check by a sample


class Asked(NamedTuple):
    """Stored probes asked about the book's own sets, large ones by a random part."""

    n: np.ndarray  #         (set,)
    accuracy: np.ndarray  #  (layer, set)
    doubtful: np.ndarray  #  (layer, set) share of decisions whose sign rounding may turn


class Redrawn(NamedTuple):
    """One draw at one layer; the names are those of ``Drawn``."""

    cls: np.ndarray  #      (set,)
    told: np.ndarray  #     (set,)
    learned: np.ndarray  #  (init, set)
    hits: np.ndarray  #     (init, 2) on the train set
    ends: np.ndarray  #     (init,)


def ask(probed):
    """The probes of ``Probed``, fitted to all train sentences, asked now."""
    accuracy, doubtful = [], []
    sets = [canonical()[name][1] for name in SETS]
    for layer, (weight, bias) in enumerate(zip(probed.weight, probed.bias, strict=True)):
        weight = weight.astype(float)
        probe = language.Probe(np.zeros_like(weight), np.ones_like(weight), weight, bias)
        decisions = [language.decide(probe, seen.states[layer, :, 0]) for seen in sets]
        pairs = zip(decisions, sets, strict=True)
        accuracy.append([language.score(each, seen.labels).accuracy for each, seen in pairs])
        near = ROUNDING * np.linalg.norm(weight)  # errors of the coordinates have no common sign
        doubtful.append([np.mean(np.abs(each) < near) for each in decisions])
    return Asked(np.array([len(seen.at) for seen in sets]), np.array(accuracy), np.array(doubtful))


def sampling(n, of, cases, chance=CHANCE):
    """How far a share seen in n of ``of`` sentences, drawn without replacement with as many of
    either label, may lie from the share in all: some of so many ``cases`` lies further with at
    most this ``chance``, by the inequality of Hoeffding. None does if all sentences are read.
    """
    return np.where(n < of, np.sqrt(np.log(2 * cases / chance) / (2 * n)), 0)


def draw(experiment, layer, number=0):
    """One draw of a ``Drawing`` at one layer: sets, probe and pairs made afresh."""
    sets, key = drawn_sets(experiment, number)
    train = sets["train"]
    probe = language.fit_probe(train.states[layer, :, 0], train.labels)
    told = language.fit_pair(train.states[layer], train.mask, train.at, train.labels)
    own = learned_pairs(experiment, train, layer, key)
    hits = [measure(pair, train, layer)[1] for pair in own]

    def accuracies(decide):
        return [language.score(decide(seen), seen.labels).accuracy for seen in map(sets.get, SETS)]

    def of_pair(pair):
        return stacked([measure(pair, sets[name], layer)[0] for name in SETS]).accuracy

    return Redrawn(
        np.array(accuracies(lambda seen: language.decide(probe, seen.states[layer, :, 0]))),
        of_pair(told),
        np.array([of_pair(pair) for pair in own]),
        np.array(hits),
        np.array([language.end_of(hit) for hit in hits]),
    )


def hear(experiment, length, count):
    """(rows, decisions): ``count`` of the texts of this length of a ``Hiding``, read now.

    Their numbers, and (set, count, 2) as in ``Hidden.decisions``.
    """
    whole = experiment.sentences[experiment.lengths.index(length)]
    rows = np.linspace(0, whole - 1, count).astype(int)
    texts = [hidden(experiment, name, length).take(rows) for name in experiment.chosen]
    return rows, np.stack([heard(experiment.layer, read(each)) for each in texts])

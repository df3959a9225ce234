"""Stored probes and texts, asked again where the model is: checks of the chapters on language."""

from functools import cache
from typing import NamedTuple

import numpy as np

from slrlib import language
from slrlib.experiments.lengths import TextLength
from slrlib.experiments.probes import ClsProbesResult
from slrlib.experiments.reading import SETS, bert, canonical, train_read
from slrlib.language.pair import Probe

ROUNDING = 1e-5  # ten times what states differ by from machine to machine
CHANCE = 1e-6  # with which a right machine may fail a check by a sample


class Asked(NamedTuple):
    """Stored probes asked about the book's own sets, large ones by a random part."""

    n: np.ndarray  #         (set,)
    accuracy: np.ndarray  #  (layer, set)
    doubtful: np.ndarray  #  (layer, set) share of decisions whose sign rounding may turn


@cache
def _states():
    """The book's own sets, and the states of [CLS] for each."""
    train, *others = [canonical(name) for name in SETS]
    states = [bert().cls_states(each.sentences) for each in others]
    return [train, *others], [train_read().states[:, :, 0], *states]


def ask(probed: ClsProbesResult) -> Asked:
    """The probes, fitted to all train sentences, asked now."""
    accuracy, doubtful = [], []
    sets, states = _states()
    for layer, (weight, bias) in enumerate(zip(probed.weight, probed.bias, strict=True)):
        weight = weight.astype(float)
        probe = Probe(np.zeros_like(weight), np.ones_like(weight), weight, bias)
        decisions = [language.decide(probe, each[layer]) for each in states]
        pairs = zip(decisions, sets, strict=True)
        accuracy.append([language.score(each, seen.labels).accuracy for each, seen in pairs])
        near = ROUNDING * np.linalg.norm(weight)  # errors of the coordinates have no common sign
        doubtful.append([np.mean(np.abs(each) < near) for each in decisions])
    n = np.array([len(each.labels) for each in sets])
    return Asked(n, np.array(accuracy), np.array(doubtful))


def sampling(n: np.ndarray, of: np.ndarray, cases: int, chance: float = CHANCE) -> np.ndarray:
    """How far a share seen in n of ``of`` sentences, drawn without replacement with as many of
    either label, may lie from the share in all: some of so many ``cases`` lies further with at
    most this ``chance``, by the inequality of Hoeffding. None does if all sentences are read.
    """
    return np.where(n < of, np.sqrt(np.log(2 * cases / chance) / (2 * n)), 0)


def reread(experiment: TextLength, length: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """(rows, decisions): ``count`` of its texts of this length, read now.

    Their numbers, and (set, count, 2) as in ``TextLengthResult.decisions``.
    """
    whole = experiment.sentences[experiment.lengths.index(length)]
    rows = np.linspace(0, whole - 1, count).astype(int)
    texts = [experiment.texts(name, length).take(rows) for name in experiment.chosen]
    return rows, np.stack([experiment.heard(bert().read(each, experiment.layer)) for each in texts])

"""Checks of the chapters on language: stored probes and texts are evaluated again."""

from functools import cache
from typing import NamedTuple

import numpy as np

from slrlib import language
from slrlib.experiments.lengths import TextLength
from slrlib.experiments.probes import ClsProbesResult
from slrlib.experiments.reading import SETS, bert, canonical, train_read
from slrlib.language.pair import Probe

ROUNDING = 1e-5  # ten times the difference of states between two machines
CHANCE = 1e-6  # the probability that a check fails by chance


class Asked(NamedTuple):
    """Results of the stored probes on the book's own sets, or on random parts of large ones."""

    n: np.ndarray  #         (set,)
    accuracy: np.ndarray  #  (layer, set)
    doubtful: np.ndarray  #  (layer, set) fraction of decisions whose sign rounding may change


@cache
def _states():
    """Return the book's own sets, and the states of [CLS] for each."""
    train, *others = [canonical(name) for name in SETS]
    states = [bert().cls_states(each.sentences) for each in others]
    return [train, *others], [train_read().states[:, :, 0], *states]


def ask(probed: ClsProbesResult) -> Asked:
    """Evaluate the stored probes, which were fitted to all train sentences."""
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
    """Bound the distance of a fraction in n of ``of`` sentences from the fraction in all of them.

    The n sentences are drawn without replacement, equally many of each label. By Hoeffding's
    inequality, the probability that any of ``cases`` fractions exceeds its bound is at most
    ``chance``. The bound is zero if all sentences are read.
    """
    return np.where(n < of, np.sqrt(np.log(2 * cases / chance) / (2 * n)), 0)


def reread(experiment: TextLength, length: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Read ``count`` texts of this length again; return their rows and the decisions.

    The decisions have shape (set, count, 2), as in ``TextLengthResult.decisions``.
    """
    whole = experiment.sentences[experiment.lengths.index(length)]
    rows = np.linspace(0, whole - 1, count).astype(int)
    texts = [experiment.texts(name, length).take(rows) for name in experiment.chosen]
    return rows, np.stack([experiment.heard(bert().read(each, experiment.layer)) for each in texts])

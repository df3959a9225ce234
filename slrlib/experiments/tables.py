"""The two tables of the paper's Appendix E: sizes of the sets, parameters of the experiments."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from slrlib import language
from slrlib.dynamics.schedules import Held, InverseDecay
from slrlib.experiments.kinds import Experiment


@dataclass(frozen=True)
class Counting(Experiment):
    """The sizes of the five sets of sentences."""

    task: None = None


@dataclass(frozen=True)
class Listing(Experiment):
    """The parameters of the experiments, read off the experiments themselves."""

    task: None = None


class Counts(NamedTuple):
    """Of each set in ``name``: how many sentences, how many of label +1, tokens at most."""

    name: np.ndarray
    n: np.ndarray
    positive: np.ndarray
    tokens: np.ndarray


class Listed(NamedTuple):
    """One row an experiment; text, "-" where an experiment has no such parameter."""

    name: np.ndarray
    parameter: np.ndarray
    value: np.ndarray  # (name, parameter)


_OF_TASK = ("d", "L", "gamma", "noise")
_OWN = ("schedule", "lam", "alpha", "learning_rate", "steps", "batch", "repetitions")


def count(experiment):
    """The table of the sizes."""
    sets = language.sentence_sets()
    return Counts(
        np.array(list(sets)),
        np.array([len(each.labels) for each in sets.values()]),
        np.array([np.sum(each.labels > 0) for each in sets.values()]),
        np.array([max(map(language.count_tokens, each.sentences)) for each in sets.values()]),
    )


def listed(experiments):
    """The table of the parameters of all ``experiments`` that have a task."""
    those = [each for each in experiments.values() if each.task is not None]
    found = [[_shown(e.task, name) for name in _OF_TASK] for e in those]
    own = [[_shown(e, name) for name in _OWN] for e in those]
    names = np.array([e.name for e in those])
    return Listed(names, np.array([*_OF_TASK, *_OWN]), np.concatenate([found, own], axis=1))


def _shown(holder, name):
    value = getattr(holder, name, None)
    if value is None:
        return "-"
    if isinstance(value, Held):
        return f"{_shown(value, 'schedule')}, constant from step {value.until:.0f}"
    if isinstance(value, InverseDecay):
        return f"{value.lam0:.6g} / (1 + {value.rate:.6g} t)" if value.rate else f"{value.lam0:.6g}"
    return f"{value:.6g}" if isinstance(value, float) else str(value)

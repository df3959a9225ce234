"""The two tables of the paper's Appendix E: sizes of the sets, parameters of the experiments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, NamedTuple

import numpy as np

from slrlib import language
from slrlib.dynamics.schedules import Held, InverseDecay
from slrlib.experiments.base import Experiment, Folder
from slrlib.language.sentences import count_tokens


class SentenceSetsResult(NamedTuple):
    """For each set: the numbers of sentences and of labels +1, the largest number of tokens."""

    name: Annotated[np.ndarray, "set"]
    n: Annotated[np.ndarray, "set"]
    positive: Annotated[np.ndarray, "set"]
    tokens: Annotated[np.ndarray, "set"]


@dataclass(frozen=True)
class SentenceSets(Experiment):
    """The sizes of the five sets of sentences.

    Parameters
    ----------
    name : str
        Name of the experiment.
    """

    result: ClassVar[type] = SentenceSetsResult

    def compute(self, folder: Folder, progress: bool) -> SentenceSetsResult:
        sets = language.sentence_sets()
        return SentenceSetsResult(
            np.array(list(sets)),
            np.array([len(each.labels) for each in sets.values()]),
            np.array([np.sum(each.labels > 0) for each in sets.values()]),
            np.array([max(map(count_tokens, each.sentences)) for each in sets.values()]),
        )

    def finding(self, r: SentenceSetsResult) -> str:
        return aligned([r._fields, *zip(*(column.tolist() for column in r), strict=True)])


class ParameterTableResult(NamedTuple):
    """The parameters as text, one row per experiment; "-" if it has no such parameter."""

    name: Annotated[np.ndarray, "experiment"]
    parameter: Annotated[np.ndarray, "parameter"]
    value: Annotated[np.ndarray, "experiment parameter"]


OF_TASK = ("d", "L", "gamma", "noise")
OWN = ("schedule", "lam", "alpha", "learning_rate", "steps", "batch", "repetitions")


@dataclass(frozen=True)
class ParameterTable(Experiment):
    """The parameters of the experiments that have a task, taken from the experiments.

    Parameters
    ----------
    name : str
        Name of the experiment.
    experiments : tuple of Experiment
        The experiments; those without a task are left out.
    """

    experiments: tuple[Experiment, ...]

    result: ClassVar[type] = ParameterTableResult

    def compute(self, folder: Folder, progress: bool) -> ParameterTableResult:
        those: list[Any] = [each for each in self.experiments if hasattr(each, "task")]
        values = [
            [shown(e.task, name) for name in OF_TASK] + [shown(e, name) for name in OWN]
            for e in those
        ]
        names = [e.name for e in those]
        return ParameterTableResult(np.array(names), np.array(OF_TASK + OWN), np.array(values))

    def finding(self, r: ParameterTableResult) -> str:
        rows = zip(r.name.tolist(), r.value.tolist(), strict=True)
        return aligned([("", *r.parameter.tolist()), *((name, *row) for name, row in rows)])


def aligned(rows: list) -> str:
    """Format rows as a text table; each column is as wide as its longest cell."""
    rows = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    padded = [[c.ljust(w) for c, w in zip(row, widths, strict=True)] for row in rows]
    return "\n".join("  ".join(row).rstrip() for row in padded)


def shown(holder: Any, name: str) -> str:
    """Format the attribute ``name`` as text."""
    value = getattr(holder, name, None)
    if value is None:
        return "-"
    if isinstance(value, Held):
        return f"{shown(value, 'schedule')}, constant from step {value.until:.0f}"
    if isinstance(value, InverseDecay):
        return f"{value.lam0:.6g} / (1 + {value.rate:.6g} t)" if value.rate else f"{value.lam0:.6g}"
    return f"{value:.6g}" if isinstance(value, float) else str(value)

"""What a sweep keeps of the cells of its grid: shares and medians, in a line for each cell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, NamedTuple

import numpy as np


class SweepResult(NamedTuple):
    """A row for each cell of the grid, in the order of its axes, the last one changing fastest.

    ``share`` is that of the runs which end as ``end`` says (see ``landscape.basin``); the excess
    risk and the sizes of kappa and nu are medians over the runs of a cell, before each ``step``.
    """

    d: Annotated[np.ndarray, "cell"]
    L: Annotated[np.ndarray, "cell"]
    gamma: Annotated[np.ndarray, "cell"]
    noise: Annotated[np.ndarray, "cell"]
    lam0: Annotated[np.ndarray, "cell"]
    rate: Annotated[np.ndarray, "cell"]
    until: Annotated[np.ndarray, "cell"]
    alpha: Annotated[np.ndarray, "cell"]
    seed: Annotated[np.ndarray, "cell"]
    step: Annotated[np.ndarray, "time"]
    end: Annotated[np.ndarray, "end"]
    share: Annotated[np.ndarray, "cell end"]
    excess_risk: Annotated[np.ndarray, "cell time"]
    kappa: Annotated[np.ndarray, "cell time"]
    nu: Annotated[np.ndarray, "cell time"]

    def table(self) -> tuple[list[str], list[list[np.ndarray | None]]]:
        """A line for each cell, as ``tidy.table`` has it: ``share_swapped``, ``kappa_20000``."""
        found = dict(zip(self._fields[:9], self[:9], strict=True))
        found |= {
            f"share_{end.replace(' ', '_')}": self.share[:, i] for i, end in enumerate(self.end)
        }
        for name in self._fields[-3:]:
            found |= {f"{name}_{s}": getattr(self, name)[:, i] for i, s in enumerate(self.step)}
        return list(found), [list(found.values())]


class Rows(NamedTuple):
    """The cells done so far, -1 where one was repeated to fill a tile."""

    cell: np.ndarray
    share: np.ndarray
    excess_risk: np.ndarray
    kappa: np.ndarray
    nu: np.ndarray


def named(rows: Rows) -> Iterator[tuple[str, np.ndarray]]:
    """What a result takes over from the rows."""
    return ((name, x) for name, x in rows._asdict().items() if name != "cell")

"""What a sweep keeps of the cells of its grid: fractions and medians, a line for each cell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, NamedTuple

import numpy as np

from slrlib.landscape import BASINS, STATES


class SweepResult(NamedTuple):
    """A row for each cell of the grid, in the order of its axes, the last one changing fastest.

    ``fraction`` is that of the runs in each of ``landscape.STATES`` after the last step: nan in a
    cell whose ``alpha_curvature`` is above 1, which is not counted, and in files stored without
    it. ``share`` is the fraction of each early verdict, one of ``landscape.BASINS``. The excess
    risk and the sizes of kappa and nu are medians over the runs of a cell, before each ``step``.
    ``alpha_curvature`` is alpha over ``stability_limit``, 2 / curvature at (k*, v*), at the first
    lam: above 1 the step size is beyond the edge of stability.
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
    share: Annotated[np.ndarray, "cell verdict"]
    excess_risk: Annotated[np.ndarray, "cell time"]
    kappa: Annotated[np.ndarray, "cell time"]
    nu: Annotated[np.ndarray, "cell time"]
    fraction: Annotated[np.ndarray, "cell state"] = np.array(np.nan)
    alpha_curvature: Annotated[np.ndarray, "cell"] = np.array(np.nan)

    @property
    def end(self) -> np.ndarray:
        """The words of the columns of ``share``."""
        return np.array(BASINS)

    def table(self) -> tuple[list[str], list[list[np.ndarray | None]]]:
        """A line for each cell, as ``tidy.table`` has it: ``fraction_swapped``, ``kappa_20000``."""
        found = dict(zip(self._fields[:9], self[:9], strict=True))
        found["alpha_curvature"] = np.broadcast_to(self.alpha_curvature, self.d.shape)
        fraction = np.broadcast_to(self.fraction, (len(self.d), len(STATES)))
        for kind, words, x in (("fraction", STATES, fraction), ("share", BASINS, self.share)):
            found |= {f"{kind}_{w.replace(' ', '_')}": x[:, i] for i, w in enumerate(words)}
        for name in ("excess_risk", "kappa", "nu"):
            found |= {f"{name}_{s}": getattr(self, name)[:, i] for i, s in enumerate(self.step)}
        return list(found), [list(found.values())]


class Rows(NamedTuple):
    """The cells done so far, -1 where one was repeated to fill a tile."""

    cell: np.ndarray
    share: np.ndarray
    fraction: np.ndarray
    excess_risk: np.ndarray
    kappa: np.ndarray
    nu: np.ndarray


def named(rows: Rows) -> Iterator[tuple[str, np.ndarray]]:
    """What a result takes over from the rows."""
    return ((name, x) for name, x in rows._asdict().items() if name != "cell")

"""The cells of a grid: all combinations of the numbers on its axes."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from slrlib import checks

Grid = tuple[tuple[str, tuple[float, ...]], ...]  # the axes, as an experiment keeps them

# The numbers of a cell, with the value that each has if the grid does not name it.
USUAL: dict[str, float | None] = {"d": 400.0, "L": 10.0, "gamma": 0.5**0.5, "noise": 0.1}
USUAL |= {"lam0": 0.1, "rate": 0.0, "until": None, "alpha": 4e-3, "seed": 0.0}
ALLOWED = {name: checks.nonnegative for name in USUAL}
ALLOWED |= {"gamma": checks.positive, "lam0": checks.positive}
ALLOWED |= {
    "d": lambda name, x: checks.whole(name, x, 6),
    "seed": lambda n, x: checks.whole(n, x, 0),
}
ALLOWED |= {"L": lambda name, x: checks.whole(name, x, 1)}


def checked(grid: Mapping[str, Any]) -> Grid:
    """The axes of a grid as an experiment keeps them."""
    if not isinstance(grid, Mapping):
        raise ValueError(f"grid must be a dict such as {{'d': [50, 100]}}, got {grid!r}")
    axes = []
    for name, given in grid.items():
        if name not in USUAL:
            raise ValueError(f"grid must have axes among {', '.join(USUAL)}, got {name!r}")
        given = list(given) if isinstance(given, range) else given
        values = np.atleast_1d(np.asarray(ALLOWED[name](name, given)))
        if values.ndim != 1 or not len(values):
            got = checks.shown(values)
            raise ValueError(f"{name} must be a number or a list of them, got {got}")
        axes.append((name, tuple(values.tolist())))
    return tuple(axes)


def cells(grid: Grid, steps: int) -> dict[str, np.ndarray]:
    """The numbers of all cells, each an array (cells,); the last axis changes fastest."""
    usual = USUAL | {"until": float(steps)}
    many = math.prod(len(each) for _, each in grid)
    checks.room(20 * many, **{name: len(each) for name, each in grid})
    values = [*itertools.product(*(each for _, each in grid))]
    own = dict(zip((name for name, _ in grid), np.array(values, float).T, strict=True))
    return {name: own.get(name, np.full(len(values), x)) for name, x in usual.items()}

"""A result as one table: a row for each run and time, or whatever its axes are."""

import csv
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from slrlib.experiments.base import axes_of, packed


def blocks(result: tuple) -> Iterator[tuple[tuple[str, ...], dict[str, np.ndarray]]]:
    """(names of the axes, arrays with all these axes) for each largest set of axes.

    An array with fewer axes stands in each set that has them, repeated along the others.
    """
    arrays, named = packed(result), axes_of(type(result))
    axes = {name: present(named[name], x.ndim) for name, x in arrays.items()}
    size = {a: n for name, x in arrays.items() for a, n in zip(axes[name], x.shape, strict=True)}
    every = dict.fromkeys(axes.values())
    for block in every:
        if not any(set(block) < set(other) for other in every):
            its = {name: arrays[name] for name, own in axes.items() if set(own) <= set(block)}
            shape = tuple(size[axis] for axis in block)
            spread = [tuple(size[a] if a in axes[name] else 1 for a in block) for name in its]
            pairs = zip(its.items(), spread, strict=True)
            yield (
                block,
                {name: np.broadcast_to(x.reshape(own), shape) for (name, x), own in pairs},
            )


def present(axes: tuple[str, ...], count: int) -> tuple[str, ...]:
    """The axes without ?, and if there are ``count``, those with it too."""
    there = axes if len(axes) == count else tuple(a for a in axes if not a.endswith("?"))
    return tuple(axis.rstrip("?") for axis in there)


def write(path: str | Path, result: tuple) -> None:
    """The result as comma-separated values; a cell that has no value in a row is empty."""
    found = list(blocks(result))
    axes = list(dict.fromkeys(axis for block, _ in found for axis in block))
    index = [axis if axis not in packed(result) else f"{axis}_index" for axis in axes]
    names = list(packed(result))
    with open(path, "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow([*index, *names])
        for block, arrays in found:
            shape = next(iter(arrays.values())).shape
            numbers = dict(zip(block, np.indices(shape), strict=True))
            columns = [numbers.get(axis) for axis in axes] + [arrays.get(name) for name in names]
            length = int(np.prod(shape))
            cells = [[""] * length if c is None else c.ravel().tolist() for c in columns]
            table.writerows(zip(*cells, strict=True))

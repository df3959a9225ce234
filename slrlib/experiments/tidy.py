"""Conversion of results, NamedTuples of arrays with named axes, to arrays and to a table."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any, get_type_hints

import numpy as np

from slrlib.store import CorruptFile, versions, whole


def packed(values: Any) -> dict[str, np.ndarray]:
    """Return the arrays of a NamedTuple by name, including those of nested NamedTuples."""
    found = {}
    for name, value in zip(values._fields, values, strict=True):
        found |= packed(value) if hasattr(value, "_fields") else {name: np.asarray(value)}
    return found


def axes_of(kind: type) -> dict[str, tuple[str, ...]]:
    """Return the names of the axes of each array of a result; axes ending in ? are optional."""
    found = {}
    for name, of in get_type_hints(kind, include_extras=True).items():
        names = getattr(of.__origin__, "_fields", (name,))
        found |= dict.fromkeys(names, tuple(of.__metadata__[0].split()))
    return found


def unpacked(kind: Any, arrays: dict[str, np.ndarray]) -> Any:
    """Rebuild a NamedTuple of type ``kind`` from the arrays that ``packed`` returned.

    Arrays that older files lack get default values.
    """
    values, found = [], kind._field_defaults | arrays
    for name, of in get_type_hints(kind, include_extras=True).items():
        inner = getattr(of, "__origin__", of)
        if not hasattr(inner, "_fields") and name not in found:
            raise CorruptFile(f"the stored result must hold {name}, got {', '.join(arrays)}")
        values.append(unpacked(inner, arrays) if hasattr(inner, "_fields") else found[name])
    return kind(*values)


def present(axes: tuple[str, ...], count: int) -> tuple[str, ...]:
    """Return the axes of an array with ``count`` axes, leaving out optional ones if needed."""
    there = axes if len(axes) == count else tuple(a for a in axes if not a.endswith("?"))
    return tuple(axis.rstrip("?") for axis in there)


def columns(result: Any) -> dict[str, np.ndarray]:
    """Return the result as columns of equal length, such as for ``pandas.DataFrame``.

    Each maximal set of axes gives a block of rows; an array with fewer axes is repeated along the
    others. Missing numbers are nan, and missing texts are empty. The first columns are the indices
    along the axes. They have the names of the axes, except that the time axis has the name ``row``,
    and that ``_index`` is added if an array has the name of the axis, as in ``step_index``.
    """
    arrays, named = packed(result), axes_of(type(result))
    axes = {name: present(named[name], x.ndim) for name, x in arrays.items()}
    size = {a: n for name, x in arrays.items() for a, n in zip(axes[name], x.shape, strict=True)}
    every = dict.fromkeys(axes.values())
    blocks = [block for block in every if not any(set(block) < set(other) for other in every)]
    titles = {a: "row" if a == "time" else f"{a}_index" if a in arrays else a for a in size}
    indices = dict.fromkeys(axis for block in blocks for axis in block)
    found: dict[str, list] = {name: [] for name in [*(titles[a] for a in indices), *arrays]}
    for block in blocks:
        shape = tuple(size[axis] for axis in block)
        numbers = dict(zip(block, np.indices(shape), strict=True))
        for axis in indices:
            found[titles[axis]].append(numbers.get(axis, np.full(shape, np.nan)).ravel())
        for name, x in arrays.items():
            if set(axes[name]) <= set(block):
                x = x.reshape([size[axis] if axis in axes[name] else 1 for axis in block])
            else:
                x = np.array("" if x.dtype.kind == "U" else np.nan)
            found[name].append(np.broadcast_to(x, shape).ravel())
    return {name: np.concatenate(parts) for name, parts in found.items()}


def write(result: Any, path: str | Path, experiment: Any = None) -> None:
    """Write the table of ``columns`` as comma-separated values.

    Parameters
    ----------
    result : NamedTuple
        What ``experiments.run`` or ``experiments.load`` returned.
    path : str or Path
    experiment : Experiment, optional
        If given, its class and parameters and the versions of the packages are written above the
        table in lines that begin with ``#``. Read such a file with ``pandas.read_csv(path,
        comment="#")``.

    Examples
    --------
    >>> from slrlib.experiments import PAPER, run
    >>> run(PAPER["table1"]).to_csv("table1.csv", PAPER["table1"])
    """
    its = result.columns()
    with whole(path) as beside, open(beside, "w", newline="", encoding="utf-8") as file:
        if experiment is not None:
            file.write(f"# experiment: {json.dumps(experiment.described(), sort_keys=True)}\n")
            file.write(f"# versions: {json.dumps(versions(), sort_keys=True)}\n")
        rows = csv.writer(file)
        rows.writerow(its)
        rows.writerows(zip(*(column.tolist() for column in its.values()), strict=True))


def outline(result: Any) -> str:
    """Return a short form of the result: the shape of each array."""
    shapes = (f"{name} {x.shape}" for name, x in packed(result).items())
    return f"{type(result).__name__}: {', '.join(shapes)}"

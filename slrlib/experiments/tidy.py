"""A result, a NamedTuple of arrays with named axes: as plain arrays, and as one table."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_type_hints

import numpy as np

from slrlib.store import CorruptFile, versions, whole


def packed(values: Any) -> dict[str, np.ndarray]:
    """The arrays of a NamedTuple under their names, with those of a NamedTuple inside it."""
    found = {}
    for name, value in zip(values._fields, values, strict=True):
        found |= packed(value) if hasattr(value, "_fields") else {name: np.asarray(value)}
    return found


def axes_of(kind: type) -> dict[str, tuple[str, ...]]:
    """The names of the axes of each array of a result; one that ends in ? may be missing."""
    found = {}
    for name, of in get_type_hints(kind, include_extras=True).items():
        names = getattr(of.__origin__, "_fields", (name,))
        found |= dict.fromkeys(names, tuple(of.__metadata__[0].split()))
    return found


def unpacked(kind: Any, arrays: dict[str, np.ndarray]) -> Any:
    """Rebuild the NamedTuple of this ``kind`` from what ``packed`` made of it.

    An array that older files lack has a default.
    """
    values, found = [], kind._field_defaults | arrays
    for name, of in get_type_hints(kind, include_extras=True).items():
        inner = getattr(of, "__origin__", of)
        if not hasattr(inner, "_fields") and name not in found:
            raise CorruptFile(f"the stored result must hold {name}, got {', '.join(arrays)}")
        values.append(unpacked(inner, arrays) if hasattr(inner, "_fields") else found[name])
    return kind(*values)


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


def table(result: tuple) -> tuple[list[str], list[list[np.ndarray | None]]]:
    """(names of the columns, those of each block of rows); None where a block has no such column.

    First come the indices along the axes: ``row`` along time, ``run``, or, where an array has that
    name, such as ``step_index``. A kind of result that has a ``table`` of its own gives that.
    """
    if own := getattr(result, "table", None):
        return own()
    found, names = list(blocks(result)), list(packed(result))
    axes = list(dict.fromkeys(axis for block, _ in found for axis in block))
    parts = []
    for block, arrays in found:
        shape = next(iter(arrays.values())).shape
        numbers = dict(zip(block, np.indices(shape), strict=True))
        columns = [numbers.get(axis) for axis in axes] + [arrays.get(name) for name in names]
        parts.append([None if c is None else c.ravel() for c in columns])
    axes = ["row" if axis == "time" else axis for axis in axes]
    return [axis if axis not in names else f"{axis}_index" for axis in axes] + names, parts


def length(part: list[np.ndarray | None]) -> int:
    """The number of rows of a block."""
    return next(len(c) for c in part if c is not None)


def write(result: tuple, path: str | Path, experiment: Any = None) -> None:
    """Write the result as comma-separated values; a cell without a value is empty.

    Parameters
    ----------
    result : NamedTuple
        What ``experiments.run`` or ``experiments.load`` returned.
    path : str or Path
    experiment : Experiment, optional
        If given, its kind and numbers and the versions of the packages are written above the table
        in lines that begin with ``#``: read the file by ``pandas.read_csv(path, comment="#")``.

    Examples
    --------
    >>> from slrlib.experiments import PAPER, run
    >>> run(PAPER["table1"]).to_csv("table1.csv", PAPER["table1"])
    """
    names, parts = table(result)
    with whole(path) as beside, open(beside, "w", newline="", encoding="utf-8") as file:
        if experiment is not None:
            file.write(f"# experiment: {json.dumps(experiment.described(), sort_keys=True)}\n")
            file.write(f"# versions: {json.dumps(versions(), sort_keys=True)}\n")
        rows = csv.writer(file)
        rows.writerow(names)
        for part in parts:
            cells = [[""] * length(part) if c is None else c.tolist() for c in part]
            rows.writerows(zip(*cells, strict=True))


def columns(result: tuple) -> dict[str, np.ndarray]:
    """The same table as columns of one length, such as ``pandas.DataFrame`` takes.

    A number that a row does not have is nan, a text is empty.
    """
    names, parts = table(result)
    found = {}
    for name, its in zip(names, zip(*parts, strict=True), strict=True):
        text = any(c is not None and c.dtype.kind == "U" for c in its)
        nothing = np.array("" if text else np.nan)
        pairs = zip(its, parts, strict=True)
        filled = [np.repeat(nothing, length(p)) if c is None else c for c, p in pairs]
        found[name] = np.concatenate(filled)
    return found


def outline(result: Any) -> str:
    """The result in a line for each array, where all its numbers would fill pages."""
    named, lines = axes_of(type(result)), [f"{type(result).__name__}, with columns() and to_csv()"]
    for field, value in zip(result._fields, result, strict=True):
        inside = value._asdict() if hasattr(value, "_fields") else {"": value}
        for name, x in inside.items():
            shape = np.shape(x)
            axes = present(named[name or field], len(shape))
            of = ", ".join(f"{axis} {n}" for axis, n in zip(axes, shape, strict=False))
            lines.append(f"  {field}{'.' * bool(name)}{name}: {of or x}")
    return "\n".join(lines)

"""The numbers of an experiment as the options of a command, its own values being the defaults."""

import argparse
import inspect
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from types import NoneType
from typing import Any, get_args, get_type_hints

from slrlib.dynamics import inverse_decay
from slrlib.dynamics.schedules import Held, InverseDecay
from slrlib.experiments.base import Experiment
from slrlib.experiments.sweeps import checked_grid
from slrlib.overlaps import Overlaps
from slrlib.task import Task

LARGEST = 2**63  # of a whole number
INSIDE = ("task", "schedule")  # what has numbers of its own


def numbers(holder: Any) -> Iterator[tuple[str, Any, Any]]:
    """(name, type, value) of each number, those of task, schedule and the axes of a grid too."""
    types = get_type_hints(type(holder))
    for field in fields(holder):
        value = getattr(holder, field.name)
        if field.name in INSIDE and is_dataclass(value):
            yield from numbers(value)
        elif field.name == "grid":
            yield from ((axis, tuple[float, ...], values) for axis, values in value)
        elif field.name not in ("name", "experiments") and Overlaps not in get_args(
            types[field.name]
        ):
            yield field.name, types[field.name], value


def shown(value: Any) -> str:
    if isinstance(value, tuple):
        return ",".join(map(shown, value))
    if isinstance(value, float):
        return f"{value:.10g}"
    return str(value).lower() if value in (None, True, False) else str(value)


def meanings(experiment: Experiment) -> dict[str, str]:
    """What the numpydoc docstrings of its class, its task and its schedule say of each number."""
    found: dict[str, list[str]] = {}
    for kind in (Task, InverseDecay, Held, type(experiment)):
        text = (inspect.getdoc(kind) or "").partition("Parameters\n----------\n")[2]
        names: list[str] = []
        for line in re.split(r"\n\n(?=\S)", text)[0].splitlines():
            if line.startswith(" "):
                for name in names:
                    found[name].append(line.strip())
            else:
                names = line.partition(" : ")[0].split(", ")
                found |= {name: [] for name in names}
    return {name: " ".join(lines).rstrip(".") for name, lines in found.items()}


def add_options(parser: Any, experiment: Experiment) -> None:
    """An option for each number of ``experiment``: its value and what it means."""
    means = meanings(experiment)
    for name, _, value in numbers(experiment):
        flags = dict.fromkeys((f"--{name.replace('_', '-')}", f"--{name}"))
        default = shown(value) if len(shown(value)) < 40 else f"{shown(value)[:36]} ..."
        says = f"{means[name]} [{default}]".replace("%", "%%")
        parser.add_argument(
            *flags, dest=name, metavar="VALUE", help=says, default=argparse.SUPPRESS
        )


def changed(holder: Any, given: dict[str, str]) -> Any:
    """The experiment, task or schedule with the values ``given`` as text under their names."""
    types, new = get_type_hints(type(holder)), {}
    for field in fields(holder):
        value = getattr(holder, field.name)
        if field.name in INSIDE and is_dataclass(value):
            new[field.name] = changed(value, given)
        elif field.name == "grid":
            axes = [axis for axis in value if axis[0] in given]
            own = {name: read(name, given[name], tuple[float, ...], x) for name, x in axes}
            new["grid"] = checked_grid({**dict(value), **own})
        elif field.name in given:
            new[field.name] = read(field.name, given[field.name], types[field.name], value)
    if isinstance(holder, InverseDecay):
        return inverse_decay(**{"lam0": holder.lam0, "rate": holder.rate, **new})  # checked
    return replace(holder, **new)


def read(name: str, text: str, kind: Any, value: Any) -> Any:
    """The value of a field of this ``kind`` that ``text`` says; ``value`` is the one it had."""
    if text.lower() == "none" and (value is None or NoneType in get_args(kind)):
        return None
    inner = [each for each in get_args(kind) if each not in (NoneType, Ellipsis)]
    if isinstance(value, tuple):
        values = tuple(one(name, each.strip(), inner[0]) for each in text.split(","))
        if Ellipsis not in get_args(kind) and len(values) != len(value):
            raise ValueError(f"{name} must be {len(value)} values, got {text!r}")
        return values
    if name == "p":
        return [one(name, each, float) for each in text.split(",")]
    if kind in (bool, int, str):
        return one(name, text, kind)
    return one(name, text, int if int in inner and float not in inner else float)


def one(name: str, text: str, kind: type) -> Any:
    """A single value."""
    words = {"true": True, "false": False}
    if kind is bool and text.lower() in words:
        return words[text.lower()]
    if kind is str:
        return text
    try:
        value = None if kind is bool else kind(text)
    except ValueError:
        value = None
    if value is not None and (kind is float or 0 <= value < LARGEST):
        return value
    wanted = {bool: "true or false", int: "a whole number of zero or more", float: "a number"}
    raise ValueError(f"{name} must be {wanted[kind]}, got {text!r}")

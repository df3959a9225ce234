"""The command line: ``python -m slrlib fig4a --d 200 --lam0 0.5 --seed 3 --out fig4a.pdf``.

Without ``--out`` it only prints the finding; ``--list`` lists all names.
"""

import argparse
import inspect
import os
import re
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from types import NoneType
from typing import Any, NoReturn, get_args, get_type_hints

import jax

from slrlib import __version__, store
from slrlib.dynamics import inverse_decay
from slrlib.dynamics.schedules import Held, InverseDecay
from slrlib.experiments import ALL
from slrlib.experiments.base import Experiment
from slrlib.experiments.registry import locate
from slrlib.experiments.sweeps import checked_grid
from slrlib.experiments.tidy import packed, unpacked, write
from slrlib.language import extra
from slrlib.task import Task

INSIDE = ("task", "schedule")  # fields that have parameters of their own


def numbers(holder: Any) -> Iterator[tuple[str, Any]]:
    """Yield (name, value) of each parameter, including those of task, schedule and grid."""
    for field in fields(holder):
        value = getattr(holder, field.name)
        if field.name in INSIDE and is_dataclass(value):
            yield from numbers(value)
        elif field.name == "grid":
            yield from value
        elif field.name not in ("name", "experiments") and "Overlaps" not in str(field.type):
            yield field.name, value


def shown(value: Any) -> str:
    if isinstance(value, tuple):
        return ",".join(map(shown, value))
    if isinstance(value, float):
        return f"{value:.10g}"
    return str(value).lower() if value in (None, True, False) else str(value)


def meanings(experiment: Experiment) -> dict[str, str]:
    """Return the description of each parameter from the docstrings of class, task and schedule."""
    found = {}
    for kind in (Task, InverseDecay, Held, type(experiment)):
        text = inspect.getdoc(kind) or ""
        for names, its in re.findall(r"^(\S.*?) : .*\n((?: {4}.*\n?)+)", text, re.M):
            found |= dict.fromkeys(names.split(", "), " ".join(its.split()).rstrip("."))
    return found


def changed(holder: Any, given: dict[str, str]) -> Any:
    """Return the experiment, task or schedule with the values that ``given`` holds as text."""
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
    """Return the value in ``text`` for a field of this ``kind``; its present value is ``value``."""
    kinds = {each for each in get_args(kind) or (kind,) if each not in (NoneType, Ellipsis)}
    if text.lower() == "none" and (value is None or NoneType in get_args(kind)):
        return None
    of = next(iter(kinds)) if kinds in ({bool}, {int}, {str}) else float
    if not isinstance(value, tuple) and name != "p":
        return one(name, text, of)
    values = tuple(one(name, each.strip(), of) for each in text.split(","))
    if name != "p" and Ellipsis not in get_args(kind) and len(values) != len(value):
        raise ValueError(f"{name} must be {len(value)} values, got {text!r}")
    return values


def one(name: str, text: str, kind: type) -> Any:
    """Convert ``text`` to a single value."""
    try:
        return {"true": True, "false": False}[text.lower()] if kind is bool else kind(text)
    except (KeyError, ValueError):
        wanted = {bool: "true or false", int: "a whole number", float: "a number"}[kind]
        raise ValueError(f"{name} must be {wanted}, got {text!r}") from None


PICTURES = (".pdf", ".svg", ".png")


class Command(argparse.ArgumentParser):
    """A parser whose errors are one sentence."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{message}; {self.prog} --help lists the options\n")


def summary(kind: type) -> str:
    """Return the docstring of a kind of experiment up to its list of parameters."""
    text = (kind.__doc__ or "").partition("\n    Parameters\n")[0]
    return text.replace("``", "").strip()


def listed() -> str:
    """Return a paragraph for each kind of experiment: its names and its description."""
    kinds: dict[type, list[str]] = {}
    for name, e in ALL.items():
        kinds.setdefault(type(e), []).append(name)
    parts = ((" ".join(names), summary(kind).partition("\n\n")[0]) for kind, names in kinds.items())
    return "\n\n".join(f"{names}\n    {text}" for names, text in parts)


def parsed(arguments: Sequence[str]) -> tuple[Experiment, argparse.Namespace]:
    """Return the experiment of a command with its changed parameters, and the other options."""
    name, rest = (arguments[0], arguments[1:]) if arguments else ("--help", [])
    raw = argparse.RawDescriptionHelpFormatter
    if name.startswith("-"):
        about = "Recompute a figure or table of the paper. NAME --help shows its parameters."
        first = Command("python -m slrlib", description=about, formatter_class=raw)
        first.add_argument("name", metavar="NAME", help="fig4a, table1, ...")
        first.add_argument("--list", action="version", version=listed(), help="list all names")
        first.add_argument("--version", action="version", version=f"slrlib {__version__}")
        first.parse_args([name])
    experiment = ALL[name]
    about = summary(type(experiment))
    command = Command(f"python -m slrlib {name}", description=about, allow_abbrev=False)
    files = {"action": "extend", "nargs": "+", "default": [], "metavar": "FILE"}
    command.add_argument("--out", **files, help=".pdf, .svg, .png, .csv or .npz")
    command.add_argument("--folder", help="store the result in this folder, or read it from there")
    command.add_argument("--afresh", action="store_true", help="recompute a stored result")
    command.add_argument("--quiet", action="store_true", help="do not show progress")
    always = vars(command.parse_args([]))
    means = meanings(experiment)
    options = command.add_argument_group("parameters, with their defaults")
    for key, value in numbers(experiment):
        flags = dict.fromkeys((f"--{key.replace('_', '-')}", f"--{key}"))
        says = f"{means[key]} [{shown(value):.40}]".replace("%", "%%")
        options.add_argument(
            *flags, dest=key, metavar="VALUE", help=says, default=argparse.SUPPRESS
        )
    given = command.parse_args(rest)
    own = {key: x for key, x in vars(given).items() if key not in always}
    return changed(experiment, own), given


def figures(outs: Sequence[str], experiment: Experiment) -> Any:
    """Return the module that draws, if a file is a picture; refuse files that cannot be written."""
    for out in outs:
        if Path(out).suffix not in (*PICTURES, ".csv", ".npz"):
            raise ValueError(f"out must end in .pdf, .svg, .png, .csv or .npz, got {out!r}")
        store.make_folder(Path(out).parent, out)
    if not any(Path(out).suffix in PICTURES for out in outs):
        return None
    try:
        from slrbook import figures
    except ModuleNotFoundError as missing:
        raise ModuleNotFoundError(
            f"a picture needs {missing.name}: run \"pip install '.[book]'\" in the clone; "
            ".csv and .npz files do not need it"
        ) from None
    figures.check(experiment)
    return figures


def result_of(experiment: Experiment, given: argparse.Namespace, folder: Path) -> tuple[Any, str]:
    """Return the result, from ``results/``, ``folder`` or a new run, and a note on its source."""
    if not given.afresh and (there := locate(experiment, folder) or locate(experiment)):
        place, arrays, header = there
        outdated = experiment.outdated(header)
        how = f"read from {experiment.file(place)}" + f", {outdated}" * bool(outdated)
        return unpacked(experiment.result, arrays), how
    if experiment.needs_model and extra.missing():
        raise ModuleNotFoundError(extra.missing())
    begin = time.perf_counter()
    if given.afresh and experiment.read(folder, whole=True):
        experiment.file(folder).unlink()
    result = experiment.run(folder, progress=not given.quiet)
    return result, f"computed in {time.perf_counter() - begin:.1f} s"


def write_result(out: str, experiment: Experiment, result: Any, draw: Any) -> None:
    """Write the file ``out`` in the format that its extension names."""
    if out.endswith(".npz"):
        store.save(out, packed(result), {"experiment": experiment.described()})
    elif out.endswith(".csv"):
        write(result, out, experiment)
    else:
        with store.whole(out) as beside:
            draw.save(experiment, result, beside)


def done(experiment: Experiment, given: argparse.Namespace) -> int:
    """Run a valid command and return its exit status; without ``--folder`` no result is kept."""
    draw = figures(given.out, experiment)
    cache = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "slrlib"
    folder = Path(given.folder or cache)
    try:
        result, how = result_of(experiment, given, folder)
        print(f"{experiment.name}, {how}\n{experiment.finding(result)}")
        for out in given.out:
            write_result(out, experiment, result, draw)
            print(out)
    except KeyboardInterrupt:
        print("\nstopped; the same command resumes the run", file=sys.stderr)
        return 130
    if given.folder is None:
        experiment.file(folder).unlink(missing_ok=True)
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status."""
    jax.config.update("jax_enable_x64", True)
    try:
        return done(*parsed(sys.argv[1:] if arguments is None else arguments))
    except (ValueError, ModuleNotFoundError) as wrong:
        print(wrong, file=sys.stderr)
        return 1 if isinstance(wrong, ModuleNotFoundError) else 2
    except OSError as wrong:
        print(f"{wrong}, with --folder or --out", file=sys.stderr)
        return 2

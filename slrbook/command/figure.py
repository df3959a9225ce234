"""The command line: ``python -m slrlib fig4a --d 1000 --lam0 0.5 --seed 3 --out fig4a.pdf``.

Without ``--out`` the finding is printed and nothing is written; ``--list`` lists all names.
"""

import argparse
import inspect
import os
import re
import sys
import tempfile
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
    try:
        value = {"true": True, "false": False}[text.lower()] if kind is bool else kind(text)
        if kind is not int or 0 <= value < LARGEST:
            return value
    except (KeyError, ValueError):
        pass
    wanted = {bool: "true or false", int: "a whole number of zero or more", float: "a number"}
    raise ValueError(f"{name} must be {wanted[kind]}, got {text!r}")


PICTURES = (".pdf", ".svg", ".png")


class Command(argparse.ArgumentParser):
    """A parser whose errors are one sentence."""

    def error(self, message: str) -> NoReturn:
        unknown = message.startswith("unrecognized arguments")
        self.exit(2, message + f"; {self.prog} --help names them" * unknown + "\n")


def summary(experiment: Experiment) -> str:
    """Return the docstring of a kind of experiment up to its list of parameters."""
    text = (type(experiment).__doc__ or "").partition("\n    Parameters\n")[0]
    return text.replace("``", "").strip()


def listed() -> str:
    """Return all names, each with a line that no other has."""
    bases = {name: name.split("-")[0] for name in ALL}
    bases = {name: base for name, base in bases.items() if base != name and base in ALL}
    lines = []
    for name, e in ALL.items():
        own = {key: shown(x) for key, _, x in numbers(e)}
        if name in bases:
            others = [ALL[bases[name]]]
            text = f"{bases[name]} with "
        else:
            others = [x for n, x in ALL.items() if type(x) is type(e) and n not in bases]
            text = " ".join(summary(e).split("\n\n")[0].split())
        values = [{key: shown(x) for key, _, x in numbers(other)} for other in others]
        new = [key for key in own if any(its.get(key) != own[key] for its in values)]
        new = [x for x in new if x != "log_every" and own[x] not in ("none", "false")]
        differs = ", ".join(f"{key} = {own[key]}" for key in new)
        text += differs if name in bases else f" [{differs}]" * bool(new)
        lines.append(f"{name:17s}{text}")
    return "\n".join(lines)


def parsed(arguments: Sequence[str]) -> tuple[Experiment, argparse.Namespace]:
    """Return the experiment of a line with its changed numbers, and the other options."""
    name, rest = (arguments[0], arguments[1:]) if arguments else ("--help", [])
    if name.startswith("-"):
        about = "Recompute a figure or table of the paper. NAME --help shows its parameters."
        first = Command(prog="python -m slrlib", description=about, allow_abbrev=False)
        first.add_argument("name", metavar="NAME", help="fig4a, table1, ...")
        first.add_argument("--list", action="store_true", help="show all names")
        first.add_argument("--version", action="version", version=f"slrlib {__version__}")
        if name == "--list":
            print(listed())
            first.exit(0)
        first.parse_args([name])
    experiment = ALL[name]
    command = Command(
        prog=f"python -m slrlib {name}",
        description=summary(experiment),
        allow_abbrev=False,
    )
    command.add_argument(
        "--out",
        action="extend",
        nargs="+",
        default=[],
        metavar="FILE",
        help=".pdf, .svg, .png, .csv or .npz",
    )
    command.add_argument("--folder", help="keep the result there; read it if it is there")
    command.add_argument("--afresh", action="store_true", help="compute stored results again")
    command.add_argument("--quiet", action="store_true", help="show no progress")
    add_options(command.add_argument_group("parameters, with their defaults"), experiment)
    given = command.parse_args(rest)
    always = vars(command.parse_args([]))
    own = {key: x for key, x in vars(given).items() if key not in always}
    return changed(experiment, own), given


def figures(outs: Sequence[str], experiment: Experiment) -> Any:
    """Return the module that draws, if a picture is asked for; refuse a wrong ending."""
    for out in outs:
        if Path(out).suffix not in (*PICTURES, ".csv", ".npz"):
            raise ValueError(f"out must end in .pdf, .svg, .png, .csv or .npz, got {out!r}")
        if Path(out).is_dir():
            raise ValueError(f"out must be a file, got the folder {out}")
    if not any(Path(out).suffix in PICTURES for out in outs):
        return None
    if experiment.draw is None:
        raise ValueError(f"{experiment.name} has no picture: it is printed, or written to .csv")
    try:
        from slrbook import figures
    except ModuleNotFoundError as missing:
        raise ModuleNotFoundError(
            f"a picture needs {missing.name}: type \"pip install '.[book]'\" in the clone; "
            ".csv and .npz need nothing more"
        ) from None
    return figures


def result_of(experiment: Experiment, given: argparse.Namespace, folder: Path) -> tuple[Any, str]:
    """Return (result, where it comes from): stored, kept in ``folder``, or computed now."""
    if not given.afresh:
        if there := locate(experiment, folder) or locate(experiment):
            place, arrays, header = there
            outdated = experiment.outdated(header)
            how = f"read from {experiment.file(place)}" + f", {outdated}" * bool(outdated)
            return unpacked(experiment.result, arrays), how
    if experiment.needs_model and extra.missing():
        raise ModuleNotFoundError(extra.missing())
    begin = time.perf_counter()
    if given.afresh and experiment.read(folder, whole=True):
        forget(experiment, folder)
    result = experiment.run(folder, progress=not given.quiet)
    return result, f"computed in {time.perf_counter() - begin:.1f} s"


def forget(experiment: Experiment, folder: str | Path) -> None:
    """Remove what ``folder`` holds of the experiment or of a piece of it."""
    for each, at in [*experiment.pieces(folder), (experiment, folder)]:
        each.file(at).unlink(missing_ok=True)


def folder_of(given: argparse.Namespace) -> Path:
    """Return the folder to keep runs in; refuse paths that cannot be written.

    A ``--folder`` that is there already may be read-only: it is checked before something is kept.
    A home that cannot be written, as in some containers, is no reason to refuse.
    """
    for out in given.out:
        store.make_folder(Path(out).parent, out)
    cache = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser()
    folder = Path(given.folder or cache / "slrlib")
    try:
        if given.folder is None or not folder.is_dir():
            store.make_folder(folder)
    except OSError as error:
        if given.folder is not None:
            raise
        reason = str(error).partition(": ")[0]
        print(f"no cache: {reason}; a stopped run starts over", file=sys.stderr)
        return Path(tempfile.mkdtemp(prefix="slrlib-"))
    return folder


def write_result(out: str, experiment: Experiment, result: Any, draw: Any) -> None:
    """Write the file ``out``, of the kind that its ending names."""
    if out.endswith(".npz"):
        store.save(out, packed(result), {"experiment": experiment.described()})
        return
    if out.endswith(".csv"):
        write(result, out, experiment)
        return
    with store.whole(out) as beside:
        draw.save(experiment, result, beside)


def done(experiment: Experiment, given: argparse.Namespace) -> int:
    """Run a valid line and return its exit status."""
    draw, folder = figures(given.out, experiment), folder_of(given)
    try:
        result, how = result_of(experiment, given, folder)
        print(f"{experiment.name}, {how}\n{experiment.finding(result)}")
        for out in given.out:
            write_result(out, experiment, result, draw)
            print(out)
    except KeyboardInterrupt:
        print("\nstopped; the same line resumes the run", file=sys.stderr)
        return 130
    if given.folder is None:
        forget(experiment, folder)
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a line and return its exit status."""
    jax.config.update("jax_enable_x64", True)
    try:
        experiment, given = parsed(sys.argv[1:] if arguments is None else arguments)
        return done(experiment, given)
    except (ValueError, ModuleNotFoundError, OSError) as wrong:
        print(wrong, file=sys.stderr)
        return 1 if isinstance(wrong, ModuleNotFoundError) else 2

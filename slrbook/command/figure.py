"""One line a figure: ``python -m slrlib fig4a --d 1000 --lam0 0.5 --seed 3 --out fig4a.pdf``.

Without ``--out`` the finding is printed and nothing is written; ``--list`` says what there is.
"""

import argparse
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import jax

from slrbook.command.finding import finding
from slrbook.command.options import add_options, changed, numbers, shown
from slrlib import store
from slrlib.experiments import ALL
from slrlib.experiments.base import Experiment, made_by_other_code, packed, unpacked
from slrlib.experiments.registry import found_in
from slrlib.experiments.tidy import write
from slrlib.language import extra

PICTURES = (".pdf", ".svg", ".png")


class Command(argparse.ArgumentParser):
    """A parser that answers a wrong line with one sentence."""

    def error(self, message: str) -> NoReturn:
        unknown = message.startswith("unrecognized arguments")
        self.exit(2, message + f"; {self.prog} --help names them" * unknown + "\n")


def listed() -> str:
    """The names, each with what it is."""
    lines = []
    for name, e in ALL.items():
        says = " ".join((type(e).__doc__ or "").split("\n\n")[0].split()).replace("``", "")
        if (base := name.split("-")[0]) != name and base in ALL:
            pairs = zip(numbers(e), numbers(ALL[base]), strict=True)
            new = [f"{key} = {shown(x)}" for (key, _, x), (*_, old) in pairs if x != old]
            says = f"{base} with {', '.join(new)}"
        lines.append(f"{name:17s}{says}")
    return "\n".join(lines)


def parsed(arguments: Sequence[str]) -> tuple[Experiment, argparse.Namespace]:
    """The experiment of a line with its changed numbers, and what else the line asks for."""
    name, rest = (arguments[0], arguments[1:]) if arguments else ("--help", [])
    if name.startswith("-"):
        about = "A figure or table of the paper, recomputed. NAME --help shows its numbers."
        first = Command(prog="python -m slrlib", description=about, allow_abbrev=False)
        first.add_argument("name", metavar="NAME", help="fig4a, table1, ...")
        first.add_argument("--list", action="store_true", help="show all names")
        if name == "--list":
            print(listed())
            first.exit(0)
        first.parse_args([name])
    experiment = ALL[name]
    command = Command(
        prog=f"python -m slrlib {name}",
        description=(type(experiment).__doc__ or "").replace("``", ""),
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
    command.add_argument("--afresh", action="store_true", help="compute what is stored, too")
    command.add_argument("--quiet", action="store_true", help="show no progress")
    add_options(command.add_argument_group("numbers, with the values they have"), experiment)
    given = command.parse_args(rest)
    always = vars(command.parse_args([]))
    own = {key: x for key, x in vars(given).items() if key not in always}
    return changed(experiment, own), given


def figures(outs: Sequence[str], experiment: Experiment) -> Any:
    """The module that draws, if a picture is asked for; what cannot be written is refused."""
    for out in outs:
        if Path(out).suffix not in (*PICTURES, ".csv", ".npz"):
            raise ValueError(f"out must end in .pdf, .svg, .png, .csv or .npz, got {out!r}")
    if not any(Path(out).suffix in PICTURES for out in outs):
        return None
    try:
        from slrbook import figures
    except ModuleNotFoundError as missing:
        needs = f"a picture needs {missing.name}: pip install 'slrlib[book]'; .csv and .npz do not"
        raise ModuleNotFoundError(needs) from None
    if type(experiment) not in figures.DRAWN:
        raise ValueError(f"{experiment.name} has no picture: it is printed, or written to .csv")
    return figures


def found(experiment: Experiment, given: argparse.Namespace) -> tuple[Any, str]:
    """(result, where it comes from): stored, kept, or computed now."""
    if not given.afresh:
        experiment.mend(given.folder or unfinished())
        for place in (given.folder or unfinished(), None):
            if there := found_in(experiment, place):
                folder, arrays, header = there
                other = made_by_other_code(header)
                how = f"read from {experiment.file(folder)}" + f", {other}" * bool(other)
                return unpacked(experiment.result, arrays), how
    if experiment.needs_model and extra.missing():
        raise ModuleNotFoundError(extra.missing())
    folder, begin = given.folder or unfinished(), time.perf_counter()
    if given.afresh and experiment.found(folder, whole=True):
        forget(experiment, folder)
    result = experiment.run(folder, progress=not given.quiet)
    return result, f"computed in {time.perf_counter() - begin:.1f} s"


def files(experiment: Experiment, folder: str | Path) -> list[Path]:
    """Where the experiment or a piece of it may be kept."""
    return [each.file(at) for each, at in [*experiment.pieces(folder), (experiment, folder)]]


def forget(experiment: Experiment, folder: str | Path) -> None:
    """Remove what is kept of it."""
    for file in files(experiment, folder):
        file.unlink(missing_ok=True)


def unfinished() -> Path:
    """Where runs on their way are kept if the line names no folder."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "slrlib"


def written(out: str, experiment: Experiment, result: Any, draw: Any) -> None:
    """The file ``out``, of the kind that its ending says."""
    if out.endswith(".npz"):
        store.save(out, packed(result), {"experiment": experiment.described()})
        return
    if out.endswith(".csv"):
        write(result, out)
        return
    with store.whole(out) as beside:
        draw.save(experiment, result, beside)


def done(experiment: Experiment, given: argparse.Namespace) -> int:
    """The exit status of a line that is right."""
    folder = given.folder or unfinished()

    def stopped() -> str:
        kept = any(file.exists() for file in files(experiment, folder))
        return f"stopped; the same line {'goes on' if kept else 'begins again'}"

    try:
        draw = figures(given.out, experiment)
        result, how = found(experiment, given)
        print(f"{experiment.name}, {how}\n{finding(experiment, result)}")
        for out in given.out:
            written(out, experiment, result, draw)
            print(out)
    except KeyboardInterrupt:
        print(f"\n{stopped()}", file=sys.stderr)
        return 130
    if given.folder is None:
        forget(experiment, folder)
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit status of a line."""
    jax.config.update("jax_enable_x64", True)
    try:
        experiment, given = parsed(sys.argv[1:] if arguments is None else arguments)
        return done(experiment, given)
    except (ValueError, ModuleNotFoundError, OSError) as wrong:
        print(wrong, file=sys.stderr)
        return 1 if isinstance(wrong, ModuleNotFoundError) else 2

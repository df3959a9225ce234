"""Experiments by their names: run, or read where their results are stored."""

import os
from pathlib import Path
from typing import Any

from slrlib.experiments.base import LOG, Experiment, Folder, made_by_other_code, unpacked
from slrlib.experiments.catalogue import ALL
from slrlib.language import extra

# What takes minutes, or a model that is not everywhere, stands in results/.
STORED = [name for name, e in ALL.items() if e.needs_model or e.takes_minutes]


def run(experiment: Experiment, *, folder: Folder = None, progress: bool = False) -> Any:
    """The data of ``experiment``, a NamedTuple: ``DescentResult``, ``LayerTrainingResult``, ...

    ``result.to_csv(path)`` writes it as one table, ``pandas.DataFrame(result.columns())`` holds it.
    With a ``folder`` they are read from there, or kept there, runs of descent after each of some
    twenty chunks: a second call goes on from there. ``progress`` shows a bar.
    """
    if not isinstance(experiment, Experiment):
        raise ValueError(f"experiment must be one such as PAPER['fig4a'], got {experiment!r}")
    return experiment.run(folder, progress)


def find(name: str | Experiment) -> Experiment:
    """The experiment of this name; one is its own name."""
    if not isinstance(name, str | Experiment):
        raise ValueError(f"name must be that of an experiment, got {name!r}")
    return ALL[name] if isinstance(name, str) else name


def results_folders() -> list[Path]:
    """Where results may be stored: the nearest folder ``results`` here or above, the one of the
    clone that slrlib is imported from, and the one that comes with the installed package."""
    here, package = Path.cwd(), Path(__file__).parents[1]
    around = [place / "results" for place in (here, *here.parents)]
    near = next((folder for folder in around if folder.is_dir()), around[0])
    return list(dict.fromkeys([near, package.with_name("results"), package / "results"]))


def found_in(experiment: Experiment, folder: Folder = None) -> tuple[Path, dict, dict] | None:
    """(folder, arrays, header) of its whole result in ``folder``, or where results are stored."""
    for place in results_folders() if folder is None else [Path(folder)]:
        if there := experiment.found(place, whole=True):
            return place, *there
    return None


def stored(experiment: Experiment, folder: Folder) -> tuple[dict, dict]:
    """(arrays, header) of its whole result."""
    there = found_in(experiment, folder)
    if there is None:
        making = "run(experiment, folder=...)"
        if any(experiment is ALL[name] for name in STORED):
            making = "make results"
        raise ValueError(
            f"folder must hold the whole result of {experiment.name} with these numbers, "
            f"got no such file in {results_folders()[0] if folder is None else folder}; "
            f"`{making}` makes it"
        )
    _, arrays, header = there
    if other := made_by_other_code(header):
        LOG.info("%s was %s", experiment.name, other)  # as a result from results/ mostly is
    return arrays, header


def load(name: str | Experiment, folder: Folder = None) -> Any:
    """The stored result, from ``folder`` or else the nearest ``results``; nothing is computed."""
    experiment = find(name)
    return unpacked(experiment.result, stored(experiment, folder)[0])


def made_on(name: str | Experiment, folder: Folder = None) -> dict:
    """On what a stored result was computed: see ``store.machine``."""
    return stored(find(name), folder)[1]["machine"]


def is_live() -> bool:
    """Whether the model is here. Where the variable CI is set, it must be."""
    if not extra.available() and os.environ.get("CI"):
        raise ModuleNotFoundError(extra.missing())
    return extra.available()


def measured(name: str, folder: Folder = None) -> Any:
    """The result of this name: computed now, or the stored one where the model is not."""
    return ALL[name].run() if is_live() else load(name, folder)

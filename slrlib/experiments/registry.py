"""An experiment by its name: run, or read where its result is stored."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from slrlib.experiments.base import LOG, Experiment, Folder
from slrlib.experiments.catalogue import ALL, STORED
from slrlib.experiments.tidy import unpacked
from slrlib.language import extra


def run(experiment: Experiment, *, folder: Folder = None, progress: bool = False) -> Any:
    """Compute the data of an experiment, or read them from a folder.

    Parameters
    ----------
    experiment : Experiment
        Such as ``PAPER["fig4a"]``, or that with other numbers by ``dataclasses.replace``.
    folder : str or Path, optional
        Read the result from there if it is there; else compute it and keep it there. A run of
        descent is kept after each of some twenty chunks, and a second call resumes it.
    progress : bool
        Whether to show a progress bar.

    Returns
    -------
    NamedTuple
        ``DescentResult``, ``LayerTrainingResult``, ...: ``result.to_csv(path)`` writes it as one
        table, ``pandas.DataFrame(result.columns())`` holds it.

    Examples
    --------
    >>> from slrlib.experiments import PAPER, run
    >>> table = run(PAPER["table1"])
    """
    if not isinstance(experiment, Experiment):
        raise ValueError(f"experiment must be one such as PAPER['fig4a'], got {experiment!r}")
    return experiment.run(folder, progress)


def results_folders() -> list[Path]:
    """List where results may be stored.

    The nearest folder ``results`` here or above, the one of the clone that slrlib is imported from,
    and the one that comes with the installed package.
    """
    here, package = Path.cwd(), Path(__file__).parents[1]
    around = [place / "results" for place in (here, *here.parents)]
    near = next((folder for folder in around if folder.is_dir()), around[0])
    return list(dict.fromkeys([near, package.with_name("results"), package / "results"]))


def locate(experiment: Experiment, folder: Folder = None) -> tuple[Path, dict, dict] | None:
    """Find (folder, arrays, header) of a whole result in ``folder``, or where results are stored.

    None if it is in none of them.
    """
    for place in results_folders() if folder is None else [Path(folder)]:
        if there := experiment.read(place, whole=True):
            return place, *there
    return None


def load(name: str | Experiment, folder: Folder = None) -> Any:
    """Read a stored result; nothing is computed.

    Parameters
    ----------
    name : str or Experiment
        A name such as "fig9", or an experiment with numbers of your own. An Experiment is used as
        it is.
    folder : str or Path, optional
        Where ``run`` kept it; else the nearest folder ``results``, or the packaged results.

    Returns
    -------
    NamedTuple
        What ``run`` returns.

    Examples
    --------
    >>> from slrlib.experiments import load
    >>> risk = load("fig9").excess_risk
    """
    if not isinstance(name, str | Experiment):
        raise ValueError(f"name must be that of an experiment, got {name!r}")
    experiment = ALL[name] if isinstance(name, str) else name
    there = locate(experiment, folder)
    if there is None:
        making = "run(experiment, folder=...)"
        if any(experiment is ALL[name] for name in STORED):
            making = "make results"
        raise ValueError(
            f"no finished result of {experiment.name} with these parameters in "
            f"{results_folders()[0] if folder is None else folder}; `{making}` computes it"
        )
    _, arrays, header = there
    if outdated := experiment.outdated(header):
        LOG.warning("%s was %s", experiment.name, outdated)
    return unpacked(experiment.result, arrays)


def is_live() -> bool:
    """Return whether the language model is installed.

    Returns
    -------
    bool
        If false, ``measured`` reads stored results.

    Examples
    --------
    >>> is_live() in (True, False)
    True
    """
    return extra.available()


def measured(name: str, folder: Folder = None) -> Any:
    """Compute the result of an experiment on language, or read it if no model is installed.

    Parameters
    ----------
    name : str
        A name of ``ALL``, such as "flip".
    folder : str or Path, optional
        Where to read; as for ``load``.

    Returns
    -------
    NamedTuple
        What ``run`` returns.

    Examples
    --------
    >>> measured("flip").output.shape
    (2,)
    """
    return ALL[name].run() if is_live() else load(name, folder)

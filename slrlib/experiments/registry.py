"""Functions that run an experiment or read its stored result."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from slrlib.experiments.base import LOG, Experiment, Folder
from slrlib.experiments.catalogue import ALL, STORED
from slrlib.experiments.tidy import unpacked
from slrlib.language import extra


def run(experiment: Experiment, *, folder: Folder = None, progress: bool = False) -> Any:
    """Compute the result of an experiment, or read it from a folder.

    Parameters
    ----------
    experiment : Experiment
        For example ``PAPER["fig4a"]``, or a variant of it made by ``dataclasses.replace``.
    folder : str or Path, optional
        If the result is in this folder, it is read; otherwise it is computed and stored there. Runs
        of descent are stored after each of about twenty chunks, and a second call resumes them.
    progress : bool
        Whether to show a progress bar.

    Returns
    -------
    NamedTuple
        The result, such as a ``DescentResult``. ``result.to_csv(path)`` writes it as one table, and
        ``pandas.DataFrame(result.columns())`` converts it to a data frame.

    Examples
    --------
    >>> from slrlib.experiments import PAPER, run
    >>> table = run(PAPER["table1"])
    """
    if not isinstance(experiment, Experiment):
        raise ValueError(f"experiment must be one such as PAPER['fig4a'], got {experiment!r}")
    return experiment.run(folder, progress)


def results_folders() -> list[Path]:
    """Return the folders in which results may be stored.

    They are the nearest folder ``results`` in the working directory or above it, the folder of the
    clone that slrlib is imported from, and the folder of the installed package.
    """
    here, package = Path.cwd(), Path(__file__).parents[1]
    around = [place / "results" for place in (here, *here.parents)]
    near = next((folder for folder in around if folder.is_dir()), around[0])
    return list(dict.fromkeys([near, package.with_name("results"), package / "results"]))


def locate(experiment: Experiment, folder: Folder = None) -> tuple[Path, dict, dict] | None:
    """Find (folder, arrays, header) of a complete result, or return None.

    The search covers ``folder``, or ``results_folders()`` if it is None.
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
        A name such as "fig9", or an experiment with your own parameters.
    folder : str or Path, optional
        Folder in which ``run`` stored the result; if None, the nearest folder ``results``, or the
        packaged results.

    Returns
    -------
    NamedTuple
        The result, as returned by ``run``.

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
        If False, ``measured`` reads stored results.

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
        Folder of the stored result, as for ``load``.

    Returns
    -------
    NamedTuple
        The result, as returned by ``run``.

    Examples
    --------
    >>> measured("flip").output.shape
    (2,)
    """
    return ALL[name].run() if is_live() else load(name, folder)

"""The measurements of the chapter on language: made live where its model is installed.

``python -m slrlib.experiments.measured`` makes them once more and stores them in results/, for a
machine without the model.
"""

import argparse
import os

import jax
from tqdm import tqdm

from slrlib import language
from slrlib.experiments.hiding import Hiding
from slrlib.experiments.inside import Controlling
from slrlib.experiments.language import Drawing
from slrlib.experiments.looking import Attending, Flipping
from slrlib.experiments.paper import PAPER, run
from slrlib.experiments.results import stored

# What takes minutes, fig1, draws and hidden, the chapter reads from results/, and does a part of it
# again (``slrlib.experiments.again``).
MEASURED = {
    each.name: each
    for each in (
        PAPER["fig1"],
        PAPER["fig2"],
        Flipping("flip"),
        Drawing("draws"),
        Controlling("controls"),
        Attending("heads"),
        Hiding("hidden"),
    )
}


def is_live():
    """Whether the model is here. Where the variable CI is set, it must be."""
    if not language.available() and os.environ.get("CI"):
        raise ModuleNotFoundError(language.missing())
    return language.available()


def measured(name, folder="results"):
    """The result of ``MEASURED[name]``: computed now, or the one in ``folder`` without a model."""
    return run(MEASURED[name]) if is_live() else stored(MEASURED[name], folder)


def main():
    command = argparse.ArgumentParser(description="Store what the chapter on language measures.")
    command.add_argument("folder", nargs="?", default="results")
    folder = command.parse_args().folder
    if language.missing():
        command.exit(1, f"{language.missing()}\n")
    jax.config.update("jax_enable_x64", True)  # as in the chapters
    for experiment in tqdm(MEASURED.values(), unit="result"):
        run(experiment, folder=folder)


if __name__ == "__main__":
    main()

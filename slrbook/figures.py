"""The picture of each figure, drawn from its result by ``python -m slrlib fig4a --out``."""

from pathlib import Path
from typing import Any

import matplotlib

from slrbook import picture as pictures
from slrlib.experiments.base import Experiment


def check(experiment: Experiment) -> None:
    """Refuse an experiment that has no picture."""
    if experiment.draw is None:
        raise ValueError(f"{experiment.name} has no picture: it is printed, or written to .csv")


def draw(experiment: Experiment, result: Any, **words: str) -> pictures.Picture:
    """Draw a result of ``experiment``; without ``words``, its finding is the alt text."""
    check(experiment)
    assert experiment.draw is not None
    return experiment.draw(result, pictures, **words or {"alt": experiment.finding(result)})


def save(experiment: Experiment, result: Any, path: str | Path) -> None:
    """Write the picture to ``path``; a PDF embeds TrueType fonts, as journals require."""
    with matplotlib.rc_context({"pdf.fonttype": 42}):
        draw(experiment, result).save(path)

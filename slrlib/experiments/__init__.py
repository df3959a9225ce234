"""One experiment a figure of the paper, and ``run``, which recomputes it at full scale."""

from slrlib.experiments.curves import Compared, Mapped
from slrlib.experiments.descent import Descended
from slrlib.experiments.kinds import Comparison, Descent, Experiment, Field
from slrlib.experiments.paper import PAPER, run

__all__ = [
    "PAPER",
    "Compared",
    "Comparison",
    "Descended",
    "Descent",
    "Experiment",
    "Field",
    "Mapped",
    "run",
]

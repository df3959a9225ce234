"""One experiment a figure of the paper, run at full scale by ``run`` or read by ``load``."""

from slrlib.experiments.catalogue import ALL, PAPER
from slrlib.experiments.descent import Descent
from slrlib.experiments.registry import is_live, load, made_on, measured, run
from slrlib.experiments.sweeps import sweep

__all__ = [
    "ALL",
    "PAPER",
    "Descent",
    "is_live",
    "load",
    "made_on",
    "measured",
    "run",
    "sweep",
]

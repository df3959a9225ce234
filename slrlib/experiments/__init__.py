"""One experiment a figure of the paper, run at full scale by ``run`` or read by ``load``."""

from slrlib.experiments.base import Experiment
from slrlib.experiments.registry import (
    ALL,
    PAPER,
    STORED,
    is_live,
    load,
    made_on,
    measured,
    run,
)

__all__ = ["ALL", "PAPER", "STORED", "Experiment", "is_live", "load", "made_on", "measured", "run"]

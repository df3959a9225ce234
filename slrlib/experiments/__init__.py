"""One experiment for each figure of the paper.

``run`` computes an experiment at full scale; ``load`` reads the stored result.

Book: {doc}`notation` (symbols, names in code, units).
"""

from __future__ import annotations

from slrlib.experiments.catalogue import ALL, PAPER
from slrlib.experiments.descent import Descent
from slrlib.experiments.ends import where_do_starts_end
from slrlib.experiments.registry import is_live, load, measured, run
from slrlib.experiments.sweeps import sweep
from slrlib.special import wilson

__all__ = [
    "ALL",
    "PAPER",
    "Descent",
    "is_live",
    "load",
    "measured",
    "run",
    "sweep",
    "where_do_starts_end",
    "wilson",
]

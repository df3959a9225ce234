"""Gradient descent on the pair (k, v): steps, schedules and whole runs, in the five overlaps.

Book: {doc}`notation` (symbols, names in code, units).
"""

from __future__ import annotations

from slrlib.dynamics import run, schedules, steps
from slrlib.dynamics.run import *
from slrlib.dynamics.schedules import *
from slrlib.dynamics.steps import *

__all__ = [*run.__all__, *schedules.__all__, *steps.__all__]  # pyright: ignore[reportUnsupportedDunderAll]

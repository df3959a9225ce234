"""Excess risk: of attention as a function of the five overlaps, and of reference predictors.

Book: {doc}`notation` (symbols, names in code, units).
"""

from __future__ import annotations

from slrlib.risk import activations, bayes, closed, reference
from slrlib.risk.activations import *
from slrlib.risk.bayes import *
from slrlib.risk.closed import *
from slrlib.risk.reference import *

__all__ = [*activations.__all__, *bayes.__all__, *closed.__all__, *reference.__all__]  # pyright: ignore[reportUnsupportedDunderAll]

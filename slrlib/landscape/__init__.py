"""The shape of the risk: on M, across M, at the swapped pair, and at the tilted pair.

Book: {doc}`notation` (symbols, names in code, units).
"""

from __future__ import annotations

from slrlib.landscape import bounds, points, states, swapped, tilted
from slrlib.landscape.bounds import *
from slrlib.landscape.points import *
from slrlib.landscape.states import *
from slrlib.landscape.swapped import *
from slrlib.landscape.tilted import *

__all__ = [*bounds.__all__, *points.__all__, *states.__all__, *swapped.__all__, *tilted.__all__]  # pyright: ignore[reportUnsupportedDunderAll]

"""The Transformer layer of the paper's experiments, in a plain and a fast form, and its training.

Book: {doc}`notation` (symbols, names in code, units).
"""

from __future__ import annotations

from slrlib.transformer import floor, layer, training
from slrlib.transformer.floor import *
from slrlib.transformer.layer import *
from slrlib.transformer.training import *

__all__ = [*floor.__all__, *layer.__all__, *training.__all__]  # pyright: ignore[reportUnsupportedDunderAll]

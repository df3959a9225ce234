"""A pretrained Transformer on sentences with one informative word.

The packages that read a model (the extra ``language``) are imported only when they are needed.

Book: {doc}`notation` (symbols, names in code, units).
"""

from __future__ import annotations

from slrlib.language import encoder, pair, sentences
from slrlib.language.encoder import *
from slrlib.language.pair import *
from slrlib.language.sentences import *

__all__ = [*encoder.__all__, *pair.__all__, *sentences.__all__]  # pyright: ignore[reportUnsupportedDunderAll]

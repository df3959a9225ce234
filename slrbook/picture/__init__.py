"""Still figures: arrays in, a ``Picture`` out. Nothing is computed here and no file is read.

One module holds the drawing functions of one chapter; all are names of this package. ``picture``
says how to write another.
"""

import importlib
import pkgutil

from slrbook.picture.picture import DRAWN, Picture, picture

for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")
globals().update(DRAWN)
__all__ = ["Picture", "picture", *DRAWN]  # pyright: ignore[reportUnsupportedDunderAll]

"""Static figures: functions that take arrays and return a ``Picture``, without computing anything.

Each module holds the drawing functions of one chapter; all are names of this package. The module
``picture`` explains how to write another one.
"""

import importlib
import pkgutil

from slrbook.picture.picture import DRAWN, Picture, picture

for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")
globals().update(DRAWN)
__all__ = ["Picture", "picture", *DRAWN]  # pyright: ignore[reportUnsupportedDunderAll]

"""slrlib: exact computations for single-location regression.

Importing slrlib changes no JAX setting and creates no array. Its modules are imported on first
access, as in ``import slrlib; slrlib.risk.excess_risk``.
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from slrlib.overlaps import Overlaps
    from slrlib.task import Task, Teacher

__version__ = version("slrlib")
__all__ = ["Overlaps", "Task", "Teacher"]

_HOMES = {"Overlaps": "overlaps", "Task": "task", "Teacher": "task"}
_MODULES = """checks special sphere overlaps task predictors risk dynamics landscape heads
transformer language store experiments""".split()


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        globals()[name] = getattr(import_module(f"slrlib.{_HOMES[name]}"), name)
        return globals()[name]
    if name in _MODULES:
        return import_module(f"slrlib.{name}")
    raise AttributeError(f"module 'slrlib' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES, *_MODULES})

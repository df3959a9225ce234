"""One experiment a figure of the paper, run at full scale by ``run`` or read by ``load``."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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


def __getattr__(name: str) -> Any:
    """A public name, found when it is first asked for: Ctrl-C is then heard from the beginning."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module("slrlib.experiments.registry"), name)
    globals()[name] = found
    return found

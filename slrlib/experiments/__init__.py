"""One experiment a figure of the paper, run at full scale by ``run`` or read by ``load``."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from slrlib.experiments.registry import ALL, PAPER, is_live, load, made_on, measured, run
    from slrlib.experiments.sweeps import sweep

__all__ = [
    "ALL",
    "PAPER",
    "is_live",
    "load",
    "made_on",
    "measured",
    "run",
    "sweep",
]


def __getattr__(name: str) -> Any:
    """A public name, found when it is first asked for: Ctrl-C is then heard from the beginning."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = "sweeps" if name == "sweep" else "registry"
    found = getattr(import_module(f"slrlib.experiments.{home}"), name)
    globals()[name] = found
    return found

"""How much memory arrays would take, said before they take it."""

from __future__ import annotations

import os
from functools import cache
from typing import Any

_UNKNOWN = 64e9  # bytes of a machine that does not tell


@cache
def memory() -> float:
    """The bytes of memory that this machine has."""
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, OSError, ValueError):  # no such question on this system
        return _UNKNOWN


def room(numbers: float, **sizes: Any) -> None:
    """Refuse so many ``numbers`` of eight bytes if they do not fit; ``sizes`` are what asks for
    them.
    """
    if 8.0 * numbers > memory():
        got = ", ".join(f"{float(size):.6g}" for size in sizes.values())
        raise ValueError(
            f"{' and '.join(sizes)} must fit into the {memory() / 1e9:.0f} GB of this machine, "
            f"got {got}, which would take about {8e-9 * numbers:.3g} GB"
        )

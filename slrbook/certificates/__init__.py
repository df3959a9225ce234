"""Certified claims: inequalities proved in ball arithmetic, with rounding errors included.

A ball is an interval of real numbers. A result that Arb computes from balls contains the exact
results for all of their points, so it can prove the sign of a function on a whole interval. A
certificate is a sentence and the numbers of its proof. ``python -m slrbook.certificates`` writes
``stored.json`` in about 15 seconds, and the tests prove each certificate again. Reading the stored
certificates needs only Python.

Book: {cite}`johansson2017arb`.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

STORED = Path(__file__).with_name("stored.json")


@cache
def stored() -> dict[str, dict[str, Any]]:
    """Return all certificates by name."""
    return json.loads(STORED.read_text("utf-8"))


def certified(name: str) -> str:
    """Return the sentence that the certificate of this name proves."""
    return stored()[name]["claim"]


def enclosure(name: str) -> tuple[float, float]:
    """Return a lower and an upper bound of the threshold that is certified under this name.

    They are the floats nearest to the stored decimal numbers, so they may be equal.
    """
    low, high = stored()[name]["root"]
    return float(low), float(high)

"""What the book calls certified: an inequality that holds in ball arithmetic, rounding included.

A ball is an interval of real numbers, and what Arb computes of balls holds for all of their points;
so a sign that it sees on a whole interval is proved. A certificate is a sentence and the numbers of
its proof. ``python -m slrbook.certificates`` writes ``stored.json`` in about 15 seconds, and the
tests prove each certificate again. Reading them needs only Python.

Book: {cite}`johansson2017arb`.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

STORED = Path(__file__).with_name("stored.json")


@cache
def stored() -> dict[str, dict[str, Any]]:
    """All certificates by name."""
    return json.loads(STORED.read_text("utf-8"))


def certified(name: str) -> str:
    """The sentence that the certificate of this name proves."""
    return stored()[name]["claim"]


def enclosure(name: str) -> tuple[float, float]:
    """Two numbers between which lies the threshold that is certified under this name.

    They are the floats next to the stored decimal numbers, so both may be the same.
    """
    low, high = stored()[name]["root"]
    return float(low), float(high)

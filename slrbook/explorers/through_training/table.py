"""The training of the layer of Figure 8 as a table that is small enough for a page.

``python -m slrbook.explorers.through_training.table results`` makes it from the stored results.
"""

import functools
import json
import sys
from pathlib import Path

import numpy as np

FILE = Path(__file__).with_name("table.json")
BAND = (50, 2.5, 97.5)  # the median, and the ends of the band that holds 95% of the runs


@functools.cache
def stored() -> dict:
    """Return ``step`` and two ``runs``: the zero matrix acts on the tokens or on the register.

    An alignment has three rows, as in ``BAND``; the example has one for each token, the register
    first. Risks are in units of 1e-5 with three digits, all other numbers in thousandths.
    """
    return json.loads(FILE.read_text("utf-8"))


def _thousandths(numbers):
    return [round(1000 * float(x)) for x in numbers]


def packed(trained) -> dict:
    """Return the rows of one result."""

    def band(runs):
        return np.percentile(runs, BAND, axis=1)

    return {
        "risk": [round(float(f"{1e5 * x:.3g}")) for x in np.median(trained.excess_risk, axis=1)],
        "k": [_thousandths(row) for row in band(trained.kappa)],
        "v": [_thousandths(row) for row in band(trained.nu)],
        "seen": _thousandths(np.median(trained.attention, axis=1)),
        "example": [_thousandths(token) for token in trained.example.T],
        "cap": round(1000 * float(np.median(trained.key_cap))),
    }


def make(folder) -> dict:
    """Make the table from the results in ``folder``."""
    from slrlib.experiments import load

    found = [load(name, folder) for name in ("fig8", "fig8-register")]
    return {"step": found[0].step.tolist(), "runs": [packed(trained) for trained in found]}


if __name__ == "__main__":
    FILE.write_text(json.dumps(make(sys.argv[1]), separators=(",", ":")) + "\n", "utf-8")

"""Fractions of runs, with 95% Wilson intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable


def wilson(hits: int, runs: int) -> tuple[float, float]:
    """Return the 95% Wilson interval of the fraction ``hits / runs``.

    Parameters
    ----------
    hits, runs : int
        How many of how many runs.

    Returns
    -------
    tuple of float
        The lower and the upper end.

    Examples
    --------
    >>> [round(x, 2) for x in wilson(9, 10)]
    [0.6, 0.98]
    """
    from scipy.stats import binomtest  # its import takes a second

    low, high = binomtest(int(hits), int(runs)).proportion_ci(method="wilson")
    return float(low), float(high)


def counted(words: Iterable[str]) -> str:
    """Return each word with its count, fraction and 95% Wilson interval, the most frequent first.

    For a single run, return the count and the word.
    """
    found = Counter(map(str, words))
    runs = found.total()
    if runs == 1:
        return f"1 {next(iter(found))}"
    parts = []
    for word, n in found.most_common():
        low, high = wilson(n, runs)
        parts.append(f"{n:,} {word} ({n / runs:.1%}, {low:.1%} to {high:.1%})")
    return ", ".join(parts)

"""Where the parts of a claim may end, from a search whose result proves nothing yet."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from flint import arb

from slrbook.certificates.closed import Setting, free_theta

_CLIP = 1e-3  # how far, relatively, the formulas on both sides of the clip are looked at
_FALL = 0.02  # the same for the interval on which a function falls through zero
_LEAST = 0.01  # a search for a zero begins here


def ends(parts: Sequence[Any], setting: Setting, begin: float) -> Iterator[tuple[float, float]]:
    """For each part the two ends of its interval of lam, or of 1 / lam for the last."""
    begin *= 1 - (1e-9 if parts[0].sees != "falls" else _FALL)
    for part, after in zip(parts, (*parts[1:], parts[-1]), strict=True):
        if part.far:
            yield 0.0, (1 + 1e-9) / begin
            return
        high = follows = max(2.0, 2 * begin)
        if part.sees == "falls":
            high = follows = (1 + _FALL) * _zero(part.formula, setting, begin)
        elif after.formula is not part.formula:
            clip = _zero(lambda *at: free_theta(*at) - 1, setting, _LEAST)
            high, follows = clip * (1 + _CLIP), clip * (1 - _CLIP)
        elif after.sees == "falls":
            high = follows = (1 - _FALL) * _zero(part.formula, setting, begin)
        yield begin, high
        begin = follows


def _zero(f: Callable[..., arb], setting: Setting, low: float) -> float:
    """The first zero of f above ``low``, where it is positive."""
    low = high = max(low, _LEAST)
    while f(arb(high), 1, setting) > 0:
        low, high = high, high * 1.1
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if f(arb(middle), 1, setting) > 0 else (low, middle)
    return low

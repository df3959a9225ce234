"""Where to cut: ends for the parts of a claim, from a search whose result proves nothing yet."""

from collections.abc import Callable

from flint import arb, ctx

from slrbook.certificates.closed import free_theta
from slrbook.certificates.thresholds import Threshold

_NEAR_CLIP = 1e-3  # how far, relatively, the formulas on both sides of the clip are looked at
_FALL = 0.02  # the same for the interval on which a function falls through zero
_FAR = 2.0  # 1 / lam is the variable from here on, or from twice the root


def ends(claim: Threshold) -> list[tuple[float, float]]:
    """For each part of ``claim`` the two ends of its interval."""
    ctx.prec = claim.bits
    s, found, last = claim.setting, [], None
    begin = float(claim.start(s).lower()) * (1 - 1e-9)
    for part, after in zip(claim.parts, (*claim.parts[1:], None), strict=True):
        if part.far:
            found.append((0.0, 1.0 / last * (1 + 1e-9)))
        elif part.sees == "falls":
            root = _zero(lambda lam, f=part.formula: f(lam, 1, s), max(begin, 0.01))
            last = root * (1 + _FALL)
            found.append((min(begin, root * (1 - _FALL)) if len(found) == 0 else begin, last))
            begin = last
        elif after is not None and after.formula is not part.formula:
            clip = _zero(lambda lam: free_theta(lam, 1, s) - 1, 1e-3)
            found.append((begin, clip * (1 + _NEAR_CLIP)))
            begin = clip * (1 - _NEAR_CLIP)
        elif after is not None and after.sees == "falls":
            root = _zero(lambda lam, f=part.formula: f(lam, 1, s), max(begin, 0.01))
            last = root * (1 - _FALL)
            found.append((begin, last))
            begin = last
        else:
            last = max(_FAR, 2 * begin)
            found.append((begin, last))
            begin = last
    return found


def _zero(f: Callable[[arb], arb], low: float) -> float:
    """The first zero above ``low`` of f, which is positive there."""
    high = low
    while f(arb(high).mid()) > 0:
        low, high = high, high * 1.1
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if f(arb(middle)) > 0 else (low, middle)
    return low

"""Signs and roots on covers of boxes, and the thresholds of lam."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from flint import arb, arb_series

from slrbook.certificates.claim import Claim
from slrbook.certificates.closed import Formula, Setting, free_theta
from slrbook.certificates.finding import ends

Function = Callable[[Any], Any]

_DEEPEST = 40


def hull(low: float, high: float) -> arb:
    """The ball that holds all numbers from ``low`` to ``high``."""
    return arb(low).union(arb(high))


def sign(x: arb) -> int:
    """1 or -1 if all of the ball has this sign, else 0."""
    return int(x > 0) - int(x < 0)


def value_sign(f: Function, low: float, high: float) -> int:
    """The sign of f on all of [low, high], or 0 if it cannot be told: as it is, or by its slope."""
    whole = hull(low, high)
    found = sign(f(whole))
    if found:
        return found
    middle = arb(low / 2 + high / 2)
    return sign(f(middle) + _slope(f, whole) * (whole - middle))


def slope_sign(f: Function, low: float, high: float) -> int:
    """The sign of the slope of f on all of [low, high], or 0 if it cannot be told."""
    return sign(_slope(f, hull(low, high)))


def _slope(f: Function, whole: arb) -> arb:
    """A ball that holds the slopes of f on ``whole``; useless where f divides by a possible 0."""
    try:
        return f(arb_series([whole, 1], prec=2))[1]
    except ValueError:
        return arb.nan()


def cuts(look: Callable, wanted: int, f: Function, low: float, high: float, depth: int = 0) -> str:
    """Cuts of [low, high], on each piece of which ``look`` sees ``wanted`` of f."""
    if look(f, low, high) == wanted:
        return "0"
    if depth == _DEEPEST:
        raise ArithmeticError(f"no sign {wanted} near {low}")
    middle = low / 2 + high / 2
    sides = (low, middle), (middle, high)
    return "1" + "".join(cuts(look, wanted, f, *side, depth + 1) for side in sides)


def pieces(low: float, high: float, word: str) -> list[tuple[float, float]]:
    """The intervals into which ``word`` cuts [low, high]; an error if it is no such word."""
    found, waiting = [], [(low, high)]
    for letter in word:
        if not waiting or letter not in "01":
            raise ValueError(f"the cuts have no place for {letter!r}")
        piece = low, high = waiting.pop()
        if letter == "0":
            found.append(piece)
        else:
            middle = low / 2 + high / 2
            waiting += [(middle, high), (low, middle)]
    if waiting:
        raise ValueError("the cuts end too early")
    return found


def holds(look: Callable, wanted: int, f: Function, low: float, high: float, word: str) -> bool:
    """Whether ``look`` sees ``wanted`` of f on each piece of [low, high]."""
    return low < high and all(look(f, *piece) == wanted for piece in pieces(low, high, word))


def root(f: Function, low: float, high: float, digits: int) -> tuple[str, str]:
    """Two decimal numbers, one unit of the last of ``digits`` places apart; f > 0, then f < 0."""
    unit = arb(10) ** -digits
    below, above = arb(low), arb(high)
    while not (above - below) < unit / 8:
        middle = ((below + above) / 2).mid()
        below, above = (middle, above) if f(middle) > 0 else (below, middle)
    number = (below / unit).floor().unique_fmpz()
    if number is None:
        raise ArithmeticError("more bits are needed for so many digits")
    for last in (int(number), int(number) + 1):  # it may lie just above a decimal number
        ends = _decimal(last, digits), _decimal(last + 1, digits)
        if f(arb(ends[0])) > 0 > f(arb(ends[1])):
            return ends
    raise ArithmeticError("no change of sign")


def _decimal(number: int, digits: int) -> str:
    text = str(number).rjust(digits + 1, "0")
    return f"{text[:-digits]}.{text[-digits:]}"


_LOOKS = {"positive": (value_sign, 1), "negative": (value_sign, -1), "falls": (slope_sign, -1)}


class Part(NamedTuple):
    """What is seen of a formula on an interval of lam, or of 1 / lam."""

    formula: Formula
    sees: str
    far: bool = False


_Cut = tuple[Part, tuple[float, float, str]]  # its interval and the cuts of it


def crossing(f: Formula, *before: Part) -> tuple[Part, ...]:
    """After ``before``: f falls through zero, and is negative from there on."""
    return *before, Part(f, "falls"), Part(f, "negative"), Part(f, "negative", far=True)


def from_zero(setting: Setting) -> arb:
    """The start of a claim on every lam."""
    return arb(0)


@dataclass(frozen=True)
class Threshold(Claim):
    """A claim whose sentence has {low} and {high} where f passes zero."""

    setting: Setting
    says: str
    parts: tuple[Part, ...]
    start: Callable[[Setting], arb] = from_zero
    digits: int = 20
    bits: int = 128
    besides: Callable[[Setting, arb, arb], bool] = lambda setting, low, high: True

    def found(self) -> dict:
        found: dict = {"parts": []}
        begin = float(self.start(self.setting).lower())
        for part, end in zip(self.parts, ends(self.parts, self.setting, begin), strict=True):
            f = self._function(part)
            found["parts"].append([*end, cuts(*_LOOKS[part.sees], f, *end)])
            if part.sees == "falls":
                found["root"] = list(root(f, *end, self.digits))
        return found

    def sentence(self, stored: dict) -> str:
        low, high = stored.get("root", ("", ""))
        return self.says.format(low=low, high=high)

    def proved(self, stored: dict) -> bool:
        if len(stored["parts"]) != len(self.parts):
            return False
        pieces = list(zip(self.parts, stored["parts"], strict=True))
        seen = (holds(*_LOOKS[p.sees], self._function(p), *cut) for p, cut in pieces)
        return self._covers(pieces) and self._passes(pieces, stored) and all(seen)

    def _function(self, part: Part) -> Function:
        if part.far:
            return lambda t: part.formula(1, t, self.setting)
        return lambda lam: part.formula(lam, 1, self.setting)

    def _covers(self, pieces: list[_Cut]) -> bool:
        """Whether the parts leave out no lam from the start on."""
        begins = arb(pieces[0][1][0]) <= self.start(self.setting)
        neighbours = pairwise(pieces)
        return begins and all(self._join(*pair) for pair in neighbours) and pieces[-1][0].far

    def _join(self, one: _Cut, two: _Cut) -> bool:
        (before, (_, high, _)), (after, (low, last, _)) = one, two
        if after.far:
            return low == 0 and arb(high) * arb(last) >= 1
        if before.formula is after.formula:
            return low <= high
        # The family is clipped below some lam between low and high, and above it is not.
        at_low, at_high = (free_theta(arb(lam), 1, self.setting) for lam in (low, high))
        return low <= high and at_low > 1 > at_high

    def _passes(self, pieces: list[_Cut], stored: dict) -> bool:
        """Whether the one part that falls does so through zero, where it is stored."""
        falling = [(part, cut) for part, cut in pieces if part.sees == "falls"]
        if not falling:
            return "root" not in stored
        (part, (first, last, _)), *_ = falling
        low, high = (arb(end) for end in stored["root"])
        f, inside = self._function(part), arb(first) <= low < high <= arb(last)
        return inside and f(low) > 0 > f(high) and self.besides(self.setting, low, high)

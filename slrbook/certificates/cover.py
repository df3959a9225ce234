"""An inequality on an interval: found by bisection, written down as the bisection, held again.

The cuts of an interval are a word: 1 where it is halved, and then those of its two halves follow;
0 where all of it is seen at once.
"""

from collections.abc import Callable, Iterator
from typing import Any

from flint import arb, arb_series

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
    letters = iter(word)
    found = list(_pieces(low, high, letters))
    if next(letters, None) is not None:
        raise ValueError("the cuts go on after the end")
    return found


def _pieces(low: float, high: float, letters: Iterator[str]) -> Iterator[tuple[float, float]]:
    letter = next(letters, None)
    if letter == "0":
        yield low, high
    elif letter == "1":
        middle = low / 2 + high / 2
        yield from _pieces(low, middle, letters)
        yield from _pieces(middle, high, letters)
    else:
        raise ValueError("the cuts end too early")


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

"""Signs of functions on intervals, and the thresholds of lam."""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from flint import arb, arb_series

from slrbook.certificates.claim import proved
from slrbook.certificates.closed import Formula, Setting, free_theta

Function = Callable[[Any], Any]

_DEEPEST = 40


def hull(low: float, high: float) -> arb:
    """Return the ball that contains all numbers from ``low`` to ``high``."""
    return arb(low).union(arb(high))


def sign(x: arb) -> int:
    """Return 1 or -1 if the whole ball has this sign, else 0."""
    return int(x > 0) - int(x < 0)


def seen(f: Function, low: Any, high: Any) -> str:
    """Return "+" or "-", the sign of f on all of [low, high], or "f" if f decreases, else "".

    The sign follows from a ball of values, or from the value in the middle and the derivative.
    """
    whole = hull(low, high)
    value, falls = f(whole), False
    if not sign(value):
        rise, middle = slope(f, whole), arb(low / 2 + high / 2)
        value, falls = f(middle) + rise * (whole - middle), rise < 0
    return {1: "+", -1: "-", 0: "f" * falls}[sign(value)]


def slope(f: Function, whole: arb) -> arb:
    """Return a ball that contains the derivative of f on ``whole``; NaN if f may divide by 0."""
    try:
        return f(arb_series([whole, 1], prec=2))[1]
    except ValueError:
        return arb.nan()


class Curve(NamedTuple):
    """A function of lam that is claimed to be positive up to a threshold.

    A theorem implies this up to ``start``; the proof here covers all larger lam. ``clipped`` is the
    formula where the swapped family has theta = 1, if it differs there.
    """

    formula: Formula
    clipped: Formula | None = None
    start: Callable[[Setting], arb] = lambda setting: arb(0)

    def look(self, low: Any, high: Any, setting: Setting) -> str:
        """Return ``seen`` on the interval [low, high] of lam / (1 + lam)."""

        def at(formula: Formula) -> Function:
            return lambda u: formula(u, 1 - u, setting)

        formulas = [self.formula]
        if self.clipped:  # theta falls as lam grows, so its values at the ends bound it
            first, last = (at(free_theta)(arb(end)) for end in (low, high))
            formulas = [self.clipped] * (not first < 1) + [self.formula] * (not last > 1)
        letters = {seen(at(formula), low, high) for formula in formulas}
        if len(letters) > 1 or (len(formulas) > 1 and "f" in letters):
            return ""
        return letters.pop()

    def word(self, low: float, high: float, setting: Setting, depth: int = 0) -> str:
        """Return the letters of ``look`` on successive pieces of [low, high]."""
        if letter := self.look(low, high, setting):
            return letter
        proved(depth < _DEEPEST, f"a sign near {low}")
        middle = low / 2 + high / 2
        sides = (low, middle), (middle, high)
        return "".join(self.word(*side, setting, depth + 1) for side in sides)

    def root(self, low: float, setting: Setting, digits: int) -> list[str]:
        """Return two decimal numbers around the zero that differ by one unit in the last digit."""
        unit = arb(10) ** -digits
        below, above = arb(low), arb(1)
        while not above / (1 - above) - below / (1 - below) < unit / 8:
            middle = ((below + above) / 2).mid()
            proved(below < middle < above, "more bits are needed for so many digits")
            positive = self.look(middle, middle, setting) == "+"
            below, above = (middle, above) if positive else (below, middle)
        number = int((below / (1 - below) / unit).mid().floor().fmpz())
        for last in (number, number + 1):  # the zero may lie just above a decimal number
            ends = [_decimal(last, digits), _decimal(last + 1, digits)]
            places = [arb(end) / (1 + arb(end)) for end in ends]
            if low <= places[0] and [self.look(u, u, setting) for u in places] == ["+", "-"]:
                return ends
        raise ArithmeticError("no change of sign")


def _decimal(number: int, digits: int) -> str:
    text = str(number).rjust(digits + 1, "0")
    return f"{text[:-digits]}.{text[-digits:]}"


def threshold(curve: Curve, setting: Setting, digits: int = 20) -> list[str]:
    """Return two decimal numbers around the zero of the curve; none if it is positive.

    Take a word like +++ff--. On a piece "f" the curve decreases, so it is positive there if a "+"
    follows, and negative if a "-" precedes. It therefore has at most one zero.
    """
    start = curve.start(setting)
    low = float((start / (1 + start)).lower()) * (1 - 1e-9)
    word = curve.word(low, 1.0, setting)
    proved(bool(re.fullmatch(r"[+f]*[-f]*", word)), f"one change of sign in {word}")
    return [] if word.endswith("+") else curve.root(low, setting, digits)


def once(curve: Curve, setting: Setting, digits: int = 20) -> dict:
    """Prove that the curve changes its sign once, from plus to minus."""
    root = threshold(curve, setting, digits)
    proved(bool(root), "a change of sign")
    return {"root": root}


def never(curve: Curve, setting: Setting) -> dict:
    """Prove that the curve is positive."""
    proved(not threshold(curve, setting), "no change of sign")
    return {}

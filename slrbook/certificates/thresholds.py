"""Claims on all lam: where a function is positive, and where it passes zero, once and for all.

The parts of a claim cover all lam in order from its start, below which a theorem of the book
speaks; the last of them has 1 / lam as its variable and reaches to 0.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

from flint import arb, ctx

from slrbook.certificates.closed import Formula, free_theta
from slrbook.certificates.cover import Function, cuts, holds, root, slope_sign, value_sign
from slrbook.certificates.finding import ends
from slrbook.certificates.letters import Setting

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
class Threshold:
    """A claim; ``says`` is its sentence, with {low} and {high} where f passes zero."""

    setting: Setting
    says: str
    parts: tuple[Part, ...]
    start: Callable[[Setting], arb] = from_zero
    digits: int = 20
    bits: int = 128
    besides: Callable[[Setting, arb, arb], bool] = lambda setting, low, high: True

    def made(self) -> dict:
        """The certificate; an error if the claim does not hold."""
        ctx.prec = self.bits
        found: dict = {"parts": []}
        begin = float(self.start(self.setting).lower())
        for part, end in zip(self.parts, ends(self.parts, self.setting, begin), strict=True):
            f = self._function(part)
            found["parts"].append([*end, cuts(*_LOOKS[part.sees], f, *end)])
            if part.sees == "falls":
                found["root"] = list(root(f, *end, self.digits))
        return {"claim": self.sentence(found), **found}

    def sentence(self, stored: dict) -> str:
        low, high = stored.get("root", ("", ""))
        return self.says.format(low=low, high=high)

    def verified(self, stored: dict) -> bool:
        """Whether what is stored proves its own sentence, and this is the claim."""
        ctx.prec = self.bits
        cut = stored["parts"]
        if stored["claim"] != self.sentence(stored) or len(cut) != len(self.parts):
            return False
        pieces = list(zip(self.parts, cut, strict=True))
        seen = (holds(*_LOOKS[p.sees], self._function(p), *cut) for p, cut in pieces)
        return self._covers(pieces) and self._passes(pieces, stored) and all(seen)

    def _function(self, part: Part) -> Function:
        return partial(_far if part.far else _near, part.formula, self.setting)

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


def _near(formula: Formula, setting: Setting, lam: Any) -> Any:
    return formula(lam, 1, setting)


def _far(formula: Formula, setting: Setting, t: Any) -> Any:
    return formula(1, t, setting)

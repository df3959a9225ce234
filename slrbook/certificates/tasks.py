"""The three thresholds of lam in a list of tasks: each is passed once, or never."""

from collections.abc import Iterator
from dataclasses import dataclass

from flint import arb

from slrbook.certificates import closed
from slrbook.certificates.claim import Claim
from slrbook.certificates.closed import Setting
from slrbook.certificates.thresholds import Part, Threshold, crossing, from_zero


def lambda_c(setting: Setting) -> arb:
    """Up to here {prf:ref}`pair-minimum` speaks. Book: {eq}`eq-lambda-c`."""
    m = (setting.L - 1) * arb(setting.gg) / (arb(setting.d) / 2 + setting.gg)
    return ((2 / (1 - m)) ** 2 - 1).sqrt() / 2


def lower_until(setting: Setting) -> arb:
    """Up to here {prf:ref}`swapped-lower` speaks. Book: {eq}`eq-swapped-lower`."""
    r2 = arb(setting.d) / 2
    return arb("0.73") * r2.sqrt() / (r2 + 3 * arb(setting.gg))


def positive(formula: closed.Formula, far: bool = False) -> Part:
    return Part(formula, "positive", far)


EQUAL = {
    "once": crossing(closed.gap, positive(closed.gap_clipped), positive(closed.gap)),
    "once, clipped": (
        positive(closed.gap_clipped),
        Part(closed.gap_clipped, "falls"),
        Part(closed.gap_clipped, "negative"),
        Part(closed.gap, "negative"),
        Part(closed.gap, "negative", far=True),
    ),
}
PAIR = {
    "once": crossing(closed.pair, positive(closed.pair)),
    "once, just above lambda_c": crossing(closed.pair),
    "never": (positive(closed.pair), positive(closed.pair, far=True)),
}
_UP_TO_THE_CLIP = positive(closed.clipped), positive(closed.unclipped)
SWAPPED = {
    "once": crossing(closed.unclipped, *_UP_TO_THE_CLIP),
    "never": (*_UP_TO_THE_CLIP, positive(closed.unclipped, far=True)),
}
_KINDS = {"equal": (EQUAL, lower_until), "pair": (PAIR, lambda_c), "swapped": (SWAPPED, from_zero)}


@dataclass(frozen=True)
class EachTask(Claim):
    """All three thresholds in every task of a list, each in one of the ways above."""

    settings: tuple[Setting, ...]
    says: str

    def found(self) -> dict:
        """An error if a threshold is passed in no way that is known."""
        tasks = [
            {kind: self._found(kind, setting) for kind in _kinds(setting)}
            for setting in self.settings
        ]
        return {"tasks": tasks}

    def proved(self, stored: dict) -> bool:
        tasks = stored["tasks"]
        return len(tasks) == len(self.settings) and all(map(_held, self.settings, tasks))

    def _found(self, kind: str, setting: Setting) -> dict:
        for way in _KINDS[kind][0]:
            claim = _claim(kind, way, setting)
            try:
                found = claim.made()
            except ArithmeticError:
                continue
            if claim.verified(found):
                return {"passed": way, **found}
        raise ArithmeticError(f"{kind} in {setting}")


def _kinds(setting: Setting) -> Iterator[str]:
    """The risks are compared at L = 2 only, as L falls out; at m >= 1 the pair needs no more proof.

    By {prf:ref}`pair-minimum` it is then a minimum at every lam.
    """
    proved = (setting.L - 1) * setting.gg >= setting.d / 2 + setting.gg
    if setting.L == 2:
        yield "equal"
    if not proved:
        yield "pair"
    yield "swapped"


def _claim(kind: str, way: str, setting: Setting) -> Threshold:
    ways, start = _KINDS[kind]
    return Threshold(setting, "", ways[way], start, digits=12)


def _held(setting: Setting, task: dict[str, dict]) -> bool:
    """Whether the three certificates of a task hold."""
    claims = {kind: _claim(kind, found["passed"], setting) for kind, found in task.items()}
    whole = list(claims) == list(_kinds(setting))
    return whole and all(claim.verified(task[kind]) for kind, claim in claims.items())

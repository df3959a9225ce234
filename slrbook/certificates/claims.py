"""All that the book calls certified, by name."""

from typing import Any, Protocol

from flint import arb

from slrbook.certificates import closed
from slrbook.certificates.letters import Setting
from slrbook.certificates.points import FivePoints, LastRisks, SpoiledMean
from slrbook.certificates.thresholds import Part, Threshold, crossing
from slrbook.certificates.tilted import Tilted


class Claim(Protocol):
    def made(self) -> dict[str, Any]:
        """The certificate; an error, or one that is not verified, if the claim does not hold."""
        ...

    def verified(self, stored: dict[str, Any]) -> bool:
        """Whether ``stored`` proves this claim, and its sentence is that of the claim."""
        ...


PAPER, WIDE, FEW = Setting(400, 10, 0.5), Setting(100, 2, 4.0), Setting(7, 2, 4.0)


def lambda_c(setting: Setting) -> arb:
    """Up to here {prf:ref}`pair-minimum` speaks. Book: {eq}`eq-lambda-c`."""
    m = (setting.L - 1) * arb(setting.gg) / (arb(setting.d) / 2 + setting.gg)
    return ((2 / (1 - m)) ** 2 - 1).sqrt() / 2


def lower_until(setting: Setting) -> arb:
    """Up to here {prf:ref}`swapped-lower` speaks. Book: {eq}`eq-swapped-lower`."""
    r2 = arb(setting.d) / 2
    return arb("0.73") * r2.sqrt() / (r2 + 3 * arb(setting.gg))


def _little_gap(setting: Setting, low: arb, high: arb) -> bool:
    closed_form = lambda_c(setting)
    return low > closed_form and high - closed_form < arb("1e-38")


_IN_PAPER = "At d = 400, L = 10, gamma^2 = 1/2"
_SWAPPED = "the block Q_sw of the swapped family is positive definite at every lam"
_PAIR = "the pair is a strict local minimum at every lam below a threshold and a saddle above it"
CLAIMS: dict[str, Claim] = {
    "equal-risks": Threshold(
        PAPER,
        "At d = 400, gamma^2 = 1/2 and any L, the swapped family has a lower risk than the pair at "
        "every lam below lambda_eq and a higher one above it; lambda_eq is between {low} and "
        "{high}.",
        crossing(closed.gap, Part(closed.gap_clipped, "positive"), Part(closed.gap, "positive")),
        start=lower_until,
    ),
    "pair-threshold": Threshold(
        PAPER,
        f"{_IN_PAPER}, {_PAIR}; it is between {{low}} and {{high}}, above lambda_c and by less "
        "than 1e-38.",
        crossing(closed.pair),
        start=lambda_c,
        digits=60,
        bits=320,
        besides=_little_gap,
    ),
    "pair-threshold-wide": Threshold(
        WIDE,
        f"At d = 100, L = 2, gamma = 2, {_PAIR}; it is between {{low}} and {{high}}.",
        crossing(closed.pair, Part(closed.pair, "positive")),
        start=lambda_c,
    ),
    "pair-always": Threshold(
        FEW,
        "At d = 7, L = 2, gamma = 2 the pair is a strict local minimum at every lam.",
        (Part(closed.pair, "positive"), Part(closed.pair, "positive", far=True)),
        start=lambda_c,
    ),
    "swapped-threshold": Threshold(
        PAPER,
        f"{_IN_PAPER}, {_SWAPPED} below lambda_sw and has a negative eigenvalue at every lam above "
        "it; lambda_sw is between {low} and {high}.",
        crossing(
            closed.unclipped, Part(closed.clipped, "positive"), Part(closed.unclipped, "positive")
        ),
    ),
    "swapped-always": Threshold(
        FEW,
        f"At d = 7, L = 2, gamma = 2, {_SWAPPED}.",
        (
            Part(closed.clipped, "positive"),
            Part(closed.unclipped, "positive"),
            Part(closed.unclipped, "positive", far=True),
        ),
    ),
    "best-lam": Threshold(
        PAPER,
        f"{_IN_PAPER}, the oracle's risk falls up to one lam and rises from there on; this lam is "
        "between {low} and {high}.",
        crossing(closed.oracle_fall, Part(closed.oracle_fall, "positive")),
    ),
    "last-risks": LastRisks(
        PAPER,
        (1, 13),
        f"{_IN_PAPER} and lam = 1/13 the swapped family has a lower excess risk than the pair.",
    ),
    "five-points": FivePoints(
        PAPER,
        (1, 10),
        "At d = 400, gamma^2 = 1/2, lam = 1/10 and any L, descent on M stands still at the four "
        "corners of the square of (kappa, nu) and at its centre, and nowhere else.",
    ),
    "tilted-minimum": Tilted(
        PAPER,
        (9, 10),
        f"{_IN_PAPER} and lam = 9/10 there is a strict local minimum of the risk in the plane of "
        "k* and v*, of lower risk than the pair.",
    ),
    "spoiled-mean": SpoiledMean(
        PAPER,
        ("0.0637", "0.0638"),
        "0.3",
        f"{_IN_PAPER} and every lam from 0.0637 to 0.0638, if the other tokens have the mean "
        "0.3 r k*, the pair is no local minimum on M: on nu = 1 the risk rises towards kappa = 1.",
    ),
}

"""All that the book calls certified, by name."""

from itertools import product

from flint import arb

from slrbook.certificates import closed
from slrbook.certificates.claim import Claim
from slrbook.certificates.closed import Setting
from slrbook.certificates.points import FivePoints, Inequality, last_risks, spoiled_mean
from slrbook.certificates.softmax import OnlyMinimum
from slrbook.certificates.tasks import (
    EQUAL,
    PAIR,
    SWAPPED,
    EachTask,
    lambda_c,
    lower_until,
    positive,
)
from slrbook.certificates.thresholds import Threshold, crossing
from slrbook.certificates.tilted import Tilted

PAPER, WIDE, FEW = Setting(400, 10, 0.5), Setting(100, 2, 4.0), Setting(7, 2, 4.0)
OTHERS = tuple(
    Setting(*numbers) for numbers in product((30, 100, 400, 2000), (2, 10, 100), (0.25, 1.0, 4.0))
)


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
        EQUAL["once"],
        start=lower_until,
    ),
    "pair-threshold": Threshold(
        PAPER,
        f"{_IN_PAPER}, {_PAIR}; it is between {{low}} and {{high}}, above lambda_c and by less "
        "than 1e-38.",
        PAIR["once, just above lambda_c"],
        start=lambda_c,
        digits=60,
        bits=320,
        besides=_little_gap,
    ),
    "pair-threshold-wide": Threshold(
        WIDE,
        f"At d = 100, L = 2, gamma = 2, {_PAIR}; it is between {{low}} and {{high}}.",
        PAIR["once"],
        start=lambda_c,
    ),
    "pair-always": Threshold(
        FEW,
        "At d = 7, L = 2, gamma = 2 the pair is a strict local minimum at every lam.",
        PAIR["never"],
        start=lambda_c,
    ),
    "swapped-threshold": Threshold(
        PAPER,
        f"{_IN_PAPER}, {_SWAPPED} below lambda_sw and has a negative eigenvalue at every lam above "
        "it; lambda_sw is between {low} and {high}.",
        SWAPPED["once"],
    ),
    "swapped-always": Threshold(
        FEW,
        f"At d = 7, L = 2, gamma = 2, {_SWAPPED}.",
        SWAPPED["never"],
    ),
    "other-tasks": EachTask(
        OTHERS,
        "In each of the 36 tasks with d = 30, 100, 400 or 2000, L = 2, 10 or 100, gamma^2 = 1/4, 1 "
        "or 4: the swapped family has a lower risk than the pair at every lam below some lam and "
        "a higher one above it; the pair is a strict local minimum at every lam, or below some lam "
        f"and a saddle above it; and {_SWAPPED}, or below some lam and has a negative eigenvalue "
        "at every lam above it.",
    ),
    "best-lam": Threshold(
        PAPER,
        f"{_IN_PAPER}, the oracle's risk falls up to one lam and rises from there on; this lam is "
        "between {low} and {high}.",
        crossing(closed.oracle_fall, positive(closed.oracle_fall)),
    ),
    "last-risks": Inequality(
        last_risks,
        (PAPER, "13"),
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
    "spoiled-mean": Inequality(
        spoiled_mean,
        (PAPER, "0.0637", "0.0638", "0.3"),
        f"{_IN_PAPER} and every lam from 0.0637 to 0.0638, if the other tokens have the mean "
        "0.3 r k*, the pair is no local minimum on M: on nu = 1 the risk rises towards kappa = 1.",
    ),
}
CLAIMS |= {
    f"softmax-{d}-{gg:g}-{lam}": OnlyMinimum(Setting(d, 2, gg), lam)
    for d, gg, lam in (
        (400, 0.5, "0.1"),
        (400, 0.5, "0.05"),
        (80, 0.5, "0.1"),
        (20, 0.5, "0.1"),
        (1000, 0.5, "0.1"),
        (400, 1.0, "0.1"),
    )
}
CLAIMS |= {
    f"softmax-figure-{d}": OnlyMinimum(Setting(d, 2, 0.5), "1/sqrt(d)") for d in (20, 80, 320, 1280)
}

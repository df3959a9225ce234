"""All certified claims of the book, by name."""

from itertools import product

from slrbook.certificates import closed
from slrbook.certificates.claim import Claim
from slrbook.certificates.closed import Setting
from slrbook.certificates.points import five_points, last_risks, spoiled_mean
from slrbook.certificates.softmax import only_minimum
from slrbook.certificates.tasks import EQUAL, PAIR, SWAPPED, each_task, just_above
from slrbook.certificates.thresholds import Curve, never, once
from slrbook.certificates.tilted import tilted

PAPER, WIDE, FEW = Setting(400, 10, 0.5), Setting(100, 2, 4.0), Setting(7, 2, 4.0)
OTHERS = tuple(
    Setting(*numbers) for numbers in product((30, 100, 400, 2000), (2, 10, 100), (0.25, 1.0, 4.0))
)


_IN_PAPER = "At d = 400, L = 10, gamma^2 = 1/2"
_SWAPPED = "the block Q_sw of the swapped family is positive definite at every lam"
_PAIR = "the pair is a strict local minimum at every lam below a threshold and a saddle above it"
CLAIMS: dict[str, Claim] = {
    "equal-risks": Claim(
        "At d = 400, gamma^2 = 1/2 and any L, the swapped family has a lower risk than the pair at "
        "every lam below lambda_eq and a higher one above it; lambda_eq is between {root[0]} and "
        "{root[1]}.",
        once,
        (EQUAL, PAPER),
    ),
    "pair-threshold": Claim(
        f"{_IN_PAPER}, {_PAIR}; it is between {{root[0]}} and {{root[1]}}, above lambda_c and by "
        "less than 1e-38.",
        just_above,
        (PAPER,),
        bits=320,
    ),
    "pair-threshold-wide": Claim(
        f"At d = 100, L = 2, gamma = 2, {_PAIR}; it is between {{root[0]}} and {{root[1]}}.",
        once,
        (PAIR, WIDE),
    ),
    "pair-always": Claim(
        "At d = 7, L = 2, gamma = 2 the pair is a strict local minimum at every lam.",
        never,
        (PAIR, FEW),
    ),
    "swapped-threshold": Claim(
        f"{_IN_PAPER}, {_SWAPPED} below lambda_sw and has a negative eigenvalue at every lam above "
        "it; lambda_sw is between {root[0]} and {root[1]}.",
        once,
        (SWAPPED, PAPER),
    ),
    "swapped-always": Claim(
        f"At d = 7, L = 2, gamma = 2, {_SWAPPED}.",
        never,
        (SWAPPED, FEW),
    ),
    "other-tasks": Claim(
        "In each of the 36 tasks with d = 30, 100, 400 or 2000, L = 2, 10 or 100, gamma^2 = 1/4, 1 "
        "or 4: the swapped family has a lower risk than the pair at every lam below some lam and "
        "a higher one above it; the pair is a strict local minimum at every lam, or below some lam "
        f"and a saddle above it; and {_SWAPPED}, or below some lam and has a negative eigenvalue "
        "at every lam above it.",
        each_task,
        (OTHERS,),
        bits=64,  # enough for signs; no digits are stored
    ),
    "best-lam": Claim(
        f"{_IN_PAPER}, the oracle's risk falls up to one lam and rises from there on; this lam is "
        "between {root[0]} and {root[1]}.",
        once,
        (Curve(closed.oracle_fall), PAPER),
    ),
    "last-risks": Claim(
        f"{_IN_PAPER} and lam = 1/13 the swapped family has a lower excess risk than the pair.",
        last_risks,
        (PAPER, "13"),
    ),
    "five-points": Claim(
        "At d = 400, gamma^2 = 1/2, lam = 1/10 and any L, descent on M stands still at the four "
        "corners of the square of (kappa, nu) and at its center, and nowhere else.",
        five_points,
        (PAPER, "0.1"),
    ),
    "tilted-minimum": Claim(
        f"{_IN_PAPER} and lam = 9/10 there is a strict local minimum of the risk in the plane of "
        "k* and v*, of lower risk than the pair.",
        tilted,
        (PAPER, "0.9"),
    ),
    "spoiled-mean": Claim(
        f"{_IN_PAPER} and every lam from 0.0637 to 0.0638, if the other tokens have the mean "
        "0.3 r k*, the pair is no local minimum on M: on nu = 1 the risk rises towards kappa = 1.",
        spoiled_mean,
        (PAPER, "0.0637", "0.0638", "0.3"),
    ),
}
CLAIMS |= {
    f"softmax-{d}-{gg:g}-{lam}": only_minimum(Setting(d, 2, gg), lam)
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
    f"softmax-figure-{d}": only_minimum(Setting(d, 2, 0.5), "1/sqrt(d)")
    for d in (20, 80, 320, 1280)
}

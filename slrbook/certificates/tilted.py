"""The tilted minimum at one lam: a box of two angles that holds one, and the bends of the risk.

In the plane of k* and v* let k be at the angle phi and v at chi from k*.
"""

from flint import arb, arb_series

from slrbook.certificates.claim import proved
from slrbook.certificates.closed import Setting, along, excess_risk

_GUESS = (-1.32, 1.22)
_RADIUS = 2.0**-40


def tilted(setting: Setting, lam: str) -> dict:
    """A strict local minimum of lower risk than the pair, by Newton's method from a guess."""
    at = [arb(x) for x in _GUESS]
    for _ in range(30):
        (slope, other), (a, b, d) = _slopes(at, setting, arb(lam))
        det = a * d - b * b
        step = (d * slope - b * other) / det, (a * other - b * slope) / det
        at = [(x - move).mid() for x, move in zip(at, step, strict=True)]
    angles = [float(x) for x in at]
    minimum(angles, setting, arb(lam))
    return {"angles": angles}


def minimum(angles: list[float], setting: Setting, lam: arb) -> None:
    """Krawczyk's test in a box around ``angles``, then all bends of the risk, then the risk."""
    box, one, zero = [arb(x, _RADIUS) for x in angles], arb(1), arb(0)
    proved(_one_inside([arb(x) for x in angles], box, setting, lam), "one point of slope zero")
    proved(_bends_up(box, setting, lam), "a strict minimum")
    pair = excess_risk((one, one, zero, zero, zero), lam, setting)
    proved(excess_risk(_in_plane(*box), lam, setting) < pair, "a lower risk")


def _slopes(
    at: list[arb], setting: Setting, lam: arb
) -> tuple[tuple[arb, arb], tuple[arb, arb, arb]]:
    """The two slopes in the angles, and the second derivatives (a, b, d)."""
    moved = {}
    for move in ((1, 0), (0, 1), (1, 1)):
        angles = (arb_series([x, m], prec=3) for x, m in zip(at, move, strict=True))
        moved[move] = along(_in_plane(*angles), lam, setting)
    (first, a), (second, d), (_, both) = moved.values()
    return (first, second), (a, (both - a - d) / 2, d)


def _one_inside(middle: list[arb], box: list[arb], setting: Setting, lam: arb) -> bool:
    """Krawczyk: the box holds one point of slope zero, and no other."""
    slopes, (a, b, d) = _slopes(middle, setting, lam)
    det = (a * d - b * b).mid()
    inverse = [[d.mid() / det, -b.mid() / det], [-b.mid() / det, a.mid() / det]]
    _, (a, b, d) = _slopes(box, setting, lam)
    bends, wide = [[a, b], [b, d]], [x - m for x, m in zip(box, middle, strict=True)]
    for i in range(2):
        image = middle[i] - sum(inverse[i][j] * slopes[j] for j in range(2))
        for k in range(2):
            left = int(i == k) - sum(inverse[i][j] * bends[j][k] for j in range(2))
            image += left * wide[k]
        if not box[i].contains_interior(image):
            return False
    return True


def _bends_up(box: list[arb], setting: Setting, lam: arb) -> bool:
    """Every bend of the risk, in the plane and out of it, is positive in the box."""
    _, (a, b, d) = _slopes(box, setting, lam)
    h = arb_series([0, 1], prec=3)
    kappa, nu, theta, eta, rho = _in_plane(*box)
    cos, sin = h.cos(), h.sin()
    turns = (
        (kappa * cos, nu, theta, eta * cos, rho * cos),  # of k
        (kappa, nu * cos, theta * cos, eta, rho * cos),  # of v
        (*(x * cos for x in (kappa, nu, theta, eta)), rho * cos * cos + sin * sin),
    )
    k, v, both = (along(turn, lam, setting)[1] for turn in turns)
    mixed = (both - k - v) / 2
    return a > 0 and a * d > b * b and k > 0 and k * v > mixed * mixed


def _in_plane(phi, chi) -> tuple:
    return phi.cos(), chi.sin(), chi.cos(), phi.sin(), (phi - chi).cos()

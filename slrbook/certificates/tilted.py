"""The tilted minimum at one lam: a box of two angles that contains it, and the Hessian of the risk.

In the plane of k* and v*, k is at the angle phi from k*, and v at the angle chi.
"""

from flint import arb, arb_mat, arb_series

from slrbook.certificates.claim import proved
from slrbook.certificates.closed import Setting, along, excess_risk

_GUESS = (-1.32, 1.22)
_RADIUS = 2.0**-40


def tilted(setting: Setting, lam: str) -> dict:
    """Find a strict local minimum of lower risk than the pair by Newton's method, and prove it."""
    at = [arb(x) for x in _GUESS]
    for _ in range(30):
        slopes, bends = _slopes(at, setting, arb(lam))
        at = [(x - move).mid() for x, move in zip(at, bends.solve(slopes).entries(), strict=True)]
    angles = [float(x) for x in at]
    minimum(angles, setting, arb(lam))
    return {"angles": angles}


def minimum(angles: list[float], setting: Setting, lam: arb) -> None:
    """Prove that a box around ``angles`` contains such a minimum.

    The steps are Krawczyk's test, the sign of the Hessian, and the comparison of the risks.
    """
    box, one, zero = [arb(x, _RADIUS) for x in angles], arb(1), arb(0)
    proved(_one_inside([arb(x) for x in angles], box, setting, lam), "one point of slope zero")
    proved(_bends_up(box, setting, lam), "a strict minimum")
    pair = excess_risk((one, one, zero, zero, zero), lam, setting)
    proved(excess_risk(_in_plane(*box), lam, setting) < pair, "a lower risk")


def _slopes(at: list[arb], setting: Setting, lam: arb) -> tuple[arb_mat, arb_mat]:
    """Return the gradient in the angles, and the matrix of second derivatives."""
    found = []
    for move in ((1, 0), (0, 1), (1, 1)):
        angles = (arb_series([x, m], prec=3) for x, m in zip(at, move, strict=True))
        found.append(along(_in_plane(*angles), lam, setting))
    (first, a), (second, d), (_, both) = found
    b = (both - a - d) / 2
    return arb_mat([[first], [second]]), arb_mat([[a, b], [b, d]])


def _one_inside(middle: list[arb], box: list[arb], setting: Setting, lam: arb) -> bool:
    """Return whether Krawczyk's test shows exactly one critical point in the box."""
    slopes, bends = _slopes(middle, setting, lam)
    inverse = bends.mid().inv().mid()
    _, bends = _slopes(box, setting, lam)
    wide = arb_mat([[x - m] for x, m in zip(box, middle, strict=True)])
    moved = (arb_mat([[1, 0], [0, 1]]) - inverse * bends) * wide - inverse * slopes
    image = [m + x for m, x in zip(middle, moved.entries(), strict=True)]
    return all(x.contains_interior(y) for x, y in zip(box, image, strict=True))


def _bends_up(box: list[arb], setting: Setting, lam: arb) -> bool:
    """Return whether the Hessian, in the plane and out of it, is positive definite in the box."""
    _, bends = _slopes(box, setting, lam)
    h = arb_series([0, 1], prec=3)
    kappa, nu, theta, eta, rho = _in_plane(*box)
    cos, sin = h.cos(), h.sin()
    turns = (
        (kappa * cos, nu, theta, eta * cos, rho * cos),  # k leaves the plane
        (kappa, nu * cos, theta * cos, eta, rho * cos),  # v leaves the plane
        (*(x * cos for x in (kappa, nu, theta, eta)), rho * cos * cos + sin * sin),
    )
    k, v, both = (along(turn, lam, setting)[1] for turn in turns)
    mixed = (both - k - v) / 2
    return bends[0, 0] > 0 and bends.det() > 0 and k > 0 and k * v > mixed * mixed


def _in_plane(phi, chi) -> tuple:
    return phi.cos(), chi.sin(), chi.cos(), phi.sin(), (phi - chi).cos()

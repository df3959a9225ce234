"""Claims at single values of lam: two risks, the fixed points on M, and a derivative."""

from itertools import product

from flint import arb

from slrbook.certificates.claim import proved
from slrbook.certificates.closed import Setting, excess_risk, free_theta, letters, mean_slope
from slrbook.certificates.thresholds import hull, sign

_FINEST = 2.0**-12


def last_risks(setting: Setting, inverse: str) -> dict:
    """Prove that at lam = 1 / ``inverse`` the swapped family has a lower risk than (k*, v*)."""
    lam, one, zero = 1 / arb(inverse), arb(1), arb(0)
    theta = free_theta(lam, 1, setting)
    swapped = excess_risk((zero, zero, theta, one, zero), lam, setting)
    proved(theta < 1, "a family that is not clipped")
    proved(swapped < excess_risk((one, one, zero, zero, zero), lam, setting), "a lower risk")
    return {}


def spoiled_mean(setting: Setting, low: str, high: str, part: str) -> dict:
    """Prove that the risk increases in kappa at (k*, v*) if others have the mean ``part`` r k*."""
    mean = arb(part) * (arb(setting.d) / 2).sqrt()
    proved(mean_slope(arb(low).union(arb(high)), mean, setting) > 0, "a slope above zero")
    return {}


def five_points(setting: Setting, lam: str) -> dict:
    """Prove that descent on M has no fixed points except the corners and the center of the square.

    The square of (kappa, nu) is cut into four again and again. A piece is done if the speed of
    kappa or of nu has one sign on it; or if it contains one of the five points and the Jacobian
    matrix of the speeds cannot be singular, so that it contains no second zero.
    """
    known = [(0, 0), *product((-1, 1), repeat=2)]
    waiting = [(-1.0, 1.0, -1.0, 1.0)]
    while waiting:
        left, right, low, high = waiting.pop()
        speeds, ((a, b), (c, d)) = field(hull(left, right), hull(low, high), setting, arb(lam))
        inside = sum(left <= k <= right and low <= n <= high for k, n in known)
        if any(map(sign, speeds)) or (inside == 1 and sign(a * d - b * c)):
            continue
        proved(right - left > _FINEST, f"no further point near {(left, low)}")
        k, n = (left + right) / 2, (low + high) / 2
        waiting += [(*x, *y) for x in ((left, k), (k, right)) for y in ((low, n), (n, high))]
    return {}


def field(kappa: arb, nu: arb, setting: Setting, lam: arb) -> tuple:
    """Return ((1 - kappa^2) g_kappa, (1 - nu^2) g_nu) and its derivatives in kappa and nu."""
    s = letters(lam, 1, setting)
    A = s.lam * s.a
    x, flat_k, flat_n = A * kappa, 1 - kappa**2, 1 - nu**2
    E1, F = s.c * (-(x**2)).exp(), (x * s.psi).erf()
    F1 = s.c * s.psi * (-((x * s.psi) ** 2)).exp()
    push = 2 * s.gg * A * E1
    g_k, g_n = push * (F - nu), -2 * s.gg * x.erf()
    g_kk = push * A * (F1 - 2 * x * (F - nu))
    by_kappa = flat_k * g_kk - 2 * kappa * g_k, -flat_k * push
    by_nu = -flat_n * push, -2 * nu * g_n
    return (flat_k * g_k, flat_n * g_n), (by_kappa, by_nu)

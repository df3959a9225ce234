"""Formulas of the book in ball arithmetic: the symbols of the paper, and the risk."""

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any, NamedTuple

from flint import acb, arb, arb_series

Ball = Any  # an arb or an arb_series


class Setting(NamedTuple):
    """A task, given by three numbers that are exact in binary."""

    d: int
    L: int
    gg: float  # gamma^2


def letters(p: Ball, q: Ball, setting: Setting) -> SimpleNamespace:
    """Return the symbols that all closed forms share, at lam = p / q.

    A and C are divided by p, b and zeta_0 by p^2, so that they stay finite at p = 0. Without these
    powers of p, all symbols are homogeneous of degree zero in (p, q).
    """
    gg, c = arb(setting.gg), 2 / arb.pi().sqrt()
    r = (arb(setting.d) / 2).sqrt()
    U, U1 = q * q + 2 * gg * p * p, q * q + 2 * p * p
    W, W1 = (q * q + 4 * gg * p * p).sqrt(), (q * q + 4 * p * p).sqrt()
    C = c / U1.sqrt()
    k = 4 * gg / (q + W) ** 2
    return SimpleNamespace(
        lam=p,
        n=setting.L - 1,
        r=r,
        gg=gg,
        a=r / U.sqrt(),  # A / p
        b=gg / U,  # b / p^2
        inverse_u=q * q / U,  # 1 / u
        psi=q / W,  # 1 / sqrt(w)
        C=C,  # C / p
        h=C * C * (2 * q / W1 + (setting.L - 2)),  # (H_noise = h + (L - 2) C^2) / p^2
        z0=4 / arb.pi() * k * atan_over(p * p * k),  # zeta_0(lam gamma) / p^2
        root=gg / U.sqrt(),  # gamma sqrt(b) / p
        c=c,
    )


def atan_over(y: Ball) -> Ball:
    """Return atan(y) / y for y >= 0; it decreases from 1, so the ends of a ball give its bounds."""
    if isinstance(y, arb_series):
        return y.atan() / y
    low, high = y.lower(), y.upper()
    most = low.atan() / low if low > 0 else arb(1)
    return most if y.is_exact() and low > 0 else most.union(high.atan() / high)


def first(x: Ball) -> arb:
    """Return the constant term of a series."""
    return x[0] if isinstance(x, arb_series) else arb(x)


def tail(x: Ball, y: Ball) -> Ball:
    """Return the integral of exp(-x^2 (1 + s^2)) / (1 + s^2) for s from 0 to y.

    1 - zeta is 4 / pi times this integral. For a series, its elementary derivative is integrated.
    """
    value = _tail(first(x), first(y))
    if not isinstance(x, arb_series) and not isinstance(y, arb_series):
        return value
    slope: Ball = 0
    if isinstance(x, arb_series):
        slope -= arb.pi().sqrt() * (-x * x).exp() * (x * y).erf() * x.derivative()
    if isinstance(y, arb_series):
        whole = 1 + y * y
        slope += (-x * x * whole).exp() / whole * y.derivative()
    return value + slope.integral()


def _tail(x: arb, y: arb) -> arb:
    """Enclose the integral, which decreases in |x| and increases in y >= 0."""
    lowest = _integral(x.abs_upper(), y.lower() if y.lower() > 0 else arb(0))
    return lowest.union(_integral(x.abs_lower(), y.upper()))


def _integral(x: arb, y: arb) -> arb:
    rate = -x * x

    def f(s: acb, _: bool) -> acb:
        whole = 1 + s * s
        return (rate * whole).exp() / whole

    return acb.integral(f, 0, y).real


def zeta(x: Ball, psi: Ball) -> Ball:
    """Return E[erf^2] of a normal with mean x sqrt(u), variance g^2; psi = 1 / sqrt(1 + 4 g^2).

    Book: {eq}`eq-one-minus-zeta`.
    """
    return 1 - 4 / arb.pi() * tail(x, psi)


Formula = Callable[[Ball, Ball, Setting], Ball]


def pair(p: Ball, q: Ball, setting: Setting) -> Ball:
    """Return P N - K^2 at (k*, v*): positive for a strict minimum, negative for a saddle.

    Book: the proof of ``pair-minimum``.
    """
    s = letters(p, q, setting)
    A, b, C, n = p * s.a, p * p * s.b, p * s.C, s.n
    E0, E1, missed = A.erf(), s.c * (-A * A).exp(), (A * s.psi).erfc()
    F1 = s.c * (-((A * s.psi) ** 2)).exp() * s.psi
    push = 2 * s.gg * A * E1
    P = 2 * n * p * p * s.h + E1 * (
        2 * s.gg * A * (1 + 4 * b) * missed + 4 * s.gg * b * F1 + 4 * n * C * s.gg * A / s.r
    )
    N = 2 * s.r**2 * zeta(A, s.psi) + 2 * s.gg * E0 + push * (2 + missed)
    K = 2 * n * C * s.r * E0 + push * (s.inverse_u - 3 * missed)
    return P * N - K * K


def _swapped(s, theta):
    """Return beta / lam, and H_kk, H_kr and H_rr over lam^2, at the swapped family."""
    F1 = s.c * s.psi
    beta = 2 * s.gg * s.a * s.c
    size = s.r**2 * theta * theta + s.gg
    kk = s.a**2 * s.c * (4 * s.gg * s.lam * s.a * theta + 2 * size * F1)
    kr = 4 * s.gg * s.lam * s.b + 4 * s.gg * s.a * theta * F1 + 2 * s.n * s.C * s.r * theta
    rr = 4 * s.gg * s.b * s.c * F1 + s.n * (2 * s.h + 4 * s.C * s.root * s.c)
    return beta, kk, s.a * s.c * kr, rr


def clipped(p: Ball, q: Ball, setting: Setting) -> Ball:
    """Return the determinant of the block of (v*, k*) over lam^3: positive for a strict minimum.

    It applies where the constraint is active, theta = 1. Book: the proof of ``swapped-minimum``.
    """
    s = letters(p, q, setting)
    beta, kk, kr, rr = _swapped(s, 1)
    own = 2 * s.r**2 * s.z0
    left = beta - p * own
    rest = kk * left - own * beta + rr * (p * kk + 3 * beta + left)
    return rest + 2 * kr * (left + beta) - p * kr * kr


def unclipped(p: Ball, q: Ball, setting: Setting) -> Ball:
    """Return the Schur complement for a rotation of k at the swapped family, times H_rr / lam^2.

    Positive for a minimum, negative for a saddle. Book: the proof of ``swapped-minimum``.
    """
    s = letters(p, q, setting)
    beta, kk, kr, rr = _swapped(s, free_theta(p, q, setting))
    over = 2 * s.r**2 * s.z0 * p * p  # beta / theta
    pull = p * beta
    four = 4 * pull * pull / over  # 4 beta theta
    return (p * p * kk + four - over) * rr - (p * kr - beta) ** 2


def free_theta(p: Ball, q: Ball, setting: Setting) -> Ball:
    """Return theta without the constraint theta <= 1; it decreases in lam, so it is 1 at most once.

    Book: {eq}`eq-swapped`.
    """
    s = letters(p, q, setting)
    return s.gg * s.a * s.c / (s.r**2 * s.z0 * p)


def _oracle(s):
    """Return the oracle's excess risk over gamma^2, without the noise tokens."""
    A = s.lam * s.a
    return 2 * A.erfc() - (1 - zeta(A, s.psi))


def gap_clipped(p: Ball, q: Ball, setting: Setting) -> Ball:
    """Return the oracle's risk minus the risk of (v*, k*)."""
    s = letters(p, q, setting)
    z0 = p * p * s.z0
    return s.gg * (_oracle(s) - 1 - z0 + 2 * s.c * p * s.a) - s.r**2 * z0


def gap(p: Ball, q: Ball, setting: Setting) -> Ball:
    """Return the oracle's risk minus that of the swapped family where theta < 1."""
    s = letters(p, q, setting)
    z0 = p * p * s.z0
    return s.gg * (_oracle(s) - 1 - z0) + (s.gg * s.a * s.c / s.r) ** 2 / s.z0


def oracle_fall(p: Ball, q: Ball, setting: Setting) -> Ball:
    """Return minus the derivative of the oracle's excess risk in lam; at (1, 1 / lam) times lam^2.

    Book: {eq}`eq-risk-oracle`, {eq}`eq-zeta-derivatives`.
    """
    s = letters(p, q, setting)
    A, U, U1 = p * s.a, (s.r / s.a) ** 2, q * q + 2 * p * p
    W, W1 = (q * q + 4 * s.gg * p * p).sqrt(), (q * q + 4 * p * p).sqrt()
    by_A = -2 * s.c * (-A * A).exp() * (A * s.psi).erfc() * s.r * q / (U * U.sqrt())
    whole = 1 + s.psi**2
    by_psi = s.c**2 * (-A * A * whole).exp() / whole * 4 * s.gg * p / W**3
    return -s.gg * (by_A + by_psi) - s.n * 2 * s.c**2 * p / (U1 * W1)


def mean_slope(lam: Ball, mean: Ball, setting: Setting) -> Ball:
    """Return d risk / d kappa at (k*, v*), where the other tokens have mean ``mean`` k*."""
    s = letters(lam, 1, setting)
    A, x = lam * s.a, lam * mean / (1 + 2 * lam * lam).sqrt()
    own = -2 * s.gg * A * s.c * (-A * A).exp() * (A * s.psi).erfc()
    other = 2 * s.c * (-x * x).exp() * (x / (1 + 4 * lam * lam).sqrt()).erf()
    return own + s.n * x * other


def excess_risk(o: Sequence[Ball], lam: arb, setting: Setting) -> Ball:
    """The excess risk at (kappa, nu, theta, eta, rho). Book: {eq}`eq-risk`."""
    kappa, nu, theta, eta, rho = o
    s = letters(lam, 1, setting)
    A, b, C = lam * s.a, lam * lam * s.b, lam * s.C
    x = A * kappa
    y = x * s.psi
    E0, E1 = x.erf(), s.c * (-x * x).exp()
    F, F1 = y.erf(), s.c * s.psi * (-y * y).exp()
    cross = s.gg * (nu * E0 + A * eta * theta * E1 - 2 * b * eta * rho * x * E1)
    informative = (s.r**2 * theta * theta + s.gg) * zeta(x, s.psi)
    informative += 4 * s.gg * A * theta * rho * E1 * F
    informative += 2 * s.gg * b * rho * rho * E1 * (F1 - 2 * x * F)
    other = letters(lam, 1, setting._replace(gg=1.0))  # zeta_0(lam), of one other token
    noise = lam * lam * (other.z0 + s.h * rho * rho)
    mixed = 2 * C * rho * (s.r * theta * E0 + lam * s.root * rho * E1)
    return s.gg - 2 * cross + informative + s.n * (noise + mixed)


def along(path: Sequence[arb_series], lam: arb, setting: Setting) -> tuple[arb, arb]:
    """Return the first and second derivative of the risk along a path of overlaps, at its start."""
    found = excess_risk(path, lam, setting)
    return found[1], 2 * found[2]

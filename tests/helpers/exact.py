"""The same quantities to many digits, from formulas other than those of slrlib."""

from functools import cache, lru_cache

import mpmath as mp
from flint import acb, arb, ctx

mp.mp.dps = 40


def scales(t, gamma):
    """u, w, x, y as in ``slrlib.special``."""
    t, gamma = mp.mpf(t), mp.mpf(gamma)
    u, w = 1 + 2 * gamma**2, 1 + 4 * gamma**2
    x = t / mp.sqrt(u)
    return u, w, x, x / mp.sqrt(w)


def erf_prime(x):
    return 2 / mp.sqrt(mp.pi) * mp.exp(-(x**2))


def erf_second(x):
    return -2 * x * erf_prime(x)


def integral(f, low, high):
    """The integral of ``f``, a function of Arb's complex balls, with an error that Arb bounds."""
    with ctx.workprec(mp.mp.prec + 20):
        found = acb.integral(lambda x, _: f(x), acb(low), acb(high)).real
    assert found.rad() < arb(10) ** (5 - mp.mp.dps) * (1 + abs(found))
    return mp.mpf(found.mid())


def gaussian_mean(f, t, gamma):
    """E[f(t + gamma G)] by quadrature of the definition; ``f`` is a function of Arb's balls."""
    t, gamma = arb(mp.mpf(t)), arb(mp.mpf(gamma))
    return normal_mean(lambda g: f(t + gamma * g))


def normal_mean(f):
    """E[f(G)] by quadrature, for an entire ``f`` of Arb's balls that grows slowly."""
    with mp.workdps(25):
        return integral(lambda g: f(g) * (-(g**2) / 2).exp(), -16, 16) / mp.sqrt(2 * mp.pi)


def risk_terms(o, lam, d, L, gamma):
    """The six terms of the excess risk, each by quadrature of its definition.

    Given its normal coordinate g along k, the informative token has mean r theta + gamma rho g
    along v and gamma eta g along v*; the residual covariance is gamma^2 (nu - rho eta).
    """
    kappa, nu, theta, eta, rho, lam, d, L, gamma = (mp.mpf(v) for v in (*o, lam, d, L, gamma))
    r = mp.sqrt(d / 2)
    t, s = lam * r * kappa, lam * gamma

    def mean(f, *numbers):
        """The mean of f(g, erf(t + s g), erf(lam g), *numbers)."""
        T, S, Lam, *its = map(arb, (t, s, lam, *numbers))
        return normal_mean(lambda g: f(g, (T + S * g).erf(), (Lam * g).erf(), *its))

    # Along v the token has mean a and slope b in g; along v* slope c; e is the residual covariance.
    a, b, c, e = r * theta, gamma * rho, gamma * eta, gamma**2 * (nu - rho * eta)
    cross = mean(lambda g, x, _, a, b, c, e: x * ((a + b * g) * c * g + e), a, b, c, e)
    rest = gamma**2 * (1 - rho**2)
    square = mean(lambda g, x, _, a, b, rest: x**2 * ((a + b * g) ** 2 + rest), a, b, rest)
    noise = mean(lambda g, _, y, rho: y**2 * (1 - rho**2 + (rho * g) ** 2), rho)
    one = rho * mean(lambda g, _, y: y * g)
    informative = mean(lambda g, x, _, a, b: x * (a + b * g), a, b)
    return (
        gamma**2,
        -2 * cross,
        square,
        (L - 1) * noise,
        (L - 1) * (L - 2) * one**2,
        2 * (L - 1) * one * informative,
    )


def _over(x, low, high):
    """(4/pi) times the integral of exp(-x^2 / cos^2 phi) for tan(phi) in [low, high].

    With tan(phi) = low + s the integrand is exp(-x^2 (1 + (low + s)^2)) / (1 + (low + s)^2), which
    decreases; the part below exp(-200) times its first value is negligible.
    """
    return _over_at(abs(x), mp.mpf(low), high, mp.mp.prec)


@cache
def _over_at(x, low, high, _precision):
    end = high - low if x == 0 else min(high - low, mp.sqrt(low**2 + 200 / x**2) - low)
    steep, from_, length = (arb(value) for value in (x**2, low, end))

    def q(part):
        s = part * length
        return (-steep * s * (2 * from_ + s)).exp() / (1 + (from_ + s) ** 2)

    return 4 / mp.pi * mp.exp(-(x**2) * (1 + low**2)) * end * integral(q, 0, 1)


def one_minus_zeta(t, gamma):
    """8 T(h, a), Owen's T."""
    _, w, x, _ = scales(t, gamma)
    return _over(x, 0, 1 / mp.sqrt(w))


def zeta(t, gamma):
    """1 - 8 T(h, a); extra digits compensate for cancellation."""
    with mp.workdps(80):
        return 1 - one_minus_zeta(t, gamma)


def mean_erfc_squared(t, gamma):
    """By Craig's formula: angles from arctan(a) to pi/2 for t >= 0."""
    _, w, x, _ = scales(t, gamma)
    if x < 1:
        with mp.workdps(80):
            return 1 - 2 * mp.erf(x) + 1 - one_minus_zeta(t, gamma)
    return _over(x, 1 / mp.sqrt(w), mp.inf)


def variance_erf(t, gamma):
    return zeta(t, gamma) - mp.erf(scales(t, gamma)[2]) ** 2


def zeta_zero(gamma):
    with mp.workdps(80):
        return mp.mpf(2) / mp.pi * mp.asin(2 * mp.mpf(gamma) ** 2 / (1 + 2 * mp.mpf(gamma) ** 2))


def zeta_slopes(t, gamma):
    """The derivatives of zeta in t and gamma."""
    u, w, x, y = scales(t, gamma)
    bend = erf_prime(x) * erf_prime(y) / mp.sqrt(w) - 2 * x * erf_prime(x) * mp.erf(y)
    return 2 / mp.sqrt(u) * erf_prime(x) * mp.erf(y), 2 * mp.mpf(gamma) * bend / u


def erfc_slopes(t, gamma):
    """The derivatives of E[erfc^2] in t and gamma."""
    u, w, x, y = scales(t, gamma)
    bend = erf_prime(x) * erf_prime(y) / mp.sqrt(w) + 2 * x * erf_prime(x) * mp.erfc(y)
    return -2 / mp.sqrt(u) * erf_prime(x) * mp.erfc(y), 2 * mp.mpf(gamma) * bend / u


@lru_cache(1 << 16)
def _at(x, r, gamma, _precision):
    """The logarithm of Phi(r + gamma x), and the normal density at x; both are independent of L."""
    return mp.log1p(-mp.erfc((r + gamma * x) / mp.sqrt(2)) / 2), mp.npdf(x)


@mp.workdps(18)
def argmax_excess(d, L, gamma):
    """(1 + gamma^2) times the mean of 1 - Phi(r + gamma x)^(L - 1) over a normal x.

    Computed with 18 digits; the sum keeps 17, as nothing cancels.
    """
    r, others, gamma = mp.sqrt(mp.mpf(d) / 2), mp.mpf(L) - 1, mp.mpf(gamma)
    center = -gamma * r / (1 + gamma**2)

    def f(x):
        log_below, density = _at(x, r, gamma, mp.mp.prec)
        return -mp.expm1(others * log_below) * density

    edges = {center + i for i in range(-14, 15)} | {mp.mpf(i) for i in range(-14, 15)}
    edges |= {(m - r) / gamma for m in range(-8, 12)}
    low, high = min(center, 0) - 14, max(center, 0) + 14
    size = max(f(edge) for edge in edges) or 1  # the quadrature's tolerance is absolute
    inside = sorted(edge for edge in edges if low <= edge <= high)
    return (1 + gamma**2) * size * mp.quad(lambda x: f(x) / size, inside, method="gauss-legendre")

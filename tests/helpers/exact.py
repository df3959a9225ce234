"""The same quantities in many digits, from other formulas than slrlib uses."""

from functools import cache, lru_cache

import mpmath as mp

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


def gaussian_mean(f, t, gamma):
    """E[f(t + gamma G)] by quadrature of the definition."""
    return normal_mean(lambda g: f(t + gamma * g), t, gamma)


@lru_cache(1 << 16)
def _erf_at(x, _precision):
    return mp.erf(x)


@lru_cache(1 << 16)
def _density_at(g, _precision):
    return mp.npdf(g)


def normal_mean(f, t=0, gamma=1):
    """E[f(G)] by quadrature, for f smooth but where t + gamma G crosses zero."""
    t, gamma = mp.mpf(t), mp.mpf(gamma)
    edges = {mp.mpf(i) for i in range(-16, 17, 2)}
    edges |= {(i - t) / gamma for i in (-8, -4, -2, -1, 0, 1, 2, 4, 8)}
    inside = sorted(edge for edge in edges if abs(edge) <= 16)
    with mp.workdps(25):

        def weighted(g):
            return f(g) * _density_at(g, mp.mp.prec)

        return mp.quad(weighted, inside, method="gauss-legendre")


def risk_terms(o, lam, d, L, gamma):
    """The six terms of the excess risk, each by quadrature of its definition.

    Given its normal coordinate g along k, the informative token has mean r theta + gamma rho g
    along v and gamma eta g along v*; what is left has covariance gamma^2 (nu - rho eta).
    """
    kappa, nu, theta, eta, rho, lam, d, L, gamma = (mp.mpf(v) for v in (*o, lam, d, L, gamma))
    r = mp.sqrt(d / 2)
    t, s = lam * r * kappa, lam * gamma

    def erf(g):
        return _erf_at(t + s * g, mp.mp.prec)

    def erf_of_noise(g):
        return _erf_at(lam * g, mp.mp.prec)

    def along_v(g):
        return r * theta + gamma * rho * g

    cross = normal_mean(
        lambda g: erf(g) * (along_v(g) * gamma * eta * g + gamma**2 * (nu - rho * eta)), t, s
    )
    square = normal_mean(lambda g: erf(g) ** 2 * (along_v(g) ** 2 + gamma**2 * (1 - rho**2)), t, s)
    noise = normal_mean(lambda g: erf_of_noise(g) ** 2 * (1 - rho**2 + (rho * g) ** 2), 0, lam)
    one = rho * normal_mean(lambda g: erf_of_noise(g) * g, 0, lam)
    informative = normal_mean(lambda g: erf(g) * along_v(g), t, s)
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

    In s = tan(phi) the integrand is exp(-x^2 (1 + s^2)) / (1 + s^2); it falls from ``low`` on.
    """
    return _over_at(abs(x), mp.mpf(low), high, mp.mp.prec)


@cache
def _over_at(x, low, high, _precision):
    step = 1 / (2 * low * x**2 + x + 1)
    edges, edge = [mp.mpf(0)], step
    while edge < high - low and x**2 * edge * (2 * low + edge) < 150:
        edges.append(edge)
        edge *= 3
    edges.append(min(edge, high - low))

    def q(s):
        return mp.exp(-(x**2) * s * (2 * low + s)) / (1 + (low + s) ** 2)

    return 4 / mp.pi * mp.exp(-(x**2) * (1 + low**2)) * mp.quad(q, edges, method="gauss-legendre")


def one_minus_zeta(t, gamma):
    """8 T(h, a), Owen's T."""
    _, w, x, _ = scales(t, gamma)
    return _over(x, 0, 1 / mp.sqrt(w))


def zeta(t, gamma):
    """1 - 8 T(h, a); what cancels has digits to spare."""
    with mp.workdps(80):
        return 1 - one_minus_zeta(t, gamma)


def mean_erfc_squared(t, gamma):
    """Craig's form: the angles from arctan(a) to pi/2 for t >= 0."""
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


def argmax_excess(d, L, gamma):
    """(1 + gamma^2) times the mean of 1 - Phi(r + gamma x)^(L - 1) over a normal x.

    In 18 digits, of which the sum keeps 17: nothing cancels.
    """
    with mp.workdps(18):
        return _argmax_excess(d, L, mp.mpf(gamma))


@lru_cache(1 << 16)
def _at(x, r, gamma, _precision):
    """The logarithm of Phi(r + gamma x), and the normal density at x; L does not matter."""
    return mp.log1p(-mp.erfc((r + gamma * x) / mp.sqrt(2)) / 2), mp.npdf(x)


def _argmax_excess(d, L, gamma):
    r, others = mp.sqrt(mp.mpf(d) / 2), mp.mpf(L) - 1
    centre = -gamma * r / (1 + gamma**2)

    def f(x):
        log_below, density = _at(x, r, gamma, mp.mp.prec)
        return -mp.expm1(others * log_below) * density

    edges = {centre + i for i in range(-14, 15)} | {mp.mpf(i) for i in range(-14, 15)}
    edges |= {(m - r) / gamma for m in range(-8, 12)}
    low, high = min(centre, 0) - 14, max(centre, 0) + 14
    size = max(f(edge) for edge in edges) or 1  # the quadrature's tolerance is absolute
    inside = sorted(edge for edge in edges if low <= edge <= high)
    return (1 + gamma**2) * size * mp.quad(lambda x: f(x) / size, inside, method="gauss-legendre")

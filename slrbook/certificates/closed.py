"""The functions of lam whose signs the chapters speak of, in balls, each as the text has it."""

from collections.abc import Callable

from slrbook.certificates.letters import Ball, Setting, letters, zeta

Formula = Callable[[Ball, Ball, Setting], Ball]


def pair(p: Ball, q: Ball, setting: Setting) -> Ball:
    """P N - K^2 at (k*, v*): positive for a strict minimum, negative for a saddle.

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
    """beta, H_kk, H_kr and H_rr at the swapped family, over lam, lam^2, lam^2 and lam^2."""
    F1 = s.c * s.psi
    beta = 2 * s.gg * s.a * s.c
    size = s.r**2 * theta * theta + s.gg
    kk = s.a**2 * s.c * (4 * s.gg * s.lam * s.a * theta + 2 * size * F1)
    kr = 4 * s.gg * s.lam * s.b + 4 * s.gg * s.a * theta * F1 + 2 * s.n * s.C * s.r * theta
    rr = 4 * s.gg * s.b * s.c * F1 + s.n * (2 * s.h + 4 * s.C * s.root * s.c)
    return beta, kk, s.a * s.c * kr, rr


def clipped(p: Ball, q: Ball, setting: Setting) -> Ball:
    """The determinant of the block of (v*, k*) over lam^3: positive for a strict minimum.

    Where the family is clipped. Book: the proof of ``swapped-minimum``.
    """
    s = letters(p, q, setting)
    beta, kk, kr, rr = _swapped(s, 1)
    own = 2 * s.r**2 * s.z0
    left = beta - p * own
    rest = kk * left - own * beta + rr * (p * kk + 3 * beta + left)
    return rest + 2 * kr * (left + beta) - p * kr * kr


def unclipped(p: Ball, q: Ball, setting: Setting) -> Ball:
    """What the block of the swapped family leaves of a turn of k, times H_rr / lam^2.

    Positive for a minimum, negative for a saddle. Book: the proof of ``swapped-minimum``.
    """
    s = letters(p, q, setting)
    beta, kk, kr, rr = _swapped(s, free_theta(p, q, setting))
    over = 2 * s.r**2 * s.z0 * p * p  # beta / theta
    pull = p * beta
    four = 4 * pull * pull / over  # 4 beta theta
    return (p * p * kk + four - over) * rr - (p * kr - beta) ** 2


def free_theta(p: Ball, q: Ball, setting: Setting) -> Ball:
    """theta before it is clipped at 1. It falls as lam grows, so it passes 1 once at most.

    Book: {eq}`eq-swapped`.
    """
    s = letters(p, q, setting)
    return s.gg * s.a * s.c / (s.r**2 * s.z0 * p)


def _oracle(s):
    """The oracle's excess risk over gamma^2, without the noise tokens."""
    A = s.lam * s.a
    return 2 * A.erfc() - (1 - zeta(A, s.psi))


def gap_clipped(p: Ball, q: Ball, setting: Setting) -> Ball:
    """The oracle's risk less that of (v*, k*)."""
    s = letters(p, q, setting)
    z0 = p * p * s.z0
    return s.gg * (_oracle(s) - 1 - z0 + 2 * s.c * p * s.a) - s.r**2 * z0


def gap(p: Ball, q: Ball, setting: Setting) -> Ball:
    """The oracle's risk less that of the swapped family where it is not clipped."""
    s = letters(p, q, setting)
    z0 = p * p * s.z0
    return s.gg * (_oracle(s) - 1 - z0) + (s.gg * s.a * s.c / s.r) ** 2 / s.z0


def oracle_fall(p: Ball, q: Ball, setting: Setting) -> Ball:
    """Minus the slope in lam of the oracle's excess risk, at (1, t) times lam^2.

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
    """The slope of the risk in kappa at (k*, v*), where the other tokens have mean ``mean`` k*."""
    s = letters(lam, 1, setting)
    A, x = lam * s.a, lam * mean / (1 + 2 * lam * lam).sqrt()
    own = -2 * s.gg * A * s.c * (-A * A).exp() * (A * s.psi).erfc()
    other = 2 * s.c * (-x * x).exp() * (x / (1 + 4 * lam * lam).sqrt()).erf()
    return own + s.n * x * other

"""The excess risk in the five overlaps, in balls, and how it bends along a path of them."""

from collections.abc import Sequence

from flint import arb, arb_series

from slrbook.certificates.letters import Ball, Setting, letters, zeta


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
    noise = _noise(lam, setting) + lam * lam * s.h * rho * rho
    mixed = 2 * C * rho * (s.r * theta * E0 + lam * s.root * rho * E1)
    return s.gg - 2 * cross + informative + s.n * (noise + mixed)


def _noise(lam: arb, setting: Setting) -> arb:
    """zeta_0(lam), of one other token."""
    return lam * lam * letters(lam, 1, setting._replace(gg=1.0)).z0


def along(path: Sequence[arb_series], lam: arb, setting: Setting) -> tuple[arb, arb]:
    """The slope and twice the bend of the risk along a path of overlaps, at its beginning."""
    found = excess_risk(path, lam, setting)
    return found[1], 2 * found[2]

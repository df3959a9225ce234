"""Softmax over two tokens: a condition under which (k*, v*) is the only second-order point.

The condition is (H) of the appendix on random starts, an inequality between Gaussian means of the
weight p of the informative token, at every kappa from -1 to 1; d is at least 5. Each mean is an
integral over [-12, 12] in ball arithmetic and a bound of the tails; kappa is a ball.

Book: {eq}`eq-condition-h`.
"""

from collections.abc import Callable
from itertools import pairwise
from types import SimpleNamespace

from flint import acb, arb

from slrbook.certificates.claim import Claim, proved
from slrbook.certificates.closed import Setting

_CELLS = 50
TAIL = arb(0, 1e-25)  # the integrands are below 10 (1 + gamma^2) times the density


def means(kappa: arb, lam: arb, setting: Setting) -> SimpleNamespace:
    """Return the means of {eq}`eq-softmax-means`; Stein's identity removes all cancellation.

    A name that ends in _ is a derivative in kappa.
    """
    gg = arb(setting.gg)
    r, q = (arb(setting.d) / 2).sqrt(), 1 + gg
    a, wide, density = lam * r, q.sqrt(), 1 / (2 * arb.pi()).sqrt()

    def mean(of: Callable[[acb, acb, acb], acb]) -> arb:
        def integrand(x: acb, _: bool) -> acb:
            p = 1 / (1 + (-lam * (r * kappa + wide * x)).exp())
            return of(p, p * (1 - p), 1 - 2 * p) * (-x * x / 2).exp() * density

        rel_tol, abs_tol = arb(2) ** -12, arb(2) ** -20
        whole = acb.integral(integrand, acb(-12), acb(12), rel_tol=rel_tol, abs_tol=abs_tol)
        return whole.real + TAIL

    # s = p (1 - p) is the derivative of p, and m = 1 - 2p is the derivative of s divided by s.
    slope = mean(lambda p, s, m: s)
    bend = mean(lambda p, s, m: s * m)
    turn = mean(lambda p, s, m: s * (m * m - 2 * s))

    def growth(p: acb, s: acb, m: acb) -> acb:
        return s * (3 * q * s * m + (q * p - 1) * (m * m - 2 * s))

    return SimpleNamespace(
        f_=-2 * q * a * mean(lambda p, s, m: (1 - p) * s),
        P=mean(lambda p, s, m: p),
        P_=a * slope,
        p=mean(lambda p, s, m: p * p),
        p_=2 * a * mean(lambda p, s, m: p * s),
        alpha=a * mean(lambda p, s, m: (2 * q * p - 1) * s),
        alpha_=a * a * mean(lambda p, s, m: s * ((2 * q * p - 1) * m + 2 * q * s)),
        beta=a * gg * slope,
        beta_=a * a * gg * bend,
        sigma=lam**2 * 2 * q * mean(lambda p, s, m: s * (q * s + (q * p - 1) * m)),
        sigma_=lam**2 * a * 2 * q * mean(growth),
        phi=lam**2 * gg * q * bend,
        phi_=lam**2 * a * gg * q * turn,
    )


def margin(kappa: arb, lam: arb, setting: Setting) -> arb:
    """Prove (H) on the ball ``kappa``, and return the ratio of its two sides."""
    x, gg, rr = means(kappa, lam, setting), arb(setting.gg), arb(setting.d) / 2
    A, B, Sigma, Phi = abs(x.alpha), abs(x.beta), abs(x.sigma), abs(x.phi)
    den = rr * x.p - A
    proved(den > 0, "a positive denominator")
    e1, e2 = (A + Sigma) / den, (B + Phi) / den
    m0 = 2 * gg * x.P - 2 * A * (e1 + e2) - 2 * Sigma - 2 * Phi
    X = Y = Q = arb(0)
    for _ in range(2):  # the second round starts from the better bound of the first
        proved(m0 > 0, "a positive bound")
        chi = 1 - e1 - (2 * A * e1 + 2 * Sigma) / m0
        proved(chi > 0, "a positive factor")
        Y = (1 + e2 + (2 * A * e2 + 2 * Phi) / m0) / chi
        X = e1 * Y + e2
        Q = 2 * A * X + 2 * Sigma * Y + 2 * Phi
        better = 2 * gg * x.P - Q
        m0 = better if better.lower() > m0.lower() else m0
    error = 2 * gg * x.P_ * (X**2 + (Q / m0) ** 2) + rr * x.p_ * X**2 + 2 * abs(x.alpha_) * X * Y
    error += 2 * abs(x.beta_) * X + abs(x.sigma_) * Y**2 + 2 * abs(x.phi_) * Y
    left, right = -x.f_ - error - Q * X, Q + 2 * B * X + 2 * Phi * Y
    proved(left > 0, "a positive left side of (H)")
    proved(kappa < 0 or left > arb(kappa.abs_upper()) * right, "condition (H)")
    return left / right


def least_margin(setting: Setting, lam: str) -> dict:
    """Prove (H) at every kappa; return a lower bound of the ratio over balls that cover [-1, 1].

    ``lam`` is a decimal number or 1/sqrt(d), and L = 2.
    """
    exact = arb(setting.d).sqrt() ** -1 if lam == "1/sqrt(d)" else arb(lam)
    places = [arb(2 * j) / _CELLS - 1 for j in range(_CELLS + 1)]
    ratios = [margin(low.union(high), exact, setting) for low, high in pairwise(places)]
    proved(all(ratio.is_finite() for ratio in ratios), "a finite ratio")
    return {"ratio": float(min(arb(ratio.lower()) for ratio in ratios))}


def only_minimum(setting: Setting, lam: str) -> Claim:
    """Return the claim that follows from (H)."""
    return Claim(
        f"For softmax over two tokens at d = {setting.d}, gamma^2 = {setting.gg:g} and "
        f"lam = {lam}, condition (H) holds at every kappa from -1 to 1; so (k*, v*) is the "
        "only second-order critical point.",
        least_margin,
        (setting, lam),
    )

"""The letters of the book in balls, written once more, from the chapters and not from slrlib.

A number here is an ``arb``, which holds a real number and a bound of its error, or an
``arb_series``, which also holds the slope; what is computed of balls holds for all their points.
lam is p / q: with (lam, 1) one looks at any lam, with (1, t) at all large ones up to t = 0.
"""

from typing import Any, NamedTuple

from flint import acb, arb, arb_series

Ball = Any  # an arb or an arb_series


class Setting(NamedTuple):
    """A task by three numbers that are exact in binary."""

    d: int
    L: int
    gg: float  # gamma^2


class Letters(NamedTuple):
    """What all closed forms share; A and C over lam, b and zeta_0 over lam^2, stay finite at 0."""

    lam: Ball  # p; the letters below are over its powers
    n: int  # L - 1
    r: Ball
    gg: Ball
    a: Ball  # A / p
    b: Ball  # b / p^2
    inverse_u: Ball  # 1 / u
    psi: Ball  # 1 / sqrt(w)
    C: Ball  # C / p
    h: Ball  # (H_noise = h + (L - 2) C^2) / p^2
    z0: Ball  # zeta_0(lam gamma) / p^2
    root: Ball  # gamma sqrt(b) / p
    c: Ball  # 2 / sqrt(pi)


def letters(p: Ball, q: Ball, setting: Setting) -> Letters:
    """The letters at lam = p / q, all of degree zero in (p, q) once multiplied by powers of p."""
    gg, c = arb(setting.gg), 2 / arb.pi().sqrt()
    r = (arb(setting.d) / 2).sqrt()
    U, U1 = q * q + 2 * gg * p * p, q * q + 2 * p * p
    W, W1 = (q * q + 4 * gg * p * p).sqrt(), (q * q + 4 * p * p).sqrt()
    C = c / U1.sqrt()
    k = 4 * gg / (q + W) ** 2
    return Letters(
        lam=p,
        n=setting.L - 1,
        r=r,
        gg=gg,
        a=r / U.sqrt(),
        b=gg / U,
        inverse_u=q * q / U,
        psi=q / W,
        C=C,
        h=C * C * (2 * q / W1 + (setting.L - 2)),
        z0=4 / arb.pi() * k * atan_over(p * p * k),
        root=gg / U.sqrt(),
        c=c,
    )


def atan_over(y: Ball) -> Ball:
    """atan(y) / y for y >= 0, which falls from 1; so a ball is bounded by its two ends."""
    if isinstance(y, arb_series):
        return y.atan() / y
    low, high = y.lower(), y.upper()
    most = low.atan() / low if low > 0 else arb(1)
    return most if y.is_exact() and low > 0 else most.union(high.atan() / high)


def first(x: Ball) -> arb:
    """The value that a series begins with."""
    return x[0] if isinstance(x, arb_series) else arb(x)


def tail(x: Ball, y: Ball) -> Ball:
    """The integral of exp(-x^2 (1 + s^2)) / (1 + s^2) for s from 0 to y: 1 - zeta is 4 / pi of it.

    As a series: by its slopes, which are elementary.
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
    """It falls as |x| grows, and grows with y >= 0."""
    if x.is_exact() and y.is_exact():
        return _integral(x, y)
    lowest = _integral(x.abs_upper(), y.lower() if y.lower() > 0 else arb(0))
    return lowest.union(_integral(x.abs_lower(), y.upper()))


def _integral(x: arb, y: arb) -> arb:
    def f(s: acb, _: bool) -> acb:
        whole = 1 + s * s
        return (-(x * x) * whole).exp() / whole

    return acb.integral(f, 0, y).real


def zeta(x: Ball, psi: Ball) -> Ball:
    """E[erf^2] of a Gaussian with mean x sqrt(u) and variance g^2, where psi = 1 / sqrt(1 + 4 g^2).

    Book: {eq}`eq-one-minus-zeta`.
    """
    return 1 - 4 / arb.pi() * tail(x, psi)

"""The thresholds of lam: in many digits, in either precision, and where there is none."""

import math

import exact
import jax
import mpmath as mp
import numpy as np
import pytest
from flint import arb
from refused import refusal

from slrlib import Task, landscape


def parts(lam, d, gamma):
    """x, y, u, w and the numbers of the informative token at (k*, v*), in many digits."""
    s = lam * gamma
    u, w = 1 + 2 * s**2, 1 + 4 * s**2
    x = lam * mp.sqrt(mp.mpf(d) / 2) / mp.sqrt(u)
    return s, u, w, x, x / mp.sqrt(w)


def second(lam, d, L, gamma):
    """(a, b, c) of the Hessian across M at (k*, v*), from the means of the definition.

    k turns towards v* and v towards k*, by eta and theta; rho = eta + theta. The risk to second
    order is that of the terms of Proposition 15, differentiated here by mpmath.
    """

    def risk(eta, theta):
        kappa, nu = mp.sqrt(1 - eta**2), mp.sqrt(1 - theta**2)
        # k = (kappa, eta), v = (theta, nu) in the plane of k* and v*
        return plane_risk(kappa, eta, theta, nu, lam, d, L, gamma)

    zero = (mp.mpf(0), mp.mpf(0))
    return tuple(mp.diff(risk, zero, order) for order in ((2, 0), (1, 1), (0, 2)))


def zeta(x, w):
    """1 - E[erf^2] is (4/pi) times an integral over [0, 1/sqrt(w)]."""
    steep = arb(x**2)
    area = exact.integral(lambda q: (-steep * q**2).exp() / (1 + q**2), 0, 1 / mp.sqrt(w))
    return 1 - 4 / mp.pi * mp.exp(-(x**2)) * area


def plane_risk(kappa, eta, theta, nu, lam, d, L, gamma):
    s, r = lam * gamma, mp.sqrt(mp.mpf(d) / 2)
    u, w = 1 + 2 * s**2, 1 + 4 * s**2
    rho = kappa * theta + eta * nu
    x = lam * r * kappa / mp.sqrt(u)
    slope, gg = 2 / mp.sqrt(mp.pi) * mp.exp(-(x**2)), gamma**2
    y, b = x / mp.sqrt(w), s**2 / u
    f1 = 2 / mp.sqrt(mp.pi) * mp.exp(-(y**2)) / mp.sqrt(w)
    A = lam * r / mp.sqrt(u)
    cross = gg * (nu * mp.erf(x) + A * eta * theta * slope - 2 * b * eta * rho * x * slope)
    own = ((r * theta) ** 2 + gg) * zeta(x, w) + 4 * gg * A * theta * rho * slope * mp.erf(y)
    own += 2 * gg * b * rho**2 * slope * (f1 - 2 * x * mp.erf(y))
    u1, w1 = 1 + 2 * lam**2, 1 + 4 * lam**2
    alone = 2 / mp.pi * mp.asin(2 * lam**2 / u1)
    C, h = 2 / mp.sqrt(mp.pi) * lam / mp.sqrt(u1), 8 / mp.pi * lam**2 / u1 / mp.sqrt(w1)
    noise = (L - 1) * (alone + h * rho**2 + (L - 2) * (C * rho) ** 2)
    mixed = r * theta * mp.erf(x) + gamma * mp.sqrt(b) * rho * slope
    return gg - 2 * cross + own + noise + (L - 1) * 2 * C * rho * mixed


def determinant(lam, d, L, gamma):
    a, b, c = second(mp.mpf(lam), d, L, mp.mpf(gamma))
    return a * c - b**2


@pytest.mark.parametrize("d, L, gamma", [(100, 2, 2.0), (20, 2, 0.5**0.5), (40, 5, 0.9)])
def test_the_exact_threshold_in_many_digits(d, L, gamma):
    found = landscape.lambda_c_exact(Task(d, L, gamma))
    with mp.workdps(30):
        low, high = (determinant(found * (1 + e), d, L, gamma) for e in (-1e-9, 1e-9))
    assert low > 0 > high
    assert all(
        landscape.minimiser_hessian(found * e, Task(d, L, gamma))[0, 0] > 0 for e in (0.3, 0.9)
    )


def test_what_the_closed_form_leaves_out_falls_like_exp_of_minus_A_squared():
    """Its logarithm has the slope lam^2 / (2 u) in d, up to the logarithm of a power of d."""
    gamma, L, gaps = mp.mpf("0.7"), 2, []
    with mp.workdps(60):
        for d in (200, 400):
            room = 1 - (L - 1) * gamma**2 / (mp.mpf(d) / 2 + gamma**2)
            closed = mp.sqrt((2 / room) ** 2 - 1) / 2
            value = determinant(closed, d, L, gamma)  # zero but for what is left out
            gaps.append(mp.log(abs(value) / d))
        rate = closed**2 / 2 / (1 + 2 * (closed * gamma) ** 2)
        slope = (gaps[0] - gaps[1]) / 200
    assert slope == pytest.approx(float(rate), rel=0.02)
    assert abs(float(slope) - float(rate)) < 0.2 * abs(
        float(slope) - float(closed**2 / (1 + 4 * (closed * gamma) ** 2))
    )


LAST = [(d, 10, 0.5**0.5, 1.0) for d in (100, 400, 1600)]  # as the page says


def first_order(lam, d, L, gamma):
    """The gap above the closed form ``lam`` in first order, as it is stated."""
    gg, n = gamma**2, L - 1
    u, u1, w1 = 1 + 2 * lam**2 * gg, 1 + 2 * lam**2, 1 + 4 * lam**2
    C, r = 2 * lam / mp.sqrt(mp.pi * u1), mp.sqrt(mp.mpf(d) / 2)
    size = gg * mp.sqrt(u1) * w1 ** mp.mpf(1.5) / (4 * lam * mp.sqrt(u))
    return size * (2 * lam**2 * gg / u + n * C / r) * mp.exp(-((lam * r) ** 2) / u)


def by_letters(lam, d, L, gamma):
    """PN - K^2 with the letters of the theorem's proof."""
    g, u, w, A, y = parts(lam, d, gamma)
    gg, n, b, r, u1 = gamma**2, L - 1, g**2 / u, mp.sqrt(mp.mpf(d) / 2), 1 + 2 * lam**2
    C, missed = 2 * lam / mp.sqrt(mp.pi * u1), mp.erfc(y)
    E1 = 2 / mp.sqrt(mp.pi) * mp.exp(-(A**2))
    F1 = 2 / mp.sqrt(mp.pi * w) * mp.exp(-(y**2))
    p = 2 * gg * A * (1 + 4 * b) * missed + 4 * gg * b * F1 + 4 * n * C * gg * A / r
    P = 2 * n * C**2 * (2 / mp.sqrt(1 + 4 * lam**2) + L - 2) + E1 * p
    N = 2 * r**2 * zeta(A, w) + 2 * gg * mp.erf(A) + 2 * gg * A * E1 * (2 + missed)
    return P * N - (2 * n * C * r * mp.erf(A) + 2 * gg * A * E1 * (1 / u - 3 * missed)) ** 2


@pytest.mark.parametrize("d, L, gamma, within", [*LAST, (200, 3, 0.2, 1.5)])
def test_the_gap_to_first_order_in_many_digits(d, L, gamma, within):
    """The sign changes where the formula says, up to a factor 1 + O(1/d)."""
    gamma = mp.mpf(gamma)
    with mp.workdps(50 + d // 8):
        room = 1 - (L - 1) * gamma**2 / (mp.mpf(d) / 2 + gamma**2)
        closed = mp.sqrt((2 / room) ** 2 - 1) / 2
        gap = first_order(closed, d, L, gamma)
        near = [by_letters(closed + gap * (1 + e / d), d, L, gamma) for e in (-within, within)]
    assert near[0] > 0 > near[1]


def test_the_gap_to_first_order_where_double_precision_sees_it():
    for d, L in ((40, 10), (60, 3)):
        task = Task(d=d, L=L)
        closed = mp.mpf(float(landscape.lambda_c(task)))
        gap = landscape.lambda_c_exact(task) - float(closed)
        assert abs(gap / float(first_order(closed, d, L, mp.mpf(task.gamma))) - 1) < 3 / d


@pytest.mark.parametrize("d, L, gamma", [(7, 2, 2.0), (20, 2, 2.0), (400, 1, 0.7), (1e5, 1, 0.7)])
def test_where_the_pair_is_a_minimum_at_every_lam(d, L, gamma):
    task = Task(d, L, gamma)
    assert landscape.lambda_c_exact(task) == math.inf
    with mp.workdps(40 if d < 100 else 60):
        for lam in {7: (0.3, 9.0), 20: (0.3, 3.0), 400: (0.05, 0.3), 1e5: (0.005, 0.02)}[d]:
            assert determinant(lam, d, L, gamma) > 0


@pytest.mark.parametrize("d, L, gamma", [(7, 2, 2.0), (20, 2, 2.0), (80, 2, 5.0)])
def test_where_the_swapped_family_is_a_minimum_at_every_lam(d, L, gamma):
    task = Task(d, L, gamma)
    assert landscape.lambda_sw(task) == math.inf
    for lam in np.geomspace(0.01, 1e3, 11):
        assert np.linalg.eigvalsh(landscape.swapped.swapped_hessian(lam, task))[0] >= 0


def test_with_many_tokens_the_swapped_determinant_keeps_its_digits():
    task = Task(1e12, 1e9, 1e-6)
    assert landscape.lambda_sw(task) == pytest.approx(3**0.5 / 2, rel=1e-6)


@pytest.mark.parametrize("d, gamma", [(7, 10.0), (400, 0.5**0.5), (2, 14.0), (20, 3.0)])
def test_the_risks_are_equal_in_many_digits(d, gamma):
    found = landscape.lambda_eq(Task(d, 3, gamma))

    def difference(lam):
        lam, g, r = mp.mpf(lam), mp.mpf(gamma), mp.sqrt(mp.mpf(d) / 2)
        s, u, w, x, _ = parts(lam, d, g)
        z0, pull = 2 / mp.pi * mp.asin(2 * s**2 / u), g**2 * x * 2 / mp.sqrt(mp.pi)
        theta = min(pull / (r**2 * z0), 1)
        swapped = g**2 * (1 + z0) - 2 * pull * theta + (r * theta) ** 2 * z0
        return g**2 * (1 - 2 * mp.erf(x) + zeta(x, w)) - swapped

    with mp.workdps(40):
        assert difference(found * (1 - 2e-6)) > 0 > difference(found * (1 + 2e-6))
        assert all(difference(found * e) > 0 for e in (1e-3, 0.1, 0.9))
        assert all(difference(found * e) < 0 for e in (1.1, 10.0, 1e3))


def test_far_beyond_the_two_risks_agree_in_too_many_digits():
    said = "task.gamma must be at most 10 sqrt(d)=14.14, got 30.0"
    assert refusal(lambda: landscape.lambda_eq(Task(2, 3, 30.0))) == said


@pytest.mark.either_precision
def test_thresholds_are_computed_in_double_precision_whatever_is_set():
    found = [
        landscape.lambda_sw(Task(10, 100)),
        landscape.lambda_sw(Task(1000, 300)),
        landscape.lambda_c_exact(Task(100, 2, 2.0)),
        landscape.lambda_eq(Task(400, 10)),
        landscape.lambda_clip(Task(400, 10)),
        *np.abs(landscape.tilted_overlaps(0.9, Task(400, 10))),
    ]
    wanted = [2.7460165, 0.4863708, 1.1740687, 0.0907218, 0.0627890]
    np.testing.assert_allclose(found[:5], wanted, rtol=1e-6)
    assert all(isinstance(x, float) for x in found[:5])
    with jax.enable_x64(True):
        again = np.abs(landscape.tilted_overlaps(0.9, Task(400, 10)))
    np.testing.assert_allclose(found[5:], again, rtol=1e-9)
    inside = jax.jit(lambda x: x * landscape.lambda_c_exact(Task(400, 10)))(1.0)
    assert float(inside) == pytest.approx(0.892438, rel=1e-5)

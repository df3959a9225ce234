"""The thresholds of lam: to many digits, in either precision, and where none exists."""

import math

import exact
import jax
import mpmath as mp
import numpy as np
import pytest
from flint import arb

from slrlib import Task, landscape


def zeta(x, w):
    """1 - E[erf^2] is (4/pi) times an integral over [0, 1/sqrt(w)]."""
    steep = arb(x**2)
    area = exact.integral(lambda q: (-steep * q**2).exp() / (1 + q**2), 0, 1 / mp.sqrt(w))
    return 1 - 4 / mp.pi * mp.exp(-(x**2)) * area


LAST = [(d, 10, 0.5**0.5, 1.0) for d in (100, 1600)]  # as the page says


def first_order(lam, d, L, gamma):
    """The gap above the closed form ``lam`` to first order, as stated in the book."""
    gg, n = gamma**2, L - 1
    u, u1, w1 = 1 + 2 * lam**2 * gg, 1 + 2 * lam**2, 1 + 4 * lam**2
    C, r = 2 * lam / mp.sqrt(mp.pi * u1), mp.sqrt(mp.mpf(d) / 2)
    size = gg * mp.sqrt(u1) * w1 ** mp.mpf(1.5) / (4 * lam * mp.sqrt(u))
    return size * (2 * lam**2 * gg / u + n * C / r) * mp.exp(-((lam * r) ** 2) / u)


def by_letters(lam, d, L, gamma):
    """PN - K^2 in the notation of the theorem's proof."""
    gg, n, r, u1 = gamma**2, L - 1, mp.sqrt(mp.mpf(d) / 2), 1 + 2 * lam**2
    u, w, A, y = exact.scales(lam * r, lam * gamma)
    C, b, missed = 2 * lam / mp.sqrt(mp.pi * u1), (lam * gamma) ** 2 / u, mp.erfc(y)
    E1 = 2 / mp.sqrt(mp.pi) * mp.exp(-(A**2))
    F1 = 2 / mp.sqrt(mp.pi * w) * mp.exp(-(y**2))
    p = 2 * gg * A * (1 + 4 * b) * missed + 4 * gg * b * F1 + 4 * n * C * gg * A / r
    P = 2 * n * C**2 * (2 / mp.sqrt(1 + 4 * lam**2) + L - 2) + E1 * p
    N = 2 * r**2 * zeta(A, w) + 2 * gg * mp.erf(A) + 2 * gg * A * E1 * (2 + missed)
    return P * N - (2 * n * C * r * mp.erf(A) + 2 * gg * A * E1 * (1 / u - 3 * missed)) ** 2


@pytest.mark.parametrize("d, L, gamma, within", [*LAST, (200, 3, 0.2, 1.5)])
def test_the_gap_to_first_order_in_many_digits(d, L, gamma, within):
    """The sign changes at the predicted gap, up to a factor 1 + O(1/d)."""
    gamma = mp.mpf(gamma)
    with mp.workdps(50 + d // 8):
        room = 1 - (L - 1) * gamma**2 / (mp.mpf(d) / 2 + gamma**2)
        closed = mp.sqrt((2 / room) ** 2 - 1) / 2
        gap = first_order(closed, d, L, gamma)
        near = [by_letters(closed + gap * (1 + e / d), d, L, gamma) for e in (-within, within)]
    assert near[0] > 0 > near[1]


@pytest.mark.parametrize("d, L, gamma", [(100, 2, 2.0), (40, 5, 0.9)])
def test_the_exact_threshold_in_many_digits(d, L, gamma):
    found = mp.mpf(float(landscape.lambda_c_exact(Task(d, L, gamma))))
    with mp.workdps(30):
        low, high = (by_letters(found * (1 + e), d, L, mp.mpf(gamma)) for e in (-1e-9, 1e-9))
    assert low > 0 > high


@pytest.mark.parametrize("d, L, gamma", [(7, 2, 2.0), (80, 2, 5.0)])
def test_where_the_swapped_family_is_a_minimum_at_every_lam(d, L, gamma):
    task = Task(d, L, gamma)
    assert landscape.lambda_sw(task) == math.inf
    for lam in np.geomspace(0.01, 1e3, 11):
        assert np.linalg.eigvalsh(landscape.swapped.swapped_hessian(lam, task))[0] >= 0


def test_with_many_tokens_the_swapped_determinant_keeps_its_digits():
    task = Task(1e12, 1e9, 1e-6)
    assert landscape.lambda_sw(task) == pytest.approx(3**0.5 / 2, rel=1e-6)


@pytest.mark.parametrize("d, gamma", [(7, 10.0), (400, 0.5**0.5)])
def test_the_risks_are_equal_in_many_digits(d, gamma):
    found = landscape.lambda_eq(Task(d, 3, gamma))

    def difference(lam):
        lam, g, r = mp.mpf(lam), mp.mpf(gamma), mp.sqrt(mp.mpf(d) / 2)
        _, w, x, _ = exact.scales(lam * r, lam * g)
        z0, pull = exact.zeta_zero(lam * g), g**2 * x * 2 / mp.sqrt(mp.pi)
        theta = min(pull / (r**2 * z0), 1)
        swapped = g**2 * (1 + z0) - 2 * pull * theta + (r * theta) ** 2 * z0
        return g**2 * (1 - 2 * mp.erf(x) + zeta(x, w)) - swapped

    with mp.workdps(40):
        assert difference(found * (1 - 2e-6)) > 0 > difference(found * (1 + 2e-6))
        assert all(difference(found * e) > 0 for e in (1e-3, 0.1, 0.9))
        assert all(difference(found * e) < 0 for e in (1.1, 10.0, 1e3))


@pytest.mark.either_precision
def test_thresholds_are_computed_in_double_precision_whatever_is_set():
    found = [
        landscape.lambda_sw(Task(10, 100)),
        landscape.lambda_sw(Task(1000, 300)),
        landscape.lambda_c_exact(Task(100, 2, 2.0)),
        landscape.lambda_eq(Task(400, 10)),
        *np.abs(landscape.tilted_overlaps(0.9, Task(400, 10))),
    ]
    wanted = [2.7460165, 0.4863708, 1.1740687, 0.0907218]
    np.testing.assert_allclose(found[:4], wanted, rtol=1e-6)
    assert all(isinstance(x, float) for x in found[:4])
    with jax.enable_x64(True):
        again = np.abs(landscape.tilted_overlaps(0.9, Task(400, 10)))
    np.testing.assert_allclose(found[4:], again, rtol=1e-9)
    inside = jax.jit(lambda x: x * landscape.lambda_c_exact(Task(400, 10)))(1.0)
    assert float(inside) == pytest.approx(0.892438, rel=1e-5)

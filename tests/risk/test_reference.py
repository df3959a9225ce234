"""Reference risks: oracle at any scale, best linear, linear attention, null, argmax."""

import math

import exact
import jax
import mpmath as mp
import numpy as np
import pytest

from slrlib import Task
from slrlib.overlaps import ORACLE
from slrlib.risk import (
    argmax_excess_risk,
    excess_risk,
    linear_excess_risk,
    manifold_excess_risk,
    oracle_excess_risk,
)

SETTINGS = [(6, 1, 1.5), (400, 10, 0.5**0.5), (50, 40, 2.0)]


# The parameters of the oracle, with a free output scale.


@pytest.mark.parametrize(("d", "L", "gamma"), SETTINGS)
def test_oracle_is_the_risk_at_the_oracle_overlaps(d, L, gamma):
    task, lam = Task(d, L, gamma), np.array([0.01, 0.1, 0.7])
    value = oracle_excess_risk(lam, task)
    np.testing.assert_allclose(manifold_excess_risk(1.0, 1.0, lam, task), value, rtol=1e-13)
    gap = np.abs(excess_risk(ORACLE, lam, task) - value)
    assert np.all(gap <= 1e-14 * (gamma**2 + value))


@pytest.mark.parametrize("scale", [0.4, -2.0, 1e6])
@pytest.mark.parametrize(
    ("lam", "d", "gamma"), [(0.3, 20.0, 0.8), (1e-6, 400.0, 1.0), (1.0, 80.0, 2.0)]
)
def test_scaled_oracle_against_its_definition(scale, lam, d, gamma):
    """gamma^2 E[(1 - a erf)^2] + (L - 1) a^2 E[erf^2], by quadrature."""
    t, s = lam * math.sqrt(d / 2), lam * gamma
    informative = exact.gaussian_mean(lambda x: (1 - scale * x.erf()) ** 2, t, s)
    noise = exact.gaussian_mean(lambda x: x.erf() ** 2, 0, lam)
    expected = float(gamma**2 * informative + 4 * scale**2 * noise)
    got = oracle_excess_risk(lam, Task(d=d, L=5, gamma=gamma), scale=scale)
    np.testing.assert_allclose(got, expected, rtol=1e-13)


def test_corollary_2_bounds_the_oracle_risk():
    for d, L in ((10**3, 4), (10**6, 10), (10**9, 1000)):
        task, lam = Task(d, L), (d * L) ** -0.25
        missed = 0.5 * exact.mean_erfc_squared(lam * math.sqrt(d / 2), lam * math.sqrt(0.5))
        assert oracle_excess_risk(lam, task) <= float(missed) + 4 / math.pi * math.sqrt(L / d)


# Linear predictors.


def test_linear_keeps_its_digits_and_needs_no_array():
    assert linear_excess_risk(Task(10**9, 10**9, 1.0)) == pytest.approx(1 - 1e-9, rel=1e-15)
    assert linear_excess_risk(Task(10, 1)) == 0
    small = linear_excess_risk(Task(10, 2, 2.0, p=[1 - 1e-7, 1e-7]))
    p, q = mp.mpf(1 - 1e-7), mp.mpf(1e-7)
    expected = 4 * (p * (1 - p) / (1 + 3 * p) + q * (1 - q) / (1 + 3 * q))
    assert small == pytest.approx(float(expected), rel=1e-9)
    batch = Task(np.full(2, 10), np.full(2, 2), np.array([0.5, 2.0]), p=np.full((2, 2), 0.5))
    np.testing.assert_allclose(linear_excess_risk(batch), [4 / 20, 4 / 5], rtol=1e-15)


# Argmax.


@pytest.mark.parametrize("d", [6, 400, 10**9])
@pytest.mark.parametrize("gamma", [1e-6, 0.3, 1.4, 1e3])
def test_argmax_against_quadrature(d, gamma):
    assert argmax_excess_risk(Task(d, 1, gamma)) == 0
    for L in (2, 59, 60, 10**9):
        expected = exact.argmax_excess(d, L, gamma)
        got = float(argmax_excess_risk(Task(d, L, gamma)))
        if expected < 1e-290:
            assert 0 <= got < 1e-280
        else:  # the conditioning of the value is that of the tail's exponent
            allowed = 1e-12 + 1e-15 * d / (1 + gamma**2)
            assert abs(got / float(expected) - 1) < allowed, L


def test_argmax_slopes():
    def risk(d, L, gamma):
        return argmax_excess_risk(Task(d=d, L=L, gamma=gamma))

    risk_of = jax.jit(risk)  # also at non-integer values
    for z in ((20.0, 10.0, 0.7), (80.0, 200.0, 1.3), (12.0, 5000.0, 2.0)):
        slopes = jax.grad(risk, (0, 1, 2))(*z)
        for i, slope in enumerate(slopes):
            h = 1e-5 * z[i]
            ahead, back = ([x + s * h * (i == j) for j, x in enumerate(z)] for s in (1, -1))
            rise = float(risk_of(*ahead) - risk_of(*back)) / (2 * h)
            assert float(slope) == pytest.approx(rise, rel=1e-6)

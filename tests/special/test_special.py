"""Gaussian means of erf compared with 40-digit quadrature, Monte Carlo, and each other."""

import math
from itertools import product

import exact
import jax
import jax.numpy as jnp
import mpmath as mp
import numpy as np
import pytest
import scipy.special
from chance import assert_mean
from flint import acb, arb
from hypothesis import given, settings
from hypothesis import strategies as st

from slrlib import special


def slope(s):
    """The derivative of erf for Arb's balls."""
    return 2 / arb.pi().sqrt() * (-(s**2)).exp()


# name: the function whose mean is computed
MEANS = {
    "mean_erf": acb.erf,
    "mean_erf_prime": slope,
    "zeta": lambda s: s.erf() ** 2,
    "mean_erfc_squared": lambda s: s.erfc() ** 2,
}
# name: (value, derivatives in t and gamma), to 40 digits
STABLE = {
    "zeta": (exact.zeta, exact.zeta_slopes),
    "mean_erfc_squared": (exact.mean_erfc_squared, exact.erfc_slopes),
}
SIZES = (1e-8, 0.03, 0.7, 1.6, 4.0, 9.0, 26.0, 1e3)
GAMMAS = (1e-8, 1e-3, 0.03, 0.3, 1.0, 7.0, 1e3)
POINTS = ((0.7, 0.3), (-1.3, 0.9), (0.0, 0.5), (3.0, 0.05))


def conditioning(value, slopes, t, gamma):
    return sum(abs(x * slope / value) for x, slope in zip((t, gamma), slopes, strict=True))


@pytest.mark.either_precision
@pytest.mark.parametrize("name", STABLE)
def test_relative_error_over_the_whole_range(name):
    """At most 10 eps (1 + cond), in the current precision; below 1e-300 zero is accepted."""
    value_of, slopes_of = STABLE[name]
    single = not jax.config.jax_enable_x64
    eps, tiny = (2.0**-23, 1e-30) if single else (2.0**-52, 1e-300)
    sizes = SIZES[::3] if single else SIZES
    t, gamma = np.meshgrid([0.0, *sizes, *(-size for size in sizes[::2])], GAMMAS)
    t, gamma = (np.asarray(jnp.asarray(v.ravel())) for v in (t, gamma))  # rounded like the input
    got = np.asarray(getattr(special, name)(jnp.asarray(t), jnp.asarray(gamma)))
    worst = 0.0
    for t_, gamma_, value in zip(t.tolist(), gamma.tolist(), got.tolist(), strict=True):
        expected = value_of(t_, gamma_)
        if abs(expected) < tiny:
            assert 0 <= value < 2 * tiny
            continue
        allowed = eps * (1 + conditioning(expected, slopes_of(t_, gamma_), t_, gamma_))
        worst = max(worst, float(abs(value / expected - 1) / allowed))
    assert worst < 10


@pytest.mark.parametrize("gamma", [1e-8, 0.02, 0.71, 3.0, 1e3, 1e9])
def test_zeta_zero(gamma):
    expected = exact.zeta_zero(gamma)
    slope = 8 * mp.mpf(gamma) / (mp.pi * (1 + 2 * gamma**2) * mp.sqrt(1 + 4 * mp.mpf(gamma) ** 2))
    assert abs(float(special.zeta_zero(gamma) / float(expected)) - 1) < 4e-15
    assert abs(float(special.zeta(0.0, gamma) / float(expected)) - 1) < 4e-15
    assert abs(float(jax.grad(special.zeta_zero)(gamma) / float(slope)) - 1) < 4e-15


@pytest.mark.parametrize("name", MEANS)
def test_means_against_quadrature_of_the_definition(name):
    for t, gamma in POINTS:
        expected = float(exact.gaussian_mean(MEANS[name], t, gamma))
        error = abs(float(getattr(special, name)(t, gamma)) - expected)
        assert error <= 2e-14 * abs(expected) + 1e-17, (t, gamma)


@pytest.mark.parametrize(("t", "gamma"), POINTS)
def test_variance_against_quadrature_of_the_definition(t, gamma):
    square = exact.gaussian_mean(MEANS["zeta"], t, gamma)
    expected = float(square - exact.gaussian_mean(acb.erf, t, gamma) ** 2)
    assert abs(float(special.variance_erf(t, gamma)) / expected - 1) < 1e-13


def test_means_against_monte_carlo():
    """Twenty pairs (t, gamma), each with a separate sample; all |z| < 4."""
    rng = np.random.default_rng(0)
    t, gamma = rng.normal(size=20) * 1.5, 10 ** rng.uniform(-1, 0.7, 20)
    s = t + gamma * rng.normal(size=(100_000, 20))
    erf, prime = scipy.special.erf(s), 2 / math.sqrt(math.pi) * np.exp(-(s**2))
    values = {
        "mean_erf": erf,
        "mean_erf_prime": prime,
        "zeta": erf**2,
        "mean_erfc_squared": scipy.special.erfc(s) ** 2,
    }
    assert values.keys() == MEANS.keys()
    for name, sample in values.items():
        assert_mean(sample, getattr(special, name)(jnp.asarray(t), jnp.asarray(gamma)))


# Derivatives.


def differences(f, t, gamma):
    """f_t, f_gamma, f_tt, f_tg, f_gt, f_gg by central differences."""
    h = mp.mpf(10) ** -9
    at = {(i, j): f(t + i * h, gamma + j * h) for i in (-1, 0, 1) for j in (-1, 0, 1)}
    mixed = (at[1, 1] - at[1, -1] - at[-1, 1] + at[-1, -1]) / (4 * h**2)
    return [
        (at[1, 0] - at[-1, 0]) / (2 * h),
        (at[0, 1] - at[0, -1]) / (2 * h),
        (at[1, 0] - 2 * at[0, 0] + at[-1, 0]) / h**2,
        mixed,
        mixed,
        (at[0, 1] - 2 * at[0, 0] + at[0, -1]) / h**2,
    ]


@pytest.mark.parametrize("name", [*STABLE, "variance_erf"])
@pytest.mark.parametrize(("t", "gamma"), [*POINTS, (8.0, 0.4), (1e-6, 1e-6)])
def test_derivatives_against_forty_digits(name, t, gamma):
    """All first and second derivatives."""
    f = getattr(special, name)
    got = [*jax.grad(f, (0, 1))(t, gamma), *jax.tree.leaves(jax.hessian(f, (0, 1))(t, gamma))]
    value_of = STABLE[name][0] if name in STABLE else exact.variance_erf
    with mp.workdps(70):  # extra digits for the loss in the differences
        expected = differences(value_of, mp.mpf(t), mp.mpf(gamma))
    for order in (slice(0, 2), slice(2, 6)):
        size = max(abs(float(value)) for value in expected[order])
        for one, other in zip(got[order], expected[order], strict=True):
            assert abs(float(one) - float(other)) <= 1e-12 * abs(float(other)) + 1e-14 * size


@pytest.mark.either_precision
@pytest.mark.parametrize("name", [*STABLE, "variance_erf"])
def test_two_derivatives_are_finite(name):
    f = getattr(special, name)
    t, gamma = jnp.array(list(product([0.0, -0.5, 3.0, -40.0, 1e6], [0.0, 1e-18, 0.3, 1e9]))).T
    slopes = jax.vmap(lambda *z: (jax.grad(f, (0, 1))(*z), jax.hessian(f, (0, 1))(*z)))
    assert all(np.all(np.isfinite(x)) for x in jax.tree.leaves(slopes(t, gamma)))


# Properties.


@settings(deadline=None, derandomize=True, max_examples=50)
@given(st.floats(-20, 20))
def test_derivatives_of_erf(x):
    assert abs(jax.grad(special.erf)(x) - special.erf_prime(x)) <= 1e-15
    assert abs(jax.grad(special.erf_prime)(x) - special.erf_second(x)) <= 1e-15
    assert special.erf(x) ** 2 <= 4 / math.pi * x**2

"""Gaussian means of erf against 40-digit quadrature, Monte Carlo, and one another."""

import json
import math
from itertools import product
from pathlib import Path

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

GOLDEN = json.loads((Path(__file__).parents[1] / "data" / "golden.json").read_text())


def slope(s):
    """The derivative of erf, of the balls of Arb."""
    return 2 / arb.pi().sqrt() * (-(s**2)).exp()


# name: what is averaged
MEANS = {
    "mean_erf": acb.erf,
    "mean_erf_prime": slope,
    "mean_erf_second": lambda s: -2 * s * slope(s),
    "mean_erf_prime_squared": lambda s: slope(s) ** 2,
    "mean_erf_erf_prime": lambda s: s.erf() * slope(s),
    "mean_erf_erf_second": lambda s: s.erf() * -2 * s * slope(s),
    "zeta": lambda s: s.erf() ** 2,
    "one_minus_zeta": lambda s: s.erfc() * (2 - s.erfc()),
    "mean_erfc_squared": lambda s: s.erfc() ** 2,
}
# name: (value, slopes in t and gamma), in 40 digits
STABLE = {
    "zeta": (exact.zeta, exact.zeta_slopes),
    "one_minus_zeta": (exact.one_minus_zeta, exact.zeta_slopes),
    "mean_erfc_squared": (exact.mean_erfc_squared, exact.erfc_slopes),
}
SIZES = (1e-8, 1e-4, 0.03, 0.3, 0.7, 1.0, 1.6, 2.5, 4.0, 6.0, 9.0, 15.0, 26.0, 100.0, 1e3, 1e4)
GAMMAS = (1e-8, 1e-5, 1e-3, 0.03, 0.3, 0.7, 1.0, 2.0, 7.0, 100.0, 1e3)
POINTS = ((0.7, 0.3), (-1.3, 0.9), (2.5, 1.7), (0.0, 0.5), (-0.2, 4.0), (3.0, 0.05))


def conditioning(value, slopes, t, gamma):
    return sum(abs(x * slope / value) for x, slope in zip((t, gamma), slopes, strict=True))


@pytest.mark.either_precision
@pytest.mark.parametrize("name", STABLE)
def test_relative_error_over_the_whole_range(name):
    """At most 10 eps (1 + cond), in the precision that runs; below 1e-300 zero is right."""
    value_of, slopes_of = STABLE[name]
    single = not jax.config.jax_enable_x64
    eps, tiny = (2.0**-23, 1e-30) if single else (2.0**-52, 1e-300)
    sizes = SIZES[::3] if single else SIZES
    t, gamma = np.meshgrid([0.0, *sizes, *(-size for size in sizes)], GAMMAS)
    t, gamma = (np.asarray(jnp.asarray(v.ravel())) for v in (t, gamma))  # rounded as they will be
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


@pytest.mark.parametrize("gamma", [1e-8, 1e-4, 0.02, 0.5, 0.71, 1.0, 3.0, 50.0, 1e3, 1e6, 1e9])
def test_zeta_zero(gamma):
    expected = exact.zeta_zero(gamma)
    slope = 8 * mp.mpf(gamma) / (mp.pi * (1 + 2 * gamma**2) * mp.sqrt(1 + 4 * mp.mpf(gamma) ** 2))
    assert abs(float(special.zeta_zero(gamma) / float(expected)) - 1) < 4e-15
    assert abs(float(special.zeta(0.0, gamma) / float(expected)) - 1) < 4e-15
    assert abs(float(jax.grad(special.zeta_zero)(gamma) / float(slope)) - 1) < 4e-15


@pytest.mark.parametrize("name", MEANS)
@pytest.mark.parametrize(("t", "gamma"), POINTS)
def test_means_against_quadrature_of_the_definition(name, t, gamma):
    expected = float(exact.gaussian_mean(MEANS[name], t, gamma))
    assert abs(float(getattr(special, name)(t, gamma)) - expected) <= 2e-14 * abs(expected) + 1e-17


@pytest.mark.parametrize(("t", "gamma"), POINTS)
def test_variance_against_quadrature_of_the_definition(t, gamma):
    square = exact.gaussian_mean(MEANS["zeta"], t, gamma)
    expected = float(square - exact.gaussian_mean(acb.erf, t, gamma) ** 2)
    assert abs(float(special.variance_erf(t, gamma)) / expected - 1) < 1e-13


def test_means_against_monte_carlo():
    """Twenty pairs (t, gamma), each with its own sample; all |z| < 4."""
    rng = np.random.default_rng(0)
    t, gamma = rng.normal(size=20) * 1.5, 10 ** rng.uniform(-1, 0.7, 20)
    s = t + gamma * rng.normal(size=(100_000, 20))
    erf, prime = scipy.special.erf(s), 2 / math.sqrt(math.pi) * np.exp(-(s**2))
    values = {
        "mean_erf": erf,
        "mean_erf_prime": prime,
        "mean_erf_second": -2 * s * prime,
        "mean_erf_prime_squared": prime**2,
        "mean_erf_erf_prime": erf * prime,
        "mean_erf_erf_second": -2 * s * erf * prime,
        "zeta": erf**2,
        "one_minus_zeta": 1 - erf**2,
        "mean_erfc_squared": scipy.special.erfc(s) ** 2,
    }
    assert values.keys() == MEANS.keys()
    for name, sample in values.items():
        assert_mean(sample, getattr(special, name)(jnp.asarray(t), jnp.asarray(gamma)))


def test_zeta_is_owens_function():
    t, gamma = np.meshgrid(np.linspace(-6, 6, 25), [0.01, 0.2, 0.7, 1.5, 10.0])
    u, w = 1 + 2 * gamma**2, 1 + 4 * gamma**2
    owen = 8 * scipy.special.owens_t(t * np.sqrt(2 / u), 1 / np.sqrt(w))
    got = special.one_minus_zeta(jnp.asarray(t), jnp.asarray(gamma))
    np.testing.assert_allclose(got, owen, rtol=1e-12)


GOLDEN_NAMES = {
    "E_erf": "mean_erf",
    "E_erfp": "mean_erf_prime",
    "E_erfpp": "mean_erf_second",
    "E_erf_erfp": "mean_erf_erf_prime",
    "E_erfp2": "mean_erf_prime_squared",
    "E_erf_erfpp": "mean_erf_erf_second",
    "zeta": "zeta",
    "one_minus_zeta": "one_minus_zeta",
    "E_erfc_squared": "mean_erfc_squared",
}


@pytest.mark.parametrize("formula", GOLDEN_NAMES)
def test_golden_values(formula):
    entries = [entry for entry in GOLDEN if entry["formula"] == formula]
    assert len(entries) >= 3
    for entry in entries:
        got = getattr(special, GOLDEN_NAMES[formula])(**entry["inputs"])
        np.testing.assert_allclose(got, entry["output"], rtol=1e-13, atol=1e-300)


# Derivatives.

DIFFERENTIABLE = [*MEANS, "variance_erf"]


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
@pytest.mark.parametrize(("t", "gamma"), [*POINTS, (8.0, 0.4), (-4.0, 0.4), (1e-6, 1e-6)])
def test_derivatives_against_forty_digits(name, t, gamma):
    """First and second derivatives, all of them."""
    f = getattr(special, name)
    got = [*jax.grad(f, (0, 1))(t, gamma), *jax.tree.leaves(jax.hessian(f, (0, 1))(t, gamma))]
    value_of = STABLE[name][0] if name in STABLE else exact.variance_erf
    with mp.workdps(70):  # what the differences lose, and to spare
        expected = differences(value_of, mp.mpf(t), mp.mpf(gamma))
    for order in (slice(0, 2), slice(2, 6)):
        size = max(abs(float(value)) for value in expected[order])
        for one, other in zip(got[order], expected[order], strict=True):
            assert abs(float(one) - float(other)) <= 1e-12 * abs(float(other)) + 1e-14 * size


@pytest.mark.parametrize("name", STABLE)
def test_slopes_over_the_whole_range(name):
    t, gamma = (v.ravel() for v in np.meshgrid([0.0, *SIZES, *(-s for s in SIZES)], GAMMAS))
    f = jax.jit(jax.vmap(jax.grad(getattr(special, name), (0, 1))))
    sign = -1 if name == "one_minus_zeta" else 1
    for t_, gamma_, by_t, by_gamma in zip(t, gamma, *map(np.asarray, f(t, gamma)), strict=True):
        _, _, x, y = exact.scales(t_, gamma_)
        expected = [sign * float(v) for v in STABLE[name][1](float(t_), float(gamma_))]
        allowed = 1e-14 * (1 + float(x * x + y * y))
        assert abs(by_t - expected[0]) <= allowed * abs(expected[0]) + 1e-300
        # the slope in gamma is a difference of two parts where 2 x^2 is near one
        assert abs(by_gamma - expected[1]) <= 4 * allowed * (abs(expected[1]) + gamma_) + 1e-300


@pytest.mark.parametrize("name", DIFFERENTIABLE)
def test_slope_test_of_gradients(name):
    """f(z + h v) - f(z) - h v.grad f(z) shrinks like h^2."""
    f, z, v = getattr(special, name), np.array([0.6, 0.8]), np.array([0.7, -0.5])
    value, slope = float(f(*z)), float(jnp.dot(jnp.stack(jax.grad(f, (0, 1))(*z)), v))
    steps = np.logspace(-1.5, -3.5, 9)
    errors = [abs(float(f(*(z + h * v))) - value - h * slope) for h in steps]
    order = np.polyfit(np.log(steps), np.log(errors), 1)[0]
    assert abs(order - 2) < 0.05


@pytest.mark.either_precision
@pytest.mark.parametrize("name", DIFFERENTIABLE)
def test_transformations_agree(name):
    f = getattr(special, name)
    t, gamma = jnp.linspace(-2.0, 2.0, 7), jnp.linspace(0.1, 3.0, 7)
    tight = {"rtol": 64 * jnp.finfo(t.dtype).eps, "atol": 16 * jnp.finfo(t.dtype).eps}
    values = f(t, gamma)
    assert values.shape == (7,) and values.dtype == t.dtype
    one = [float(f(a, b)) for a, b in zip(t.tolist(), gamma.tolist(), strict=True)]
    np.testing.assert_allclose(one, values, **tight)

    @jax.jit  # one program for all of them
    def transformed(t, gamma):
        alone = [jax.vmap(jax.grad(f, argument))(t, gamma) for argument in (0, 1)]
        joint = jax.vmap(jax.value_and_grad(f, (0, 1)))(t, gamma)
        tangent = jax.jvp(f, (t, gamma), (jnp.ones(7), 2 * jnp.ones(7)))[1]
        return f(t, gamma), jax.vmap(f)(t, gamma), *joint, alone, tangent

    compiled, each, value, joint, alone, tangent = transformed(t, gamma)
    for other in (compiled, each, value):
        np.testing.assert_allclose(other, values, **tight)
    np.testing.assert_allclose(joint, alone, **tight)
    np.testing.assert_allclose(tangent, joint[0] + 2 * joint[1], **tight)


@pytest.mark.either_precision
@pytest.mark.parametrize("name", DIFFERENTIABLE)
def test_values_and_two_derivatives_are_finite(name):
    f = getattr(special, name)
    points = list(product([0.0, 1e-12, -0.5, 3.0, -40.0, 1e6, 2e10], [0.0, 1e-18, 0.3, 1e9]))
    slopes = jax.jit(lambda *z: (jax.grad(f, (0, 1))(*z), jax.hessian(f, (0, 1))(*z)))
    for t, gamma in points:
        numbers = [f(t, gamma), slopes(t, gamma)]
        assert all(np.isfinite(leaf) for leaf in jax.tree.leaves(numbers)), (t, gamma)


@pytest.mark.either_precision
def test_gamma_zero_is_erf_itself():
    t = jnp.linspace(-3.0, 3.0, 13)
    eps = jnp.finfo(t.dtype).eps
    np.testing.assert_allclose(special.zeta(t, 0.0), special.erf(t) ** 2, rtol=8 * eps)
    np.testing.assert_allclose(
        special.mean_erfc_squared(t, 0.0), special.erfc(t) ** 2, rtol=8 * eps
    )
    np.testing.assert_array_equal(special.variance_erf(t, 0.0), 0)
    assert jax.grad(special.zeta, 1)(0.7, 0.0) == 0


# Properties.


@settings(deadline=None, derandomize=True, max_examples=150)
@given(st.floats(-30, 30), st.floats(0, 100))
def test_properties(t, gamma):
    zeta, rest = float(special.zeta(t, gamma)), float(special.one_minus_zeta(t, gamma))
    mean, variance = float(special.mean_erf(t, gamma)), float(special.variance_erf(t, gamma))
    tail = float(special.mean_erfc_squared(t, gamma))
    assert 0 <= zeta <= 1 + 1e-15 and 0 <= rest <= 1 + 1e-15
    assert 0 <= variance <= zeta and 0 <= tail <= 4
    assert zeta == special.zeta(-t, gamma) and rest == special.one_minus_zeta(-t, gamma)
    assert abs(zeta + rest - 1) < 1e-14  # two rules over two intervals
    assert abs(1 - 2 * mean + zeta - tail) < 1e-14  # (1 - erf)^2 multiplied out
    assert zeta >= mean**2  # Jensen
    assert special.zeta_zero(gamma) <= 4 / math.pi * gamma**2 + 1e-300  # Lemma 17


@settings(deadline=None, derandomize=True, max_examples=50)
@given(st.floats(-20, 20))
def test_derivatives_of_erf(x):
    assert abs(jax.grad(special.erf)(x) - special.erf_prime(x)) <= 1e-15
    assert abs(jax.grad(special.erf_prime)(x) - special.erf_second(x)) <= 1e-15
    assert special.erf(x) ** 2 <= 4 / math.pi * x**2


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: special.zeta(1.0, -0.3), "gamma must be zero or more, got -0.3"),
        (lambda: special.zeta(float("nan"), 1.0), "t must be finite, got nan"),
        (lambda: special.zeta_zero("one"), "gamma must be a number, got 'one'"),
        (lambda: special.mean_erf(float("inf"), 1.0), "t must be finite, got inf"),
        (lambda: special.one_minus_zeta(0.0, np.array([1.0, -2.0])), "gamma must be zero or more"),
    ],
)
def test_bad_input_gets_one_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()

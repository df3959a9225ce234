"""Means of erf erf and of its derivatives, against quadrature of their definition."""

import exact
import jax
import jax.numpy as jnp
import mpmath as mp
import numpy as np
import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st
from refused import refusal
from scipy.special import erf

from slrlib import special
from slrlib.heads.risk import PairMeans, centred_pair_means, pair_means

CASES = [  # t1, t2, var1, var2, cov
    (0.3, -0.7, 0.5, 0.8, 0.4),
    (1.5, 1.2, 1.0, 1.0, 1.0),  # equal numbers but for their means: a singular matrix
    (-0.4, 2.0, 0.2, 1.4, -0.5),
    (0.0, 0.6, 0.9, 0.3, 0.0),
    (0.8, -0.1, 0.0, 0.7, 0.0),
]


def first(x):
    return 2 / np.sqrt(np.pi) * np.exp(-(x**2))


def by_quadrature(t1, t2, var1, var2, cov, nodes=160):
    """The six means as double sums over a Gauss-Hermite rule."""
    z, w = np.polynomial.hermite_e.hermegauss(nodes)
    w = np.outer(w, w) / np.sum(w) ** 2
    g1 = np.sqrt(var1)
    slope = cov / g1 if g1 else 0.0
    rest = np.sqrt(max(var2 - slope**2, 0.0))
    x = t1 + g1 * z[:, None]
    y = t2 + slope * z[:, None] + rest * z[None, :]
    second_x, second_y = -2 * x * first(x), -2 * y * first(y)
    products = (
        erf(x) * erf(y),
        first(x) * erf(y),
        erf(x) * first(y),
        second_x * erf(y),
        first(x) * first(y),
        erf(x) * second_y,
    )
    return [np.sum(w * p) for p in products]


@pytest.mark.parametrize("case", CASES)
def test_the_definition_by_quadrature(case):
    found = pair_means(*case)
    np.testing.assert_allclose(np.array(found), by_quadrature(*case), atol=1e-12)


def by_many_digits(t1, t2, var1, var2, cov):
    """The mean of erf(x1) times the mean of erf(x2) given x1, over the law of x1."""
    t1, t2, var1, var2, cov = (mp.mpf(x) for x in (t1, t2, var1, var2, cov))
    g1, root = mp.sqrt(var1), mp.sqrt(1 + 2 * (var2 - cov**2 / var1))
    mean1, mean2, slope1, slope2 = map(arb, (t1, t2 / root, g1, cov / g1 / root))
    return float(
        exact.normal_mean(lambda z: (mean1 + slope1 * z).erf() * (mean2 + slope2 * z).erf())
    )


@pytest.mark.parametrize(
    "case, error",
    [
        ((0.3, -0.7, 0.5, 0.8, 0.4), 1e-15),
        ((3.0, -2.9, 2.0, 2.0, 1.99), 1e-15),
        ((0.2, 5.0, 24.0, 25.0, -24.4), 1e-13),
        ((0.7, -0.6, 25.0, 25.0, 25.0), 1e-13),
        ((3.0, -2.0, 400.0, 380.0, 389.0), 1e-10),
    ],
)
def test_many_digits(case, error):
    assert float(pair_means(*case).value) == pytest.approx(by_many_digits(*case), abs=error)


def test_equal_numbers_are_lemma_18():
    t, gamma = np.linspace(-4, 4, 33), 0.8
    both = pair_means(t, t, gamma**2, gamma**2, gamma**2)
    wanted = PairMeans(
        special.zeta(t, gamma),
        special.mean_erf_erf_prime(t, gamma),
        special.mean_erf_erf_prime(t, gamma),
        special.mean_erf_erf_second(t, gamma),
        special.mean_erf_prime_squared(t, gamma),
        special.mean_erf_erf_second(t, gamma),
    )
    np.testing.assert_allclose(np.array(both), np.array(wanted), atol=4e-16 * 8)


def test_means_of_zero():
    var1, var2, cov = np.array([0.3, 2.0, 9.0]), np.array([0.8, 2.0, 0.1]), np.array([0.4, 2, -0.2])
    found = np.array(centred_pair_means(var1, var2, cov))
    np.testing.assert_allclose(found, np.array(pair_means(0.0, 0.0, var1, var2, cov)), atol=2e-15)


@pytest.mark.parametrize("case", [CASES[0], CASES[2]])
def test_derivatives_of_all_five_arguments(case):
    """Those in the means are the fields; those in the covariance matrix obey the heat equation."""
    found = pair_means(*case)
    slopes = jax.grad(lambda *x: pair_means(*x).value, argnums=range(5))(*case)
    heat = found.by_1, found.by_2, found.by_11 / 2, found.by_22 / 2, found.by_12
    np.testing.assert_allclose(np.array(slopes), np.array(heat), rtol=1e-12)
    step = 1e-5
    for i, slope in enumerate(slopes):
        up, down = (
            by_quadrature(*[x + sign * step * (i == j) for j, x in enumerate(case)])[0]
            for sign in (1, -1)
        )
        assert float(slope) == pytest.approx((up - down) / (2 * step), abs=1e-9)


def test_second_derivatives():
    case = CASES[0]
    value = jax.jit(lambda t: pair_means(t[0], t[1], *case[2:]).value)
    bend = jax.hessian(value)(jnp.array(case[:2]))
    found = pair_means(*case)
    wanted = [[found.by_11, found.by_12], [found.by_12, found.by_22]]
    np.testing.assert_allclose(np.array(bend), np.array(wanted), atol=1e-15)


numbers = st.floats(-5, 5)


@given(numbers, numbers, st.floats(0, 3), st.floats(0, 3), st.floats(-1, 1))
@settings(deadline=None, derandomize=True, max_examples=40)
def test_exchange_and_change_of_sign(t1, t2, g1, g2, share):
    cov = share * g1 * g2
    value, by_1, by_2, by_11, by_12, by_22 = pair_means(t1, t2, g1**2, g2**2, cov)
    exchanged = pair_means(t2, t1, g2**2, g1**2, cov)
    turned = pair_means(-t1, t2, g1**2, g2**2, -cov)
    for other, wanted in (
        (exchanged, (value, by_2, by_1, by_22, by_12, by_11)),
        (turned, (-value, by_1, -by_2, -by_11, by_12, -by_22)),
    ):
        np.testing.assert_allclose(np.array(other), np.array(wanted), atol=1e-14)
    assert abs(value) <= 1


@pytest.mark.either_precision
def test_shapes_and_precision():
    t = jnp.linspace(-2.0, 2.0, 6).reshape(2, 3)
    found = pair_means(t, 0.5, 0.4, jnp.full((3,), 0.7)[None, :], 0.2)
    narrow = pair_means(*(jnp.full((1,), x, jnp.float32) for x in CASES[0]))
    assert all(x.shape == (2, 3) and x.dtype == t.dtype for x in found)
    assert all(x.dtype == jnp.float32 for x in narrow)
    np.testing.assert_allclose(np.array(narrow)[:, 0], by_quadrature(*CASES[0]), atol=1e-6)
    slope = jax.grad(lambda cov: pair_means(0.5, 0.5, 0.7, 0.7, cov).value)(0.7)
    assert np.isfinite(slope)


REFUSED = {
    "t1": (lambda: pair_means(np.nan, 0, 1, 1, 0), "t1 must be finite, got nan"),
    "var1": (lambda: pair_means(0, 0, -1, 1, 0), "var1 must be zero or more, got -1"),
    "var2": (lambda: centred_pair_means(1, -2.0, 0), "var2 must be zero or more, got -2.0"),
    "cov": (lambda: centred_pair_means(1, 1, "x"), "cov must be a number, got 'x'"),
}


@pytest.mark.parametrize("call, sentence", REFUSED.values(), ids=REFUSED)
def test_one_sentence_says_what_is_allowed_and_what_came(call, sentence):
    assert refusal(call) == sentence

"""Means of erf erf and of its derivatives, compared with quadrature of their definition."""

import exact
import jax
import mpmath as mp
import numpy as np
import pytest
from flint import arb
from scipy.special import erf

from slrlib.heads.risk import pair_means

CASES = [  # t1, t2, var1, var2, cov
    (0.3, -0.7, 0.5, 0.8, 0.4),
    (1.5, 1.2, 1.0, 1.0, 1.0),  # equal variables except for their means: a singular matrix
    (-0.4, 2.0, 0.2, 1.4, -0.5),
    (0.0, 0.6, 0.9, 0.3, 0.0),
    (0.8, -0.1, 0.0, 0.7, 0.0),
    (0.0, 0.0, 2.0, 2.0, 2.0),
    (0.0, 0.0, 0.3, 0.8, -0.4),
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
    """The mean of erf(x1) times the mean of erf(x2) given x1, over the distribution of x1."""
    t1, t2, var1, var2, cov = (mp.mpf(x) for x in (t1, t2, var1, var2, cov))
    g1, root = mp.sqrt(var1), mp.sqrt(1 + 2 * (var2 - cov**2 / var1))
    mean1, mean2, slope1, slope2 = map(arb, (t1, t2 / root, g1, cov / g1 / root))
    found = exact.normal_mean(lambda z: (mean1 + slope1 * z).erf() * (mean2 + slope2 * z).erf())
    return float(found)


@pytest.mark.parametrize(
    "case, error",
    [
        ((3.0, -2.9, 2.0, 2.0, 1.99), 1e-15),
        ((0.2, 5.0, 24.0, 25.0, -24.4), 1e-13),
        ((3.0, -2.0, 400.0, 380.0, 389.0), 1e-10),
    ],
)
def test_many_digits(case, error):
    assert float(pair_means(*case)[0]) == pytest.approx(by_many_digits(*case), abs=error)


@pytest.mark.parametrize("case", [CASES[0], CASES[2]])
def test_derivatives_of_all_five_arguments(case):
    """Those in the means are the fields; those in the covariances obey the heat equation."""
    _, by_1, by_2, by_11, by_12, by_22 = pair_means(*case)
    slopes = jax.grad(lambda *x: pair_means(*x)[0], argnums=range(5))(*case)
    heat = by_1, by_2, by_11 / 2, by_22 / 2, by_12
    np.testing.assert_allclose(np.array(slopes), np.array(heat), rtol=1e-12)
    step = 1e-5
    for i, slope in enumerate(slopes):
        up, down = (
            by_quadrature(*[x + sign * step * (i == j) for j, x in enumerate(case)])[0]
            for sign in (1, -1)
        )
        assert float(slope) == pytest.approx((up - down) / (2 * step), abs=1e-9)

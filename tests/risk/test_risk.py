"""The excess risk: definitions, direct simulation, derivatives, M, precision."""

from functools import lru_cache

import exact
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from chance import assert_mean
from scipy.special import erf

from slrlib import Overlaps, Task
from slrlib.overlaps import ORACLE, random_overlaps
from slrlib.risk import (
    RiskTerms,
    excess_risk,
    excess_risk_gradient,
    manifold_excess_risk,
    oracle_excess_risk,
    risk_terms,
)

GENERIC = Overlaps(0.3, 0.4, -0.2, 0.25, 0.35)
# (overlaps, lam, d, L, gamma), on and off M
POINTS = [
    (GENERIC, 0.4, 20.0, 6.0, 0.8),
    (Overlaps(-0.5, 0.3, 0.4, 0.6, -0.3), 1.2, 80.0, 10.0, 0.7),
    (Overlaps(0.05, -0.02, 0.03, 0.04, -0.05), 0.1, 400.0, 10.0, 0.5**0.5),
    (Overlaps(0.0, 0.0, 1.0, 1.0, 0.0), 0.05, 400.0, 10.0, 0.5**0.5),
    (Overlaps(0.7, -0.6, -0.3, 0.2, 0.1), 3.0, 12.0, 2.0, 2.0),
    (Overlaps(1e-9, 1e-12, 1e-6, -1e-9, 0.5), 2.0, 1e6, 100.0, 1.0),
    (Overlaps(0.0, 0.0, 0.0, 0.0, -1.0), 0.3, 30.0, 3.0, 0.4),
    (Overlaps(0.6, 0.8, 0.0, 0.0, 0.0), 0.2, 50.0, 5.0, 1.3),
    (ORACLE, 0.06, 400.0, 10.0, 0.5**0.5),
    (Overlaps(-0.4, 0.9, 0.0, 0.0, 0.0), 1.0, 9.0, 1.0, 3.0),
]


def at(point):
    o, lam, d, L, gamma = point
    return o, lam, Task(d=d, L=L, gamma=gamma)


@lru_cache
def random_points(seed=0, on_manifold=False, n=200):
    """Overlaps, lam and Task of ``n`` moderate settings, as arrays."""
    rng = np.random.default_rng(seed)
    o = random_overlaps(jax.random.key(seed), 5, (n,), on_manifold=on_manifold)
    lam, gamma = 10 ** rng.uniform(-1.5, 0.5, n), 10 ** rng.uniform(-0.5, 0.4, n)
    d, L = rng.integers(6, 500, n), rng.integers(1, 30, n)
    return o, jnp.asarray(lam), Task(d=d, L=L, gamma=gamma, noise=np.full(n, 0.1))


# Compare with the definition by quadrature and with direct simulation.


@pytest.mark.parametrize("point", POINTS)
def test_each_term_against_its_definition(point):
    o, lam, task = at(point)
    expected = exact.risk_terms(o, lam, task.d, task.L, task.gamma)
    got = risk_terms(o, lam, task)
    size = float(sum(abs(term) for term in expected))
    for name, one, other in zip(RiskTerms._fields, got, expected, strict=True):
        assert abs(float(one) - float(other)) <= 1e-12 * abs(float(other)) + 1e-16 * size, name
    assert abs(float(excess_risk(o, lam, task)) - float(sum(expected))) <= 1e-15 * size


def simulated(o, lam, task, n, rng):
    """The six terms and their sum, as samples: tokens in R^d, k and v from their frame."""
    d, L = int(task.d), int(task.L)
    kappa, nu, theta, eta, rho = (float(value) for value in o)
    k, v = np.zeros(d), np.zeros(d)
    k[:3] = kappa, eta, np.sqrt(1 - kappa**2 - eta**2)
    v[:3] = theta, nu, (rho - kappa * theta - eta * nu) / k[2]
    v[3] = np.sqrt(max(0.0, 1 - v @ v))
    X = rng.normal(size=(n, L, d))
    X[:, 0] = task.gamma * X[:, 0]
    X[:, 0, 0] += np.sqrt(d / 2)
    y = X[:, 0, 1] + task.noise * rng.normal(size=n)
    e, t = erf(lam * (X @ k)), X @ v
    others = (e * t)[:, 1:].sum(1)
    squares = ((e * t)[:, 1:] ** 2).sum(1)
    first = (e * t)[:, 0]
    terms = {
        "target": y**2 - task.noise**2,
        "cross": -2 * y * first,
        "informative": first**2,
        "noise": squares,
        "noise_pairs": others**2 - squares,
        "mixed": 2 * first * others,
    }
    return terms, (y - first - others) ** 2 - task.noise**2


@pytest.mark.parametrize("on_manifold", [False, True])
def test_terms_and_sum_against_direct_simulation(on_manifold):
    """12 points, half of them on M: seven z-scores at each, all below 4."""
    rng = np.random.default_rng(3)
    o = random_overlaps(jax.random.key(7), 8, (6,), on_manifold=on_manifold)
    lam, gamma = 10 ** rng.uniform(-1, 0.3, 6), rng.uniform(0.4, 1.6, 6)
    L = rng.permutation([1, 1, 3, 4, 6, 6])
    for i in range(6):
        here = Overlaps(*(float(value[i]) for value in o))
        task = Task(d=8, L=int(L[i]), gamma=gamma[i], noise=0.3)
        terms, whole = simulated(here, lam[i], task, 40_000, rng)
        exactly = risk_terms(here, lam[i], task)
        for name in RiskTerms._fields[: 6 if task.L > 1 else 3]:
            assert_mean(terms[name], getattr(exactly, name))
        assert_mean(whole, excess_risk(here, lam[i], task))


# Derivatives.


def assert_near(got, expected, rtol):
    """Equal up to ``rtol`` times the largest entry on the last axis."""
    gap, size = np.abs(got - expected), np.abs(expected).max(-1, keepdims=True)
    assert np.all(gap <= rtol * size), (gap / size).max()


def test_closed_gradient_is_autodiff():
    o, lam, task = random_points()
    value, joint = jax.jit(jax.vmap(jax.value_and_grad(excess_risk)))(o, lam, task)
    np.testing.assert_allclose(value, excess_risk(o, lam, task), rtol=1e-12)
    closed = np.stack(jax.jit(excess_risk_gradient)(o, lam, task), -1)
    assert_near(closed, np.stack(joint, -1), 1e-12)


@pytest.mark.parametrize("point", POINTS[:5])
def test_gradient_against_the_definition_by_differences(point):
    o, lam, task = at(point)

    def risk(*args):
        return sum(exact.risk_terms(args, lam, task.d, task.L, task.gamma))

    point, h = np.array(o), 1e-6
    expected = [float((risk(*(point + x)) - risk(*(point - x))) / (2 * h)) for x in h * np.eye(5)]
    assert_near(np.stack(excess_risk_gradient(o, lam, task), -1), np.array(expected), 1e-8)


# Structure.


@pytest.mark.either_precision
def test_no_slope_leaves_the_manifold():
    """Lemma 14: on M the derivatives in theta, eta and rho are zero, not merely small."""
    o, lam, task = random_points(on_manifold=True)
    for slope in (
        excess_risk_gradient(o, lam, task),
        jax.vmap(jax.grad(excess_risk))(o, lam, task),
    ):
        for part in (slope.theta, slope.eta, slope.rho):
            np.testing.assert_array_equal(part, 0.0)
        assert np.all(slope.nu != 0.0)


def test_on_the_manifold_the_two_forms_agree():
    o, lam, task = random_points(seed=2, on_manifold=True)
    size = sum(jnp.abs(term) for term in risk_terms(o, lam, task))
    value = manifold_excess_risk(o.kappa, o.nu, lam, task)
    assert np.all(np.abs(value - excess_risk(o, lam, task)) <= 1e-14 * size)
    risk = jax.vmap(jax.grad(manifold_excess_risk, (0, 1)))
    slope = excess_risk_gradient(o, lam, task)
    np.testing.assert_allclose(risk(o.kappa, o.nu, lam, task), slope[:2], rtol=1e-12)
    mirrored = manifold_excess_risk(-o.kappa, -o.nu, lam, task)
    np.testing.assert_array_equal(mirrored, value)


@pytest.mark.parametrize(
    ("kappa", "nu", "lam", "d", "gamma"),
    [
        (1.0, 1.0, 1.0, 400.0, 0.5**0.5),
        (-1.0, -1.0, 0.9, 80.0, 1.0),
        (1.0, 1.0, 3.0, 1e4, 2.0),
        (0.9, 1 - 1e-13, 0.5, 2000.0, 0.5),
    ],
)
def test_near_the_oracle_no_digit_is_lost(kappa, nu, lam, d, gamma):
    """With L = 1 the risk is exponentially small; the sum of all terms would only be rounding."""
    task = Task(d=d, L=1, gamma=gamma)
    t, s = lam * np.sqrt(d / 2) * abs(kappa), lam * gamma
    mean = exact.mp.erf(exact.scales(t, s)[2])
    expected = gamma**2 * (2 * (1 - abs(nu)) * mean + exact.mean_erfc_squared(t, s))
    got = float(manifold_excess_risk(kappa, nu, lam, task))
    assert abs(got / float(expected) - 1) < 1e-12
    if kappa == nu == 1.0:
        assert float(oracle_excess_risk(lam, task)) == pytest.approx(got, rel=1e-12)
    u, _, x, y = exact.scales(t, s)  # and the derivative in kappa, at the same point
    A = exact.mp.mpf(lam) * exact.mp.sqrt(d / 2) / exact.mp.sqrt(u)
    tail = exact.mp.erfc(y) - (1 - abs(nu))
    slope = -2 * exact.mp.mpf(gamma) ** 2 * A * exact.erf_prime(x) * tail * np.sign(kappa)
    closed = excess_risk_gradient(Overlaps(kappa, nu, 0.0, 0.0, 0.0), lam, task).kappa
    assert abs(float(closed) / float(slope) - 1) < 1e-12


# Shapes and precision.


@pytest.mark.either_precision
def test_any_batch_shape():
    o, lam, task = random_points(n=6)
    whole = excess_risk(o, lam, task)
    assert whole.shape == (6,)
    rows = Overlaps(*(value.reshape(2, 3) for value in o))
    batched = Task(*(jnp.reshape(value, (2, 3)) for value in (task.d, task.L, task.gamma)))
    got = excess_risk(rows, lam.reshape(2, 3), batched)
    np.testing.assert_allclose(got, whole.reshape(2, 3), rtol=1e-5)
    assert {term.shape for term in risk_terms(rows, 0.3, batched)} == {(2, 3)}
    assert {part.shape for part in excess_risk_gradient(rows, 0.3, batched)} == {(2, 3)}
    one = Task(d=400, L=10)
    assert {term.shape for term in risk_terms(GENERIC, lam, one)} == {(6,)}
    assert excess_risk(GENERIC, 0.3, one).shape == ()
    assert manifold_excess_risk(o.kappa * 0.5, 0.3, lam, one).shape == (6,)

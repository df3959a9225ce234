"""The best weight of a token given its own score, and the floor of erf with a bias."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from booksource import defined
from chance import LIMIT, assert_mean
from scipy import optimize, stats
from scipy.special import erf, expit, logsumexp

from slrlib import Overlaps, Task, special
from slrlib.overlaps import ORACLE
from slrlib.risk import activation_excess_risk, threshold_excess_risk

NODES = np.linspace(-9, 9, 6001)  # of a standard normal variable
MASS = np.exp(-(NODES**2) / 2) / np.sum(np.exp(-(NODES**2) / 2))


@pytest.fixture(scope="module")
def page():
    return defined("what_attention_reaches", "best_weight_risk", "leading", np=np)


def logarithm(d, log_others, gamma):
    """The logarithm of the lowest risk, from the logarithm of L - 1."""
    r = np.sqrt(d / 2)
    s, spacing = np.linspace(-12, r + 12 * gamma, 200_001, retstep=True)
    read = np.log(gamma) - ((s - r) / gamma) ** 2 / 2
    noise = log_others - s**2 / 2
    return logsumexp(-np.logaddexp(-read, -noise)) + np.log(spacing / np.sqrt(2 * np.pi))


@pytest.mark.parametrize(("d", "L", "gamma"), [(12, 6, 0.6), (6, 2, 1.7)])
def test_least_squares_on_sampled_tokens_finds_the_best_weight(page, d, L, gamma):
    """Piecewise constant weights fitted to tokens; their limit is known for each cell."""
    rng, n, r = np.random.default_rng(d), 60_000, np.sqrt(d / 2)
    edges = np.r_[-np.inf, np.linspace(-1.5, r + 1, 9), np.inf]
    scores, values = rng.normal(size=(2, n, L))
    scores[:, 0], values[:, 0] = r + gamma * scores[:, 0], gamma * values[:, 0]
    cell = np.digitize(scores, edges[1:-1])
    inputs = np.stack([np.sum(values * (cell == i), axis=1) for i in range(10)], axis=1)
    inverse = np.linalg.inv(inputs.T @ inputs)
    fitted = inverse @ inputs.T @ values[:, 0]
    own = np.diff(stats.norm.cdf(edges, r, gamma)) * gamma**2
    other = np.diff(stats.norm.cdf(edges)) * (L - 1)
    left = values[:, 0] - inputs @ fitted
    spread = inverse @ (inputs.T @ (inputs * left[:, None] ** 2)) @ inverse  # unequal variances
    assert np.max(np.abs(fitted - own / (own + other)) / np.sqrt(np.diag(spread))) < LIMIT
    log_ratio = (scores**2 - ((scores - r) / gamma) ** 2) / 2 + np.log(gamma / (L - 1))
    predicted = np.sum(expit(log_ratio) * values, axis=1)
    least = page["best_weight_risk"](Task(d=d, L=L, gamma=gamma))
    assert_mean((predicted - values[:, 0]) ** 2, least)
    assert least < np.sum(own * other / (own + other))  # piecewise constant weights lose a little


@pytest.mark.parametrize(("d", "L"), [(12, 3), (100, 2)])
def test_an_optimizer_returns_the_logistic_weight(page, d, L):
    task = Task(d=d, L=L, gamma=1.0)

    def tried(x):
        return float(activation_excess_risk(jax.nn.sigmoid, ORACLE, x[0], task, bias=x[1]))

    wanted = np.array([np.sqrt(d / 2), d / 4 + np.log(L - 1)])
    options = {"xatol": 1e-7, "fatol": 1e-15}
    found = optimize.minimize(tried, 0.8 * wanted, method="Nelder-Mead", options=options)
    np.testing.assert_allclose(found.x, wanted, rtol=1e-4)
    np.testing.assert_allclose(found.fun, page["best_weight_risk"](task), rtol=1e-7)


@pytest.mark.parametrize("gamma", [0.4, 1.0, 2.0])
def test_the_exponent_and_the_wall_of_the_own_score(gamma):
    near, far = (logarithm(d, np.log(9), gamma) for d in (1e4, 2e4))
    assert abs((near - far) / 1e4 - 1 / (4 * (1 + gamma) ** 2)) < 1e-4
    below, above = (np.exp(logarithm(1e4, q * 1e4, gamma)) / gamma**2 for q in (0.2, 0.3))
    assert below < 1e-3 and above > 0.999
    for d in (20, 200):
        threshold = np.sqrt(d / 2) / (1 + gamma)
        bound = float(threshold_excess_risk(threshold, Task(d=d, L=10, gamma=gamma)))
        assert 0.1 * bound < np.exp(logarithm(d, np.log(9), gamma)) < bound


def noise(lam, bias, rho):
    """The variance of a noise token's contribution."""
    w = erf(lam * NODES - bias)
    product = w * NODES
    spread = MASS @ product**2 - (MASS @ product) ** 2
    return (1 - rho**2) * (MASS @ w**2) + rho**2 * spread


def test_the_two_bounds_behind_the_floor_with_a_bias():
    rng, nearest = np.random.default_rng(0), 0.0
    for _ in range(1500):
        r, gamma = np.sqrt(np.exp(rng.uniform(0, 6))), 10 ** rng.uniform(-1.5, 1)
        lam, bias = 10 ** rng.uniform(-3, 0.5, 2) * [1, rng.choice([-1, 1])]
        k, v = rng.normal(size=(2, 4)) * np.r_[1, 1, [rng.choice([0, 0.1, 1])] * 2]
        k, v = (x / np.linalg.norm(x) for x in (k, v))
        kappa, nu, theta, eta, rho = k[0], v[1], v[0], k[1], k @ v
        w = erf(lam * (r * kappa + gamma * NODES) - bias)
        M = [MASS @ (w * NODES**j) for j in range(3)]
        followed = (nu - rho * eta) * M[0] + r * theta * eta / gamma * M[1] + rho * eta * M[2]
        size = lam**2 + bias**2
        bound = np.sqrt(4 / np.pi * size * (r**2 + 2))
        assert abs(followed) < bound
        nearest = max(nearest, abs(followed) / bound)
        least = 4 / np.pi * size * (1 - 4 * size) if size < 0.1 else 0.1
        assert noise(lam, bias, rho) > least
    assert nearest > 0.9  # the bound is sharp up to the 2


@pytest.mark.parametrize(("d", "L", "gamma"), [(60, 4, 0.7), (400, 40, 1.5)])
def test_no_pair_with_a_bias_is_below_the_floor(d, L, gamma):
    task = Task(d=d, L=L, gamma=gamma)

    @jax.jit
    def risk(x):
        k, v = (y / jnp.linalg.norm(y) for y in (x[:4], x[4:8]))
        o = Overlaps(k[0], v[1], v[0], k[1], k @ v)
        return activation_excess_risk(special.erf, o, jnp.exp(x[8]), task, x[9], 201)

    slope, rng, lowest = jax.jit(jax.grad(risk)), np.random.default_rng(d + L), np.inf
    for i in range(12):
        start = np.r_[rng.normal(size=8), np.log(2 / d) / 2, 0] + 0.3 * rng.normal(size=10)
        start[:8] += 2 * (i % 2) * np.array([0, 1, 0, 0, 1, 0, 0, 0])  # half near the swapped pair
        found = optimize.minimize(risk, start, jac=slope, method="BFGS")
        lowest = min(lowest, found.fun)
    floor = 2 * (L - 1) / (d + 2 * (L - 1) / gamma**2)
    assert floor < lowest < (1.3 if gamma < 1 else 1.6) * floor

"""Fitted linear predictors against optimality conditions, other algorithms, and their limits."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from chance import LIMIT, z_score

from slrlib import Task, predictors, risk
from slrlib.task import random_teacher, sample

D, L = 5, 4
TASK = Task(d=D, L=L)
TEACHER = random_teacher(D, key=jax.random.key(1))


@pytest.fixture(scope="module")
def data():
    return sample(TASK, TEACHER, 120, key=jax.random.key(2))


def slope(beta, data):
    """The gradient of the squared error over 2n, one vector a place, in plain NumPy."""
    X, y = np.asarray(data.X), np.asarray(data.y)
    rest = np.einsum("nld,ld->n", X, np.asarray(beta)) - y
    return np.einsum("n,nld->ld", rest, X) / len(y)


def test_least_squares_is_that_of_numpy_and_the_shortest(data):
    for n in (15, 20, 120):  # fewer rows than columns, as many, more
        rows = np.reshape(data.X[:n], (n, -1))
        expected = np.linalg.lstsq(rows, np.asarray(data.y[:n]))[0]
        beta = predictors.least_squares(data.X[:n], data.y[:n])
        assert beta.shape == (L, D)
        np.testing.assert_allclose(beta.ravel(), expected, atol=1e-9)


@pytest.mark.parametrize("penalty", [0.0, 0.05])
def test_the_lasso_meets_its_optimality_conditions(data, penalty):
    beta = np.asarray(predictors.lasso(data.X, data.y, penalty))
    down, zero = -slope(beta, data), beta == 0
    np.testing.assert_allclose(down[~zero], penalty * np.sign(beta[~zero]), atol=1e-9)
    assert np.all(np.abs(down[zero]) <= penalty + 1e-9)
    assert zero.any() == (penalty > 0)


@pytest.mark.parametrize("penalty", [0.0, 0.11])
def test_the_group_lasso_meets_its_optimality_conditions(data, penalty):
    beta = np.asarray(predictors.group_lasso(data.X, data.y, penalty))
    length = np.linalg.norm(beta, axis=-1)
    for place, (down, size) in enumerate(zip(-slope(beta, data), length, strict=True)):
        if size > 0:
            np.testing.assert_allclose(down, penalty * beta[place] / size, atol=1e-9)
        else:
            assert np.linalg.norm(down) <= penalty + 1e-9
    assert np.any(length == 0) == (penalty > 0.1)


@pytest.mark.parametrize("fit", [predictors.lasso, predictors.group_lasso])
def test_a_penalty_beyond_the_largest_slope_gives_the_null_predictor(data, fit):
    start = slope(np.zeros((L, D)), data)
    largest = np.max(np.abs(start) if fit is predictors.lasso else np.linalg.norm(start, axis=-1))
    assert not np.any(fit(data.X, data.y, 1.0001 * largest))
    assert np.any(fit(data.X, data.y, 0.98 * largest))


@pytest.mark.either_precision
def test_the_fits_keep_the_precision(data):
    fits = [predictors.least_squares(data.X, data.y)]
    fits += [f(data.X, data.y, 0.02) for f in (predictors.lasso, predictors.group_lasso)]
    for beta in fits:
        assert beta.shape == (L, D) and beta.dtype == data.X.dtype
        assert np.all(np.isfinite(beta))


@pytest.mark.parametrize("p", [None, np.array([0.5, 0.3, 0.2, 0.0])])
def test_the_risk_of_any_linear_predictor(p):
    task = Task(D, L, gamma=0.6, p=p)
    beta = 0.3 * jax.random.normal(jax.random.key(3), (L, D))
    X, y, _ = sample(task, TEACHER, 200_000, key=jax.random.key(4))
    errors = (predictors.linear(X, beta) - y) ** 2 - task.noise**2
    exact = risk.linear_rule_excess_risk(beta, task, TEACHER)
    assert abs(z_score(errors, exact)) < LIMIT
    both = risk.linear_rule_excess_risk(jnp.stack([beta, 0 * beta]), task, TEACHER)
    np.testing.assert_allclose(both, [exact, risk.null_excess_risk(task)], rtol=1e-13)
    best = predictors.best_linear(task, TEACHER)
    lowest = risk.linear_rule_excess_risk(best, task, TEACHER)
    np.testing.assert_allclose(lowest, risk.linear_excess_risk(task), rtol=1e-13)
    flat = jax.grad(lambda b: risk.linear_rule_excess_risk(b, task, TEACHER))(best)
    assert jnp.abs(flat).max() < 1e-14

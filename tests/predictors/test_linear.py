"""The risk of linear predictors against sampled sequences, and at its minimum."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from chance import LIMIT, z_score

from slrlib import Task, predictors, risk
from slrlib.task import random_teacher, sample

D, L = 5, 4
TEACHER = random_teacher(D, key=jax.random.key(1))


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

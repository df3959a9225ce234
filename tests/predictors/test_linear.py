"""The risk of linear predictors compared with sampled sequences, and at its minimum."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from chance import LIMIT, z_score

from slrlib import Task, predictors, risk
from slrlib.task import random_teacher, sample

D, L = 5, 4
TEACHER = random_teacher(D, key=jax.random.key(1))


def risk_of(beta, task, teacher):
    """The exact excess risk: squared error at the location, squared output elsewhere."""
    missed = task.gamma**2 * jnp.sum((beta - teacher.v_star[None]) ** 2, axis=1)
    true = missed + task.d / 2 * (beta @ teacher.k_star) ** 2
    return jnp.sum(task.probabilities * (true - jnp.sum(beta**2, axis=1))) + jnp.sum(beta**2)


@pytest.mark.parametrize("p", [None, np.array([0.5, 0.3, 0.2, 0.0])])
def test_the_risk_of_any_linear_predictor(p):
    task = Task(D, L, gamma=0.6, p=p)
    beta = 0.3 * jax.random.normal(jax.random.key(3), (L, D))
    X, y, _ = sample(task, TEACHER, 200_000, key=jax.random.key(4))
    errors = (predictors.linear(X, beta) - y) ** 2 - task.noise**2
    exact = risk_of(beta, task, TEACHER)
    assert abs(z_score(errors, exact)) < LIMIT
    null = risk_of(0 * beta, task, TEACHER)
    np.testing.assert_allclose(null, risk.null_excess_risk(task), rtol=1e-13)
    best = predictors.best_linear(task, TEACHER)
    lowest = risk_of(best, task, TEACHER)
    np.testing.assert_allclose(lowest, risk.linear_excess_risk(task), rtol=1e-13)
    flat = jax.jit(jax.grad(lambda b: risk_of(b, task, TEACHER)))(best)
    assert jnp.abs(flat).max() < 1e-14

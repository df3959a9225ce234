"""Stable step sizes, the warning above them, and the best lam for a single token."""

import logging

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from slrlib import Task, landscape
from slrlib.dynamics import constant, inverse_decay, pgd, sgd
from slrlib.overlaps import ORACLE, Overlaps
from slrlib.risk import excess_risk

TASK = Task(d=400, L=10)


@jax.jit
def hessian_at_the_pair(lam, task):
    def risk(x):
        k, v = jnp.array([1.0, x[0], x[1], 0.0]), jnp.array([x[2], 1.0, x[3], x[4]])
        k, v = k / jnp.linalg.norm(k), v / jnp.linalg.norm(v)
        return excess_risk(Overlaps(k[0], v[1], v[0], k[1], k @ v), lam, task)

    return jax.hessian(risk)(jnp.zeros(5))


@pytest.mark.parametrize("task", [TASK, Task(8, 3, 1.5), Task(6, 1, 0.8)])
@pytest.mark.parametrize("lam", [0.03, 2.0])
def test_the_suggestion_is_one_over_the_largest_eigenvalue_of_the_hessian(task, lam):
    """The Hessian at (k*, v*); (0, 0, 1) represents all directions orthogonal to k* and v*."""
    top = np.linalg.eigvalsh(hessian_at_the_pair(lam, task))[-1]
    assert float(landscape.suggested_alpha(task, lam)) == pytest.approx(1 / top, rel=1e-9)
    edge = float(landscape.edge_of_stability(1.0, lam, task))
    assert float(landscape.suggested_alpha(task, lam)) == pytest.approx(1 / edge, rel=1e-9)


def test_a_run_above_the_limit_is_named_in_one_line(caplog):
    limit = 2 * float(landscape.suggested_alpha(TASK, 1.0))
    with caplog.at_level(logging.WARNING, "slrlib"):
        pgd(ORACLE, TASK, inverse_decay(1.0, 1e-2), 0.99 * limit, 4, 2)
        jax.jit(lambda alpha: pgd(ORACLE, TASK, constant(1.0), alpha, 4, 2))(2 * limit)
        assert caplog.messages == []
        pgd(ORACLE, TASK, inverse_decay(1.0, 1e-2), 1.01 * limit, 4, 2)
        sgd(ORACLE, TASK, constant(1.0), 1.01 * limit, 2, 2, 1, key=jax.random.key(0))
    wanted = f"2 / curvature = {limit:.3g} at step 0 (lam = 1)"
    assert len(caplog.messages) == 2 and all(wanted in line for line in caplog.messages)

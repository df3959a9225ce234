"""The excess risk at any lengths, and Monte Carlo for any predictor, compared with each other."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from chance import LIMIT
from refused import refusal

from slrlib import Task, Teacher, heads
from slrlib.overlaps import overlaps_of
from slrlib.predictors import bayes, erf_attention
from slrlib.risk import excess_risk, excess_risk_of, monte_carlo_risk, oracle_excess_risk
from slrlib.sphere import uniform
from slrlib.task import random_teacher

pytestmark = pytest.mark.optimized

D, TASK = 12, Task(12, 6, gamma=0.9, noise=0.3)
TEACHER = random_teacher(D, key=jax.random.key(0))
PAIR = uniform(D, (2,), key=jax.random.key(1)) + 0.4 * jnp.stack(TEACHER)
ONE = jax.tree.map(lambda x: x[None], TEACHER)  # one location, for the formula for several heads


def drawn(predict, n, seed):
    return monte_carlo_risk(predict, TASK, TEACHER, n, key=jax.random.key(seed))


@pytest.mark.parametrize("lengths", [(1.7, 0.3), (0.05, 2.0)])
def test_any_lengths_against_several_heads_and_against_draws(lengths):
    k, v = (size * x for size, x in zip(lengths, PAIR, strict=True))
    got = float(excess_risk_of(k, v, TEACHER, 0.3, TASK))
    other = heads.excess_risk(k[None], v[None], Teacher(*ONE), 0.3, TASK)
    np.testing.assert_allclose(got, other, rtol=1e-11)
    seen = drawn(lambda X: erf_attention(X, k, v, 0.3), 40_000, 2)
    assert abs(seen.mean - 0.3**2 - got) < LIMIT * seen.error


@pytest.mark.either_precision
def test_at_length_one_it_is_the_risk_in_five_overlaps():
    k, v = PAIR / jnp.linalg.norm(PAIR, axis=-1, keepdims=True)
    wanted = excess_risk(overlaps_of(k, v, TEACHER), 0.3, TASK)
    close = 1e-5 if wanted.dtype == jnp.float32 else 1e-13
    np.testing.assert_allclose(excess_risk_of(k, v, TEACHER, 0.3, TASK), wanted, rtol=close)
    # A longer k is a larger lam.
    longer = excess_risk(overlaps_of(k, v, TEACHER), 0.6, TASK)
    np.testing.assert_allclose(excess_risk_of(2 * k, v, TEACHER, 0.3, TASK), longer, rtol=close)


def test_at_zero_nothing_is_predicted_and_the_slope_is_right():
    k, v = PAIR
    for pair in ((0 * k, v), (k, 0 * v), (0 * k, 0 * v)):
        assert float(excess_risk_of(*pair, TEACHER, 0.3, TASK)) == pytest.approx(0.81, rel=1e-15)

    def risk(k):
        return excess_risk_of(k, v, TEACHER, 0.3, TASK)

    for here in (0 * k, k):
        step = 1e-5 * v
        wanted = (risk(here + step) - risk(here - step)) / 2
        np.testing.assert_allclose(jax.grad(risk)(here) @ step, wanted, rtol=1e-6)


def test_monte_carlo_in_chunks(monkeypatch):
    """Four full chunks and a partial one, compared with closed forms."""
    monkeypatch.setattr("slrlib.risk.bayes.NUMBERS_AT_ONCE", 4096 * 72)
    (k, v), n = TEACHER, 20_001
    oracle = drawn(lambda X: erf_attention(X, k, v, 0.2), n, 3)
    wanted = float(oracle_excess_risk(0.2, TASK)) + 0.09
    assert abs(oracle.mean - wanted) < LIMIT * oracle.error
    assert oracle.error == pytest.approx(oracle.mean * np.sqrt(2 / n), rel=0.5)
    nothing = drawn(lambda X: jnp.zeros(len(X)), n, 4)
    assert abs(nothing.mean - 0.9) < LIMIT * nothing.error
    assert drawn(lambda X: bayes(X, TASK, TEACHER), n, 3).mean < oracle.mean


def test_what_is_no_predictor_is_told_so():
    def told(predict):
        return refusal(lambda: drawn(predict, 10, 0))

    asked = f"predict must take X of shape (10, 6, {D}) and give 10 numbers"
    assert told(None) == "predict must be a function of X, got None"
    assert told(lambda X: X[..., 0]) == asked + ", got shape (10, 6)"
    nan = "predict must return finite numbers, got nan"
    assert told(lambda X: jnp.where(X[:, 0, 0] > 0, jnp.nan, 0)) == nan

"""The risks of linear attention and of two-token softmax, compared with other computations."""

import jax
import numpy as np
import pytest
from chance import assert_mean

from slrlib import Overlaps, Task
from slrlib.overlaps import random_overlaps, vectors_of
from slrlib.predictors import linear_attention, softmax_attention
from slrlib.risk import (
    activation_excess_risk,
    exact_softmax_excess_risk,
    linear_attention_excess_risk,
    linear_pair_excess_risk,
    two_token_softmax_excess_risk,
)
from slrlib.task import random_teacher, sample

PAIR = Overlaps(1.0, 1.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize("task", [Task(d=50, L=3, gamma=2.0), Task(d=400, L=10)])
def test_linear_attention_is_the_identity_as_an_activation(task):
    o = random_overlaps(jax.random.key(0), 6, (20,))
    by_points = activation_excess_risk(lambda x: x, o, 0.07, task, points=101)
    np.testing.assert_allclose(linear_pair_excess_risk(o, 0.07, task), by_points, rtol=1e-9)


def test_at_the_teacher_both_are_the_known_risks():
    task = Task(d=400, L=2)
    at_pair = linear_pair_excess_risk(PAIR, 0.05, task)
    np.testing.assert_allclose(at_pair, linear_attention_excess_risk(0.05, task), rtol=1e-12)
    for lam in (0.03, 0.1, 0.6):
        exact = exact_softmax_excess_risk(lam, task)
        at_pair = two_token_softmax_excess_risk(PAIR, lam, task)
        np.testing.assert_allclose(at_pair, exact, rtol=1e-6, atol=1e-15)


@pytest.mark.parametrize("attention", ["linear", "softmax"])
def test_the_risk_against_sampled_tokens(attention):
    task, lam = Task(d=12, L=2, gamma=0.8, noise=0.0), 0.3
    keys = jax.random.split(jax.random.key(3), 4)
    teacher = random_teacher(12, key=keys[0])
    o = Overlaps(0.6, 0.3, 0.2, -0.4, 0.1)
    k, v = vectors_of(o, teacher, key=keys[1])
    X, y, *_ = sample(task, teacher, 100_000, key=keys[2])
    predict = linear_attention if attention == "linear" else softmax_attention
    risk = linear_pair_excess_risk if attention == "linear" else two_token_softmax_excess_risk
    assert_mean((predict(X, k, v, lam) - y) ** 2, risk(o, lam, task))

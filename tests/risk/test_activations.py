"""Any activation in five overlaps: compared with sampling, quadrature and the form for erf."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from chance import assert_mean
from jax.nn import sigmoid

from slrlib import Task, special
from slrlib.overlaps import ORACLE, random_overlaps, vectors_of
from slrlib.risk import activation_excess_risk, excess_risk, threshold_excess_risk
from slrlib.task import random_teacher, sample


def clipped(s):
    return jnp.clip(s, 0.0, 1.0)


ACTIVATIONS = [(sigmoid, 0.8, 1.0), (clipped, 0.5, -0.3), (jnp.sin, 0.7, 0.4), (special.erf, 1, 2)]


@pytest.fixture(scope="module")
def drawn():
    """A task, overlaps (k, v), the components of each token along k and v, and the labels."""
    task, keys = Task(d=7, L=4, gamma=0.9, noise=0.0), jax.random.split(jax.random.key(1), 4)
    teacher, o = random_teacher(7, key=keys[0]), random_overlaps(keys[1], 4)
    k, v = map(np.asarray, vectors_of(o, teacher, key=keys[2]))
    X, y, _ = map(np.asarray, sample(task, teacher, 100_000, key=keys[3]))
    return task, o, X @ k, X @ v, y


@pytest.mark.parametrize(("activation", "lam", "bias"), ACTIVATIONS)
def test_the_risk_against_tokens_that_are_drawn(activation, lam, bias, drawn):
    task, o, s, t, y = drawn
    read = np.asarray(activation(lam * s - bias)) * t
    exact = activation_excess_risk(activation, o, lam, task, bias=bias, points=9001)
    assert_mean((y - read.sum(axis=-1)) ** 2, exact)


def test_without_a_bias_erf_has_the_closed_form():
    o = random_overlaps(jax.random.key(2), 6, (50,))
    for task, lam in ((Task(d=20, L=5, gamma=0.8), 0.4), (Task(d=400, L=10), 0.1)):
        by_moments = activation_excess_risk(special.erf, o, lam, task)
        np.testing.assert_allclose(by_moments, excess_risk(o, lam, task), rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize(("d", "L", "gamma", "at"), [(40, 5, 0.7, 2.0), (12, 3, 1.5, 0.7)])
def test_a_threshold_against_tokens_that_are_drawn(d, L, gamma, at):
    task, keys = Task(d, L, gamma, noise=0.0), jax.random.split(jax.random.key(3), 2)
    teacher = random_teacher(d, key=keys[0])
    X, y, _ = map(np.asarray, sample(task, teacher, 40_000, key=keys[1]))
    k, v = map(np.asarray, teacher)
    read = np.where(X @ k > at, X @ v, 0.0).sum(axis=-1)
    assert_mean((y - read) ** 2, threshold_excess_risk(at, task))


@pytest.mark.parametrize(
    ("activation", "sentence"),
    [
        ("tanh", "activation must take traced scores"),
        (lambda s: s.sum(), "activation must give each score a weight"),
        (lambda s: s if s > 0 else 0 * s, "activation must take traced scores"),
        (
            lambda s: jnp.tanh(3000 * (s - 0.1)),
            "activation must be smooth on the scale of the nodes",
        ),
        (jax.nn.softmax, "activation must act elementwise"),
    ],
)
def test_what_is_no_function_of_each_score_is_refused(activation, sentence):
    """Softmax over the quadrature nodes would give a number, but a wrong one."""
    with pytest.raises(ValueError, match=f"^{sentence}"):
        activation_excess_risk(activation, ORACLE, 0.5, Task(d=30, L=6))

"""Any activation in five overlaps: against simulated tokens, quadrature and the form for erf."""

import math

import jax
import jax.numpy as jnp
import mpmath as mp
import numpy as np
import pytest
from chance import assert_mean

from slrlib import Task, special
from slrlib.overlaps import ORACLE, Overlaps, random_overlaps, vectors_of
from slrlib.risk import activation_excess_risk, excess_risk, threshold_excess_risk
from slrlib.task import random_teacher, sample


def logistic(s):
    return 1 / (1 + jnp.exp(-s))


def clipped(s):
    return jnp.clip(s, 0.0, 1.0)


ACTIVATIONS = [(logistic, 0.8, 1.0), (clipped, 0.5, -0.3), (jnp.sin, 0.7, 0.4), (special.erf, 1, 2)]


@pytest.mark.parametrize(("activation", "lam", "bias"), ACTIVATIONS)
def test_the_risk_against_tokens_that_are_drawn(activation, lam, bias):
    task, keys = Task(d=7, L=4, gamma=0.9, noise=0.0), jax.random.split(jax.random.key(1), 4)
    teacher, o = random_teacher(7, key=keys[0]), random_overlaps(keys[1], 4)
    k, v = vectors_of(o, teacher, key=keys[2])
    X, y, _ = map(np.asarray, sample(task, teacher, 100_000, key=keys[3]))
    read = np.asarray(activation(lam * (X @ np.asarray(k)) - bias)) * (X @ np.asarray(v))
    bends = (0.0, 1.0) if activation is clipped else ()
    exact = activation_excess_risk(activation, o, lam, task, bias=bias, breaks=bends)
    assert_mean((y - read.sum(axis=-1)) ** 2, exact)


def test_without_a_bias_erf_has_the_closed_form():
    o = random_overlaps(jax.random.key(2), 6, (50,))
    for task, lam in ((Task(d=20, L=5, gamma=0.8), 0.4), (Task(d=400, L=10), 0.1)):
        by_moments = activation_excess_risk(special.erf, o, lam, task)
        np.testing.assert_allclose(by_moments, excess_risk(o, lam, task), rtol=1e-11, atol=1e-12)


def test_slopes_of_the_moments_are_those_of_differences():
    task, o = Task(d=30, L=6), Overlaps(0.3, 0.4, -0.2, 0.1, 0.25)
    slope = jax.grad(lambda o: activation_excess_risk(logistic, o, 0.7, task, bias=1.0))(o)
    for i, name in enumerate(Overlaps._fields):
        up, down = (o._replace(**{name: o[i] + h}) for h in (1e-5, -1e-5))
        risks = [
            float(activation_excess_risk(logistic, x, 0.7, task, bias=1.0)) for x in (up, down)
        ]
        assert abs((risks[0] - risks[1]) / 2e-5 - float(slope[i])) < 1e-7


@pytest.mark.parametrize(("d", "L", "gamma", "at"), [(40, 5, 0.7, 2.0), (12, 3, 1.5, 0.7)])
def test_a_threshold_against_tokens_that_are_drawn(d, L, gamma, at):
    task, keys = Task(d, L, gamma, noise=0.0), jax.random.split(jax.random.key(3), 2)
    teacher = random_teacher(d, key=keys[0])
    X, y, _ = map(np.asarray, sample(task, teacher, 40_000, key=keys[1]))
    k, v = map(np.asarray, teacher)
    read = np.where(X @ k > at, X @ v, 0.0).sum(axis=-1)
    assert_mean((y - read) ** 2, threshold_excess_risk(at, task))


def test_a_balanced_threshold_in_many_digits():
    for d, gamma in ((40, 0.7), (400, 0.5**0.5), (400, 2.0)):
        task = Task(d=d, L=10, gamma=gamma)
        z = mp.sqrt(mp.mpf(d) / 2) / (1 + mp.mpf(gamma))
        exact = (mp.mpf(gamma) ** 2 + 9) * mp.ncdf(-z)
        ours = threshold_excess_risk(math.sqrt(d / 2) / (1 + gamma), task)
        np.testing.assert_allclose(ours, float(exact), rtol=1e-11)


def test_shapes_broadcast():
    task, o = Task(d=30, L=6), random_overlaps(jax.random.key(4), 5, (3,))
    biases = np.linspace(0.0, 2.0, 3)
    many = activation_excess_risk(logistic, o, 0.5, task, bias=biases)
    for i, bias in enumerate(biases):
        alone = activation_excess_risk(logistic, Overlaps(*(x[i] for x in o)), 0.5, task, bias=bias)
        np.testing.assert_allclose(many[i], alone, rtol=1e-12)


@pytest.mark.parametrize(
    ("activation", "sentence"),
    [
        ("tanh", "activation must be a function of the scores, got 'tanh'"),
        (lambda s: s.sum(), "activation must give each score a weight"),
        (lambda s: s if s > 0 else 0 * s, "activation must take traced scores"),
        (lambda s: jnp.tanh(3000 * (s - 0.1)), "quadrature has not converged"),
        (jax.nn.softmax, "activation must act elementwise"),
    ],
)
def test_what_is_no_function_of_each_score_is_refused(activation, sentence):
    """Softmax over the nodes of a quadrature would give a number, and a wrong one."""
    with pytest.raises(ValueError, match=f"^{sentence}"):
        activation_excess_risk(activation, ORACLE, 0.5, Task(d=30, L=6))


def jump(s):
    return jnp.where(s > 0, 1.0, 0.0)


def test_a_jump_needs_many_nodes_or_a_break():
    task, jumps = Task(d=40, L=5), np.array([0.0, 0.313, 0.6001])
    exact = np.asarray(threshold_excess_risk(jumps, task))
    given = {"bias": jumps, "points": 9_001, "tolerance": 1e-3}
    ours = np.asarray(activation_excess_risk(jump, ORACLE, 1.0, task, **given))
    assert np.all(np.abs(ours - exact) < 1e-3 * (exact + task.gamma**2))
    ours = activation_excess_risk(jump, ORACLE, 1.0, task, bias=jumps, breaks=(0.0,))
    np.testing.assert_allclose(ours, exact, rtol=1e-12)
    with pytest.raises(ValueError, match=r"^breaks must be a tuple of increasing numbers"):
        activation_excess_risk(jump, ORACLE, 1.0, task, breaks=(0.1, 0.0))

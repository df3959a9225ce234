"""A perceptron and a softmax pair that learn the task: slopes, steps, counts, and what is kept."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from slrlib.experiments import ALL, load
from slrlib.experiments.learners import GROWTH, Perceptron, SoftmaxPair, adam


def test_the_stored_counts_are_made_again():
    """A run of two tokens takes some forty steps, too few for rounding to move it by two looks."""
    learners, stored = ALL["learners"], load("learners")
    row = stored.rate[0], stored.run[0], stored.needed[0]
    found = learners.needed(2, tuple(row[0]), int(row[1]))
    assert np.abs(np.log(found / row[2])).max() < 2 * np.log(GROWTH) + 0.05


def perceptron(weights, X):
    hidden, bias, out, offset = weights
    return jax.nn.relu(X.reshape(len(X), -1) @ hidden + bias[None]) @ out + offset[0]


def pair(weights, X):
    k, v = weights
    return jnp.sum(jax.nn.softmax(X @ k, axis=1) * (X @ v), axis=1)


@pytest.mark.parametrize("kind, predict", [(Perceptron, perceptron), (SoftmaxPair, pair)])
def test_answers_and_slopes_are_those_of_automatic_differentiation(kind, predict):
    rng = np.random.default_rng(4)
    learner = kind(*((3, 5, 7) if kind is Perceptron else (5,)), rng)
    X, y = rng.normal(size=(20, 3, 5)), rng.normal(size=20)
    np.testing.assert_allclose(learner.answer(X), predict(learner.weights, X), atol=1e-12)
    slopes = jax.grad(lambda weights: jnp.mean((predict(weights, X) - y) ** 2))(learner.weights)
    for here, there in zip(learner.slopes(X, y), slopes, strict=True):
        np.testing.assert_allclose(here, there, atol=1e-12)


def test_adam_moves_by_the_rate_at_first_and_then_by_its_two_means():
    weight, kept = np.array([1.0, -2.0, 3.0]), [(np.zeros(3), np.zeros(3))]
    first, second = np.array([0.5, -4.0, 1e-3]), np.array([-0.5, 2.0, 1e-3])
    adam([weight], [first], kept, 1, 0.01)
    np.testing.assert_allclose(weight, [0.99, -1.99, 2.99], atol=1e-6)
    before = weight.copy()
    adam([weight], [second], kept, 2, 0.01)
    mean = (0.09 * first + 0.1 * second) / (1 - 0.9**2)
    square = (0.999 * 0.001 * first**2 + 0.001 * second**2) / (1 - 0.999**2)
    np.testing.assert_allclose(before - weight, 0.01 * mean / np.sqrt(square), rtol=1e-4)

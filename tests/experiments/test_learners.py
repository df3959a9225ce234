"""A perceptron and a softmax pair that learn the task: slopes, steps, counts, and what is kept."""

from dataclasses import replace
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from slrlib.experiments import ALL, load, run
from slrlib.experiments.learners import GROWTH, Learners, Perceptron, SoftmaxPair, adam
from slrlib.task import Task

ROOT = Path(__file__).parents[2]
TINY = Learners(
    "tiny",
    Task(d=16, L=2),
    lengths=(2, 3),
    runs=2,
    rates=(1e-2,),
    pair_rates=(1e-1,),
    most=2**11,
)


def test_as_many_rates_for_the_one_as_for_the_other():
    with pytest.raises(ValueError, match="pair_rates must be as many as rates, got 2 and 1"):
        run(replace(TINY, pair_rates=(0.1, 0.2)))


def test_the_stored_counts_are_made_again():
    """A run of two tokens takes some forty steps, too few for rounding to move it by two looks."""
    learners, stored = ALL["learners"], load("learners", ROOT / "results")
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


def test_a_run_stopped_is_taken_up_again_and_counts_no_further_than_asked(tmp_path, monkeypatch):
    whole, calls, needed = run(TINY), [], type(TINY).needed

    def once(self, *row):
        calls.append(row)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return needed(self, *row)

    monkeypatch.setattr(type(TINY), "needed", once)
    with pytest.raises(KeyboardInterrupt):
        run(TINY, folder=tmp_path)
    again = run(TINY, folder=tmp_path)
    assert len(calls) == 3 + 2  # two of the four runs had been kept
    for name, here in whole._asdict().items():
        np.testing.assert_array_equal(here, getattr(again, name))
    assert np.all(whole.needed <= TINY.most) and np.all(whole.needed % TINY.batch == 0)


def test_a_long_sequence_costs_the_perceptron_more():
    """Three runs of each gave 2 to 4 thousand at two places and 8 or more at four."""
    short, long = run(replace(TINY, lengths=(2, 4), runs=1, most=2**13)).needed[:, 0]
    assert short < long

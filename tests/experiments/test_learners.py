"""A perceptron and a softmax pair that learn the task: slopes, steps, counts, the stored result."""

from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from booksource import ROOT

from slrlib import store
from slrlib.experiments import ALL, load, run
from slrlib.experiments.learners import LEARNERS, Perceptron, SoftmaxPair, adam
from slrlib.task import Task

FULL = ALL["learners"]
TINY = replace(FULL, lengths=(2, 3), runs=2, rates=(1e-2,), pair_rates=(1e-1,), most=2**11)


def perceptron(weights, X):
    hidden, bias, out, offset = weights
    return jax.nn.relu(X.reshape(len(X), -1) @ hidden + bias) @ out + offset[0]


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
    assert "sequences to half the null risk" in TINY.summary(whole)


def test_the_stored_result_is_whole_and_a_slice_of_it_comes_out_again():
    """The counts are steps of a tenth, so rounding on another processor moves them by few."""
    stored = load(FULL, ROOT / "results")
    header = store.load(FULL.file(ROOT / "results"))[1]
    assert header["float"] == "float64" and header["machine"]["instructions"] == "AVX512"
    count = len(FULL.lengths) * len(FULL.rates) * FULL.runs
    assert stored.rate.shape == (count, len(LEARNERS))
    assert stored.needed.shape == (count, len(LEARNERS))
    assert np.all((stored.needed > 0) & (stored.needed <= FULL.most))
    few = replace(
        FULL, lengths=(2, 3), runs=2, rates=FULL.rates[1:2], pair_rates=FULL.pair_rates[1:2]
    )
    fresh = run(few)
    for length, rate, index, needed in zip(*fresh, strict=True):
        same = (stored.rate == rate).all(axis=1)
        here = (stored.length == length) & same & (stored.run == index)
        old = stored.needed[here]
        assert old.shape == (1, 2) and np.all(np.abs(np.log(needed / old)) < np.log(1.5))


def test_what_the_chapter_says():
    stored = load(FULL, ROOT / "results")
    found = {n: np.array([FULL.best(stored, L, n) for L in FULL.lengths]) for n in LEARNERS}
    for rows in found.values():
        assert np.all((rows[:, 1] <= rows[:, 0]) & (rows[:, 0] <= rows[:, 2]))
    ratio = found["perceptron"][:, 0] / found["pair"][:, 0]
    assert np.all(np.diff(ratio) > 0)
    assert found["perceptron"][-1, 1] > found["pair"][-1, 2]  # the intervals are apart


def test_the_task_is_the_paper_s_but_for_its_size():
    assert FULL.task == Task(d=16, L=2)
    assert FULL.task.gamma**2 == pytest.approx(0.5)

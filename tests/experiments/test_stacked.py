"""One layer and two: their rows, the stored runs, and two layers that undo layer normalization."""

from dataclasses import replace

import jax
import numpy as np
import pytest
from scipy import stats

from slrlib.experiments import ALL, load
from slrlib.experiments.stacked import DIVERGED
from slrlib.predictors import softmax_attention
from slrlib.task import Task
from slrlib.transformer import predict, random_layer, random_register
from slrlib.transformer.layer import Layer, answered, below, through

ANSWERED = jax.jit(answered)


def test_the_many_small_runs_are_made_again_in_law():
    """Other runs up to the first evaluation; a false alarm has probability 1e-6."""
    seen, e = load("stacked-many"), ALL["stacked-many"]
    assert len(seen.run) == len(np.unique(seen.run)) == e.runs >= 4000
    few = replace(e, looks=e.looks[:1], seed=1).part(2, range(24))
    for x in ("floor", "excess_risk"):
        fresh, stored = (getattr(r, x).reshape(len(r.run), -1)[:, 0] for r in (few, seen))
        assert stats.ks_2samp(fresh, stored).pvalue > 1e-6 / 3
    lots = [(np.sum(r.excess_risk[:, 0] < r.floor), len(r.run)) for r in (few, seen)]
    assert stats.fisher_exact([[x, n - x] for x, n in lots]).pvalue > 1e-6 / 3


def test_a_run_that_diverges_is_named_and_kills_no_other():
    e = replace(ALL["stacked-many"], task=Task(8, 2), looks=(30,), width=4, batch=4, test_points=16)
    wild = replace(e, learning_rate=30.0).part(2, range(3))
    assert np.all(wild.excess_risk == DIVERGED)
    assert np.all(e.part(2, range(3)).excess_risk < 10)


def test_one_layer_is_the_layer_and_no_row_hangs_on_how_many_are_formed():
    keys = jax.random.split(jax.random.key(1), 3)
    layer, register = random_layer(6, 3, 5, 2, key=keys[0]), random_register(6, key=keys[1])
    X = jax.random.normal(keys[2], (7, 4, 6))

    @jax.jit
    def seen(layer, X):
        T = below(register, X)
        return answered([layer], register, X), through(layer, T, 2), through(layer, T)[..., :2, :]

    answer, two, both = seen(layer, X)
    np.testing.assert_allclose(answer, predict(layer, register, X), atol=1e-12)
    np.testing.assert_allclose(two, both, atol=1e-12)


def two_that_undo(k_star, v_star, lam, m):
    """The two layers and the register of the proof, for a large number m."""
    d = k_star.size
    q = np.linalg.qr(np.c_[np.ones(d), np.random.default_rng(1).normal(size=(d, 3))])[0].T[1:]
    none, row = np.zeros((1, d, 1)), np.zeros((1, d, d))
    first = Layer(
        none, none, row, None, np.c_[k_star, v_star], np.full(2, m), m * q[1:],
        m**2 * (q[0] - q[1] - q[2]), q[2],
    )  # fmt: skip
    register = -np.sqrt(m) * k_star
    top = register + m * (register @ k_star) * q[1] + m**2 * q[0]
    centered = top - top.mean()
    z = centered / (centered.std() + 1e-5)
    second = Layer(
        lam * m / np.sqrt(d) * q[1][None, :, None],
        (z / (z @ z))[None, :, None],
        m / np.sqrt(d) * np.outer(q[2], q[2])[None],
        None, np.zeros((d, 2)), np.zeros(2), np.zeros((2, d)), -(q[2] @ register) * q[2], q[2],
    )  # fmt: skip
    return [first, second], register


@pytest.mark.parametrize("lam", [0.5, 3.0])
def test_two_layers_come_as_near_as_one_likes_to_softmax_on_the_tokens_as_they_are(lam):
    rng = np.random.default_rng(2)
    k_star, v_star = np.linalg.qr(rng.normal(size=(12, 2)))[0].T
    X = rng.normal(size=(50, 4, 12))
    X[:, 0] += 6**0.5 * k_star
    told, gaps = np.asarray(softmax_attention(X, k_star, v_star, lam)), []
    for m in (1e2, 1e4):  # for larger m, m^2 leaves no digits
        layers, register = two_that_undo(k_star, v_star, lam, m)
        gaps.append(np.abs(np.asarray(ANSWERED(layers, register, X)) - told).max())
    assert gaps[1] < 1e-3 and gaps[1] < gaps[0] / 20

"""Training: its samples, one step, the measurements, stopping and resuming."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from equal import same
from layers import register_weights

from slrlib import Task
from slrlib.task import random_teacher
from slrlib.transformer import advance_training, predict, start_training
from slrlib.transformer.layer import draw, rank_ratio, single_precision

TASK = Task(16, 5, gamma=0.6, noise=0.2)
KEY = jax.random.key(3)
SMALL = {"width": 12, "batch": 32, "test_points": 64, "learning_rate": 0.05}
TWO = {"heads": 2, "locations": 2}


def started(repetitions=2, **options):
    return start_training(TASK, repetitions, **{"key": KEY, **SMALL, **options})


def parts(state, run):
    """The layer, the register, the teachers and the key of one run."""
    whole = state.layer, state.register, state.teachers, state.keys
    return jax.tree.map(lambda x: x[run], whole)


@pytest.mark.parametrize("shared", [False, True])
def test_sequences_follow_the_law_of_the_task(shared):
    n, d = 60_000, 16
    teachers = random_teacher(d, (2,), key=KEY)
    X, y = (np.asarray(x, float) for x in draw(TASK, teachers, n, shared, jax.random.key(1)))
    assert X.shape == (n, 5, d)
    np.testing.assert_allclose(y, np.einsum("nmd,md->n", X[:, :2], teachers.v_star), atol=1e-4)
    center = np.zeros((5, d))
    center[:2] = np.sqrt(d / 2) * np.asarray(teachers.k_star)
    scale = np.array([0.6, 0.6, 1, 1, 1])
    noise = (X - center) / scale[:, None]
    flat = noise.reshape(n, -1)
    assert np.max(np.abs(flat.mean(0))) * np.sqrt(n) < 4.8  # the largest of 80
    covariance = flat.T @ flat / n
    wanted = np.eye(5 * d)
    if shared:
        wanted[:d, d : 2 * d] = wanted[d : 2 * d, :d] = np.eye(d)
    spread = np.sqrt((1 + wanted**2) / n)
    assert np.max(np.abs(covariance - wanted) / spread) < 5.6  # the largest of 80 x 80


@jax.jit
def plain_step(layer, register, teachers, key):
    """An SGD step of the full layer, as written in the chapter."""
    key_draw, key_label = jax.random.split(key)
    X, y = draw(TASK, teachers, 32, False, key_draw)
    y = y + TASK.noise * jax.random.normal(key_label, y.shape)
    slopes = jax.grad(lambda w: jnp.mean((predict(w, register, X) - y) ** 2))(layer)
    return jax.tree.map(lambda w, slope: w - 0.05 * slope, layer, slopes)


@pytest.mark.parametrize("options", [{"zero": "register"}, TWO])
def test_a_step_is_plain_sgd_of_the_full_layer(options):
    state = started(2, **options)
    after, rows = advance_training(state, 2, 1)
    for r in range(2):
        layer, register, teachers, key = parts(state, r)
        with single_precision():
            for t in range(2):
                layer = plain_step(layer, register, teachers, jax.random.fold_in(key, t))
        mine, theirs = jax.tree.leaves(parts(after, r)[0]), jax.tree.leaves(layer)
        for x, y in zip(mine, theirs, strict=True):
            np.testing.assert_allclose(x, y, rtol=1e-4, atol=1e-6)
    assert rows.step.tolist() == [1, 2] and int(after.step) == 2


def test_rows_measure_the_layer_on_the_test_sequences():
    state, rows = advance_training(started(2, **TWO), 40, 20)
    assert rows.excess_risk.shape == (2, 2) and rows.kappa.shape == (2, 2, 2, 2)
    r = 1
    layer, register, teachers, key = parts(state, r)
    with single_precision():
        X, y = draw(TASK, teachers, 64, False, jax.random.fold_in(key, 2**32 - 1))
        risk = jnp.mean((predict(layer, register, X) - y) ** 2)
        weights = register_weights(layer, register, X)
    np.testing.assert_allclose(rows.excess_risk[-1, r], risk, rtol=1e-4)
    np.testing.assert_allclose(rows.attention[-1, r], weights[..., 1:3].mean(0), rtol=1e-4)
    np.testing.assert_allclose(rows.example[-1, r], weights[0], rtol=1e-4)
    for h in range(2):
        left = np.linalg.svd(layer.token[h] @ layer.register[h].T)[0][:, 0]
        np.testing.assert_allclose(rows.kappa[-1, r, h], np.abs(teachers.k_star @ left), atol=1e-4)
    np.testing.assert_allclose(np.sum(rows.example, -1), 1, rtol=1e-5)
    assert np.max(np.abs(rows.nu)) <= 1 + 1e-6 and np.max(np.abs(rows.nu_gated)) <= 1 + 1e-6


def test_a_run_is_the_same_whatever_runs_beside_it():
    rows = advance_training(started(4), 20, 10)[1]
    part = advance_training(started(2, first=1), 20, 10)[1]
    assert np.array_equal(rows.excess_risk[:, 1:3], part.excess_risk)
    assert np.array_equal(rows.example[:, 1:3], part.example)
    with jax.enable_x64(False):
        assert same(advance_training(started(2, first=1), 20, 10)[1], part)


def test_the_product_of_key_and_query_keeps_rank_one():
    state, _ = advance_training(started(2, **TWO), 300, 300)
    ratio = rank_ratio(state.layer)
    assert ratio.shape == (2, 2)
    assert np.all(ratio < 1e-5) and np.all(ratio > 0)
    both = state.layer.token + state.layer.register
    rich = state.layer._replace(token=both, register=both)
    assert np.all(rank_ratio(rich) > 1e-3)  # the measure detects ranks above one

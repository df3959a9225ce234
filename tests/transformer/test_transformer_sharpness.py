"""Sharpness: the largest eigenvalue of a Hessian written out, and what it says of a step size."""

from functools import cache

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.flatten_util import ravel_pytree

from slrlib import Task
from slrlib.transformer import advance_training, predict, sharpness, start_training
from slrlib.transformer.layer import draw, single_precision

TASK = Task(6, 3, gamma=0.6, noise=0.2)
KEY = jax.random.key(5)


@cache
def trained(**options):
    options = {"width": 4, "batch": 64, "test_points": 256, "learning_rate": 0.05, **options}
    state = start_training(TASK, 2, key=KEY, **options)
    return advance_training(state, 200, 200)[0]


def risk(flat, layer, register, X, y):
    """The risk by the plain layer, of weights in one row."""
    return jnp.mean((predict(ravel_pytree(layer)[1](flat), register, X) - y) ** 2)


slope, bend = jax.jit(jax.grad(risk)), jax.jit(jax.hessian(risk))


def given(state, r):
    """What ``risk`` takes for run r on its test sequences, in 64 bits."""
    layer, register, teachers, key = jax.tree.map(
        lambda x: x[r], (state.layer, state.register, state.teachers, state.keys)
    )
    with single_precision():
        key = jax.random.fold_in(key, 2**32 - 1)
        X, y = draw(TASK, teachers, state.test_points, state.shared_noise, key)
    layer, register, X, y = jax.tree.map(lambda x: np.asarray(x, float), (layer, register, X, y))
    return np.concatenate([x.ravel() for x in jax.tree.leaves(layer)]), layer, register, X, y


def test_it_is_the_largest_eigenvalue_of_the_hessian():
    state = trained(heads=2, locations=2)
    found = sharpness(state)
    assert found.shape == (2,)
    for r in range(2):
        values = np.linalg.eigvalsh(bend(*given(state, r)))
        assert found[r] == pytest.approx(values[-1], rel=2e-3)
        assert values[-1] > 1.05 * values[-2]  # so that the comparison sees which one it is


def test_descent_is_stable_below_two_over_it_and_unstable_beyond():
    state = trained()
    (flat, *rest), s = given(state, 0), sharpness(state)[0]
    values, axes = np.linalg.eigh(bend(flat, *rest))
    assert s == pytest.approx(values[-1], rel=2e-3)

    def growth(alpha):
        """How far two descents from weights a hair apart are from each other after 12 steps."""
        one, other = flat, flat + 1e-7 * axes[:, -1]
        for _ in range(12):
            one, other = (x - alpha * np.asarray(slope(x, *rest)) for x in (one, other))
        return np.linalg.norm(other - one) / 1e-7

    assert growth(1.5 / s) < 0.3
    assert growth(2.3 / s) > 2.0

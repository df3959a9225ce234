"""The exact posterior at random arguments of its whole domain, in both precisions."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.special import softmax

from slrlib import Task, predictors
from slrlib.task import random_teacher, sample

KEYS = list(jax.random.split(jax.random.key(0), 12))


def lengths(x):
    return np.linalg.norm(np.asarray(x, np.float64), axis=-1)


@pytest.mark.parametrize("x64", [True, False], ids=["double", "single"])
@pytest.mark.parametrize("gamma", [1e-15, 1e-3, 0.7, 1.0, 1e3, 1e9])
@pytest.mark.parametrize("p", [None, [0.2, 0.0, 0.8], [1.0, 0.0, 0.0]])
def test_the_exact_posterior(gamma, p, x64):
    """Compare the weights with NumPy where rounding is harmless; they sum to one in all cases."""
    random = np.random.default_rng(4)
    with jax.enable_x64(x64):
        eps = 1e-12 if x64 or p is None else 1e-8  # for p; all else is computed in double precision
        shown = 1e-12 if x64 else 1e-6  # the result has the configured precision
        task, teacher = Task(5, 3, gamma, p=p), random_teacher(5, key=KEYS[2])
        X = random.normal(size=(40, 3, 5)) * 10 ** random.uniform(-9, 9, (40, 1, 1))
        X[:20] = np.asarray(sample(task, teacher, 20, key=KEYS[3]).X)
        X = np.asarray(jnp.asarray(X, float))
        w = np.asarray(predictors.bayes_weights(X, task, teacher), np.float64)
        np.testing.assert_allclose(w.sum(-1), 1, rtol=100 * eps + shown)
        assert np.all(w >= 0) and (p is None or np.all(w[:, np.array(p) == 0] == 0))
        k, v = (np.asarray(x, np.float64) for x in teacher)
        x = X.astype(np.float64)
        away = (x - np.sqrt(2.5) * k) / gamma
        parts = [np.sum(x * x, -1) / 2, -np.sum(away**2, -1) / 2]
        with np.errstate(divide="ignore"):
            parts.append(np.log(np.full(3, 1 / 3) if p is None else np.array(p)) + 0 * parts[0])
        odds = sum(parts)
        noise = 100 * eps * np.max(np.abs(parts[0]) + np.abs(parts[1]), axis=-1, keepdims=True)
        noise += 100 * eps / gamma * np.max(lengths(away), axis=-1, keepdims=True)
        near = np.broadcast_to(noise < 0.01, w.shape)
        wanted = softmax(odds, axis=-1)
        assert np.all((np.abs(w - wanted) <= 2 * noise + 100 * eps + shown) | ~near)
        y = np.asarray(predictors.bayes(X, task, teacher), np.float64)
        size = np.max(lengths(x), axis=-1)
        assert np.all(np.abs(y - np.sum(w * (x @ v), axis=-1)) <= (100 * eps + shown) * size)

"""Overlaps and the exact posterior at random arguments of their whole domain.

What must hold is an invariant, a limit, or the same in plain NumPy, in either precision.
"""

import contextlib

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.special import softmax

from slrlib import Overlaps, Task, overlaps, predictors, sphere
from slrlib.overlaps import from_frame
from slrlib.task import random_teacher, sample

KEYS = list(jax.random.split(jax.random.key(0), 12))
BOTH = pytest.mark.parametrize("x64", [True, False], ids=["double", "single"])
OFF = 6.0  # standard errors; the draws are the same on every machine


@contextlib.contextmanager
def precision(x64):
    with jax.enable_x64(x64):
        yield 1e-12 if x64 else 1e-4


def lengths(x):
    return np.linalg.norm(np.asarray(x, np.float64), axis=-1)


@BOTH
@pytest.mark.parametrize("on_manifold", [False, True])
@pytest.mark.parametrize("d", [2, 3, 4, 400, 1e6, 1e18])
def test_random_overlaps_are_possible_and_have_their_law(d, on_manifold, x64):
    with precision(x64):
        o = overlaps.random_overlaps(KEYS[4], d, (4000,), on_manifold)
        assert np.all(overlaps.is_feasible(o))
        left = (d - 1, d - 2) if on_manifold else (d, d)
        for x, freedom in zip(o, left, strict=False):  # E x^2 = 1/n, Var x^2 = 2 (n-1) / n^2 (n+2)
            n, square = max(freedom, 1), np.square(np.asarray(x, np.float64))
            error = np.sqrt(2 * (n - 1) / (n**2 * (n + 2)) / 4000)
            assert abs(square.mean() - 1 / n) <= OFF * error + 1e-4 / n
        off = overlaps.distance_to_manifold(o)
        np.testing.assert_allclose(off, np.sqrt(sum(np.square(x) for x in o[2:])), rtol=1e-4)
        assert not on_manifold or not np.any(off)
        assert overlaps.random_overlaps(KEYS[4], d, (0,), on_manifold).kappa.shape == (0,)


def corners(random):
    """Overlaps of pairs of R^4: random ones, and those where a direction is nearly another."""
    axes = np.concatenate([np.eye(4), -np.eye(4)])
    k, v = (sphere.project(random.normal(size=(60, 4))) for _ in range(2))
    near = sphere.project(axes[:, None] + 1e-6 * random.normal(size=(8, 8, 4)))
    k = np.concatenate([k, np.repeat(axes, 8, axis=0), near.reshape(-1, 4)])
    v = np.concatenate([v, np.tile(axes, (8, 1)), np.tile(axes, (8, 1))])
    return k, v, Overlaps(k[:, 0], v[:, 1], v[:, 0], k[:, 1], np.sum(k * v, axis=1))


@BOTH
def test_overlaps_frames_and_vectors_lead_to_one_another(x64):
    with precision(x64) as rounding:
        near = 1e-6 if x64 else 2e-2  # of angles, where a direction is nearly a multiple of others
        *_, o = corners(np.random.default_rng(1))
        frame = overlaps.to_frame(o)
        np.testing.assert_allclose(lengths(frame.k), 1, atol=rounding)
        np.testing.assert_allclose(lengths(frame.v), 1, atol=rounding)
        assert np.min(frame.k[:, 2]) >= 0 and np.min(frame.v[:, 3]) >= 0
        np.testing.assert_allclose(from_frame(frame), o, atol=near)
        teacher = random_teacher(6, key=KEYS[5])
        k, v = overlaps.vectors_of(o, teacher, key=KEYS[6])
        np.testing.assert_allclose((lengths(k), lengths(v)), 1, atol=rounding)
        np.testing.assert_allclose(overlaps.overlaps_of(k, v, teacher), o, atol=near)


@BOTH
@pytest.mark.parametrize("gamma", [1e-15, 1e-3, 0.7, 1.0, 1e3, 1e9])
@pytest.mark.parametrize("p", [None, [0.2, 0.0, 0.8], [1.0, 0.0, 0.0]])
def test_the_exact_posterior(gamma, p, x64):
    """The weights in NumPy where rounding cannot matter; else they sum to one, in any case."""
    random = np.random.default_rng(4)
    with precision(x64):
        eps = 1e-12 if x64 or p is None else 1e-8  # of p; all else is computed in double
        shown = 1e-12 if x64 else 1e-6  # what comes back has the precision that is set
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

"""PGD of several heads: one step, distributions, rows, descent on the exact risk."""

from dataclasses import replace
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from chance import assert_mean
from scipy import stats
from vectors import moved

from slrlib import Task, Teacher, heads, sphere
from slrlib.dynamics import constant, inverse_decay, pgd
from slrlib.dynamics.schedules import held
from slrlib.heads.sgd import followed, normals_of_step, sequences, start, stepped
from slrlib.overlaps import overlaps_of
from slrlib.predictors import erf_attention
from slrlib.task import random_teacher

# Compiled separately here; in a run they are part of one program.
normals_of_step, sequences, stepped = map(jax.jit, (normals_of_step, sequences, stepped))
TASK = Task(12, 4)
SCHEDULE = held(inverse_decay(2.0, 1e-2), 50)


@partial(jax.jit, static_argnames=("R", "d", "m", "H"))
def drawn(key, R, d, m, H):
    """Different heads and teachers for each repetition, independent of R."""

    def vectors(i):
        keys = jax.random.split(jax.random.fold_in(key, i), 3)
        K, V = jax.vmap(lambda key: sphere.uniform(d, (H,), key=key))(keys[1:])
        return K, V, random_teacher(d, (m,), key=keys[0])

    return jax.vmap(vectors)(jnp.arange(R))


def started(R=5, d=12, m=2, H=2, batch=3, shared=False, alpha=1e-2, schedule=SCHEDULE, seed=0):
    task, key = Task(d, 4), jax.random.key(seed)
    K, V, teachers = drawn(key, R, d, m, H)
    return start(K, V, teachers, task, schedule, alpha, batch, shared_noise=shared, key=key)


def copies(run, R):
    """The same repetition R times, with independent samples."""
    keys = jax.random.bits(jax.random.key(9), (R, 2), jnp.uint32)
    same = jax.tree.map(lambda x: jnp.repeat(x[:1], R, axis=0), (run.K, run.V, run.teachers))
    return replace(run, K=same[0], V=same[1], teachers=same[2], words=keys)


@pytest.mark.parametrize("shared", [False, True])
def test_one_step_is_the_gradient_of_the_batch(shared):
    run = started(shared=shared)
    normals = normals_of_step(run, 0)
    X, y = sequences(run, normals)

    def after(K, V, X, y):
        def risk(K, V):
            f = sum(erf_attention(X, *head, 2.0) for head in zip(K, V, strict=True))
            return jnp.mean((f - y) ** 2)

        return moved(risk, K, V, 1e-2)

    wanted = jax.jit(jax.vmap(after))(run.K, run.V, X.astype(float), y.astype(float))
    found = stepped(run, normals)
    for one, other, old in zip((found.K, found.V), wanted, (run.K, run.V), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-12)
        assert np.min(np.max(np.abs(one - old), axis=-1)) > 1e-3


@pytest.mark.parametrize("shared", [False, True])
def test_the_sequences_have_the_law_of_the_task(shared):
    run = copies(started(shared=shared), 4000)
    X, y = (np.asarray(x, float) for x in sequences(run, normals_of_step(run, 7)))
    k_star, v_star = (np.asarray(x[0]) for x in run.teachers)
    signal, gamma = 6**0.5, 0.5**0.5
    own = (X[:, :, :2] - signal * k_star) / gamma
    label_noise = (y - np.sum(X[:, :, :2] * v_star, axis=(-2, -1))) / 0.1
    for normal in (own, X[:, :, 2:], label_noise):
        assert stats.kstest(normal.ravel(), "norm").pvalue > 1e-3
    assert_mean(np.mean(own[:, :, 0] * own[:, :, 1], axis=(1, 2)), float(shared))
    assert_mean(np.mean(X[:, 0, 2] * X[:, 1, 2], axis=1), 0.0)  # two sequences
    assert_mean(np.mean(X[::2, 0, 3] * X[1::2, 0, 3], axis=1), 0.0)  # two repetitions
    assert_mean(label_noise[:, 0] * label_noise[:, 1], 0.0)
    later = np.asarray(normals_of_step(run, 8)[0])
    assert_mean(np.mean(later * np.asarray(normals_of_step(run, 7)[0]), axis=(1, 2)), 0.0)


def test_rows_are_those_of_the_vectors():
    run, rows = followed(started(shared=True), 60, 20)
    for vectors in (run.K, run.V):
        np.testing.assert_allclose(np.sum(np.square(vectors), axis=-1), 1.0, atol=1e-12)
    assert list(rows.step) == [0, 20, 40, 60] and int(run.step) == 60
    k_star, v_star = run.teachers
    np.testing.assert_allclose(rows.kappa[-1], np.einsum("rhd,rmd->rhm", run.K, k_star), atol=1e-12)
    np.testing.assert_allclose(rows.nu[-1], np.einsum("rhd,rmd->rhm", run.V, v_star), atol=1e-12)
    lam = 2.0 / 1.5  # held from step 50 on
    risk = heads.excess_risk(run.K, run.V, run.teachers, lam, TASK, shared_noise=True)
    np.testing.assert_allclose(rows.excess_risk[-1], risk, rtol=1e-12)


@pytest.mark.parametrize("shared", [False, True])
def test_descent_on_the_exact_risk_is_that_of_its_gradient(shared):
    lam, run = 0.5, started(batch=None, shared=shared, schedule=constant(0.5))
    rows = followed(run, 3, 1)[1]
    pair = run.K, run.V

    def risk(K, V):
        return jnp.sum(heads.excess_risk(K, V, run.teachers, lam, TASK, shared_noise=shared))

    step = jax.jit(lambda K, V: moved(risk, K, V, 1e-2))
    for i in range(3):
        pair = step(*pair)
        kappa = np.einsum("rhd,rmd->rhm", pair[0], run.teachers.k_star)
        np.testing.assert_allclose(rows.kappa[i + 1], kappa, atol=1e-9)
    assert np.all(np.diff(rows.excess_risk, axis=0) < 0)


def test_descent_of_one_head_is_that_of_the_overlaps():
    run = started(R=1, m=1, H=1, batch=None, schedule=constant(0.5))
    teacher = Teacher(*(x[0, 0] for x in run.teachers))
    o = overlaps_of(run.K[0, 0], run.V[0, 0], teacher)
    wanted, rows = pgd(o, run.task, constant(0.5), 1e-2, 40, 20), followed(run, 40, 20)[1]
    np.testing.assert_allclose(rows.excess_risk[:, 0], wanted.excess_risk, rtol=1e-8)
    np.testing.assert_allclose(rows.kappa[:, 0, 0, 0], wanted.overlaps.kappa, atol=1e-9)


def test_the_predictor_has_the_exact_risk():
    run = started()
    teachers = Teacher(*(x[0] for x in run.teachers))
    X, y = heads.sample(TASK, teachers, 40_000, key=jax.random.key(3))[:2]
    off = np.square(np.asarray(heads.predict(X, run.K[0], run.V[0], 0.5) - y)) - TASK.noise**2
    assert_mean(off, float(heads.excess_risk(run.K[0], run.V[0], teachers, 0.5, TASK)))

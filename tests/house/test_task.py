"""The task as a pytree of numbers, and the distribution of its samples."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from chance import assert_mean
from scipy import stats

from slrlib import Task, Teacher, heads
from slrlib.task import random_teacher, sample

D, L = 7, 5
P = np.array([0.4, 0.3, 0.2, 0.1, 0.0])
TEACHER = random_teacher(D, key=jax.random.key(5))
N = 40_000


def drawn(task, seed=0, n=N):
    return sample(task, TEACHER, n, key=jax.random.key(seed))


def test_the_defaults_are_those_of_the_paper():
    task = Task(400, 10)
    assert (task.d, task.L, task.noise, task.p) == (400.0, 10.0, 0.1, None)
    assert task.gamma == np.sqrt(0.5)
    assert float(task.signal) == np.sqrt(200.0)
    np.testing.assert_allclose(task.probabilities, 0.1)
    assert task == Task(400.0, 10.0) and hash(task) == hash(Task(400.0, 10.0))


def test_it_is_a_pytree_that_can_be_batched_and_differentiated():
    task = Task(d=1e9, L=1e9, gamma=0.7)
    leaves, structure = jax.tree.flatten(task)
    assert leaves == [1e9, 1e9, 0.7, 0.1]
    assert jax.tree.unflatten(structure, leaves) == task
    names = [str(path[0]) for path, _ in jax.tree_util.tree_leaves_with_path(task)]
    assert names == [".d", ".L", ".gamma", ".noise"]
    placeholders = jax.tree.unflatten(structure, ["a", None, object(), -1.0])  # not validated
    assert placeholders.noise == -1.0

    slope = jax.grad(lambda task: task.gamma**2 * task.signal)(Task(8, 3, gamma=0.5))
    np.testing.assert_allclose([slope.gamma, slope.d], [2.0, 0.25 / 8], rtol=1e-6)
    assert slope.noise == 0.0
    batch = Task(np.array([80, 400]), 10.0, gamma=np.array([0.5, 1.0]))
    axes = jax.tree.unflatten(structure, [0, None, 0, None])
    signal = jax.vmap(lambda task: task.gamma * task.signal, in_axes=(axes,))(batch)
    np.testing.assert_allclose(signal, [0.5 * 40**0.5, 200**0.5], rtol=1e-6)
    inside = jax.jit(lambda g, p: Task(400, 2, gamma=g, p=p).probabilities * g)
    np.testing.assert_allclose(inside(-1.0, np.array([0.25, 0.75])), [-0.25, -0.75], rtol=1e-6)


def test_teachers_are_orthonormal_and_uniform():
    teachers = random_teacher(6, (5000,), key=jax.random.key(0))
    both = np.stack(teachers, axis=-2)
    gram = both @ np.swapaxes(both, -1, -2)
    np.testing.assert_allclose(gram, np.broadcast_to(np.eye(2), gram.shape), atol=4e-16)
    beta = stats.beta(5 / 2, 5 / 2)
    for x in teachers:
        assert stats.kstest((1 + np.asarray(x)[:, 3]) / 2, beta.cdf).pvalue > 1e-3
    two = random_teacher(2, key=jax.random.key(1))
    np.testing.assert_allclose(abs(jnp.linalg.det(jnp.stack(two))), 1.0, rtol=1e-14)


@pytest.mark.parametrize("p", [None, P])
def test_the_location_follows_p(p):
    location = np.asarray(drawn(Task(D, L, p=p)).location)
    expected = N * (np.full(L, 1 / L) if p is None else P)
    counts = np.bincount(location, minlength=L)
    assert np.all(counts[expected == 0] == 0)
    possible = expected > 0
    assert stats.chisquare(counts[possible], expected[possible]).pvalue > 1e-3


@pytest.mark.parametrize("gamma", [0.5**0.5, 1.7])
def test_tokens_given_the_location_have_their_law(gamma):
    task = Task(D, L, gamma=gamma, p=P)
    X, _, location = (np.asarray(x) for x in drawn(task, 1))
    informative = X[np.arange(N), location]
    noise = (informative - float(task.signal) * np.asarray(TEACHER.k_star)) / gamma
    others = X[np.arange(L) != location[:, None]].reshape(N, L - 1, D)
    for tokens in (noise, others[:, 0], others[:, 3]):
        assert_mean(tokens, 0.0)
        assert_mean(tokens[:, :, None] * tokens[:, None, :], np.eye(D))
        assert stats.kstest(np.sum(tokens**2, -1), stats.chi2(D).cdf).pvalue > 1e-3
    assert_mean(noise * others[:, 1], 0.0)
    assert_mean(others[:, 0] * others[:, 1], 0.0)


@pytest.mark.parametrize("p", [None, P])
def test_the_moments_of_the_sequence_are_those_of_proposition_3(p):
    task = Task(D, L, gamma=0.6, noise=0.3, p=p)
    X, y, _ = (np.asarray(x) for x in drawn(task, 2))
    p, gg = np.asarray(task.probabilities), 0.36
    k_star, v_star = (np.asarray(x) for x in TEACHER)
    assert_mean(X, p[:, None] * float(task.signal) * k_star)
    # With p_l = 0 the products below also have mean zero, but are still random.
    assert_mean(X * y[:, None, None], p[:, None] * gg * v_star)
    for place in range(L):
        second = X[:, place, :, None] * X[:, place, None, :]
        spike = p[place] * D / 2 * np.outer(k_star, k_star)
        assert_mean(second, (1 - p[place] + p[place] * gg) * np.eye(D) + spike)
    assert_mean(X[:, 0, :, None] * X[:, 1, None, :], 0.0)
    assert_mean(y, 0.0)
    assert_mean(y**2, gg + 0.3**2)
    assert np.sum(p > 0) >= 4


def test_one_location_is_several_with_one_teacher():
    one = drawn(Task(D, L), 4, n=9)
    several = Teacher(*(x[None] for x in TEACHER))
    other = heads.sample(Task(D, L), several, 9, key=jax.random.key(4))
    assert other.location.shape == (9, 1)
    for x, y in zip(one, (other.X, other.y, other.location[:, 0]), strict=True):
        assert np.array_equal(x, y)


@pytest.mark.parametrize("shared", [False, True])
def test_several_tokens_carry_their_own_noise_unless_it_is_shared(shared):
    teachers = random_teacher(D, (3,), key=jax.random.key(8))
    task = Task(D, L, gamma=0.8, noise=0.0)
    n = 5000
    X, y, location = heads.sample(task, teachers, n, shared_noise=shared, key=jax.random.key(9))
    chosen = X[jnp.arange(n)[:, None], location]
    np.testing.assert_allclose(y, jnp.einsum("nmd,md->n", chosen, teachers.v_star), atol=1e-13)
    noise = np.asarray(chosen - task.signal * teachers.k_star[None])
    assert_mean(noise, 0.0)
    assert_mean(noise**2, 0.64)
    if shared:
        np.testing.assert_allclose(noise[:, 0], noise[:, 2], atol=1e-14)
    else:
        assert_mean(noise[:, 0] * noise[:, 2], 0.0)
    others = np.asarray(X)[~np.any(np.arange(L) == np.asarray(location)[..., None], axis=1)]
    assert others.shape == (n * (L - 3), D)
    assert stats.kstest(others[:, 2], "norm").pvalue > 1e-3


@pytest.mark.either_precision
def test_drawing_can_be_traced_in_all_but_the_sizes():
    def labels(gamma, key):
        return sample(Task(D, L, gamma=gamma, noise=0.0), TEACHER, 4, key=key).y

    keys = jax.random.split(jax.random.key(0), 3)
    together = jax.jit(jax.vmap(labels))(jnp.array([0.5, 1.0, 2.0]), keys)
    alone = [labels(g, key) for g, key in zip((0.5, 1.0, 2.0), keys, strict=True)]
    np.testing.assert_allclose(together, jnp.stack(alone), atol=1e-5)
    slope = jax.grad(lambda g: jnp.sum(labels(g, keys[0])))(0.5)
    np.testing.assert_allclose(slope, jnp.sum(labels(0.5, keys[0])) / 0.5, rtol=1e-4)
    with pytest.raises(ValueError, match=r"^task.L must be a plain whole number here, got a trac"):
        jax.jit(lambda task: sample(task, TEACHER, 4, key=keys[0]).y)(Task(D, L))

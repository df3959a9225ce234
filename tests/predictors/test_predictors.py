"""The predictors, and the exact posterior compared with brute force."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from chance import assert_mean
from scipy import stats
from scipy.special import erf

from slrlib import Task, predictors, risk, sphere
from slrlib.overlaps import overlaps_of
from slrlib.task import random_teacher, sample

D, L = 6, 4
P = np.array([0.5, 0.3, 0.2, 0.0])
TEACHER = random_teacher(D, key=jax.random.key(1))


def some(seed, n=3, d=D, tokens=L):
    """Tokens and two unit vectors."""
    rng = np.random.default_rng(seed)
    X = jnp.asarray(rng.normal(size=(n, tokens, d)))
    return X, sphere.project(rng.normal(size=d)), sphere.project(rng.normal(size=d))


def all_predictions(X, k, v, lam, task=None, teacher=TEACHER):
    task = Task(D, L, gamma=0.6) if task is None else task
    return {
        "argmax": predictors.argmax_attention(X, k, v),
        "softmax": predictors.softmax_attention(X, k, v, lam),
        "erf": predictors.erf_attention(X, k, v, lam),
        "linear attention": predictors.linear_attention(X, k, v, lam),
        "bayes": predictors.bayes(X, task, teacher),
    }


@pytest.mark.parametrize("lam", [0.0, 0.7, 8.0])
def test_each_predictor_is_its_formula_written_out(lam):
    X, k, v = some(0)
    got = all_predictions(X, k, v, lam)
    X, k, v = (np.asarray(x) for x in (X, k, v))
    for n in range(len(X)):
        s, t = X[n] @ k, X[n] @ v
        shares = np.exp(lam * s) / np.sum(np.exp(lam * s))
        expected = {
            "argmax": t[np.argmax(s)],
            "softmax": shares @ t,
            "erf": erf(lam * s) @ t,
            "linear attention": lam * s @ t,
        }
        for name, value in expected.items():
            np.testing.assert_allclose(got[name][n], value, rtol=1e-13, atol=1e-14, err_msg=name)


# Bayes


def brute_force_posterior(X, task, teacher):
    """p_l times the Gaussian density of the sequence given location l, normalized."""
    d, tokens = X.shape[-1], X.shape[-2]
    plain = stats.multivariate_normal(np.zeros(d), np.eye(d))
    mean = np.sqrt(d / 2) * np.asarray(teacher.k_star)
    signal = stats.multivariate_normal(mean, float(task.gamma) ** 2 * np.eye(d))
    densities = [
        np.prod([(signal if m == l else plain).pdf(X[:, m]) for m in range(tokens)], axis=0)
        for l in range(tokens)
    ]
    joint = np.asarray(task.probabilities) * np.transpose(densities)
    return joint / joint.sum(axis=-1, keepdims=True)


@pytest.mark.parametrize("p", [None, P])
@pytest.mark.parametrize("gamma", [0.3, 1.0, 2.0])
def test_the_posterior_is_that_of_the_gaussian_densities(gamma, p):
    task = Task(D, L, gamma=gamma, p=p)
    X = sample(task, TEACHER, 40, key=jax.random.key(2)).X
    expected = brute_force_posterior(np.asarray(X), task, TEACHER)
    got = predictors.bayes_weights(X, task, TEACHER)
    np.testing.assert_allclose(got, expected, atol=1e-13)
    label = np.sum(expected * (np.asarray(X) @ np.asarray(TEACHER.v_star)), -1)
    np.testing.assert_allclose(predictors.bayes(X, task, TEACHER), label, atol=1e-12)


# Risks of the predictors, by plain Monte Carlo


@pytest.mark.parametrize("gamma, p", [(0.5**0.5, None), (1.4, P)])
def test_no_predictor_beats_bayes_and_all_have_their_risk(gamma, p):
    task = Task(D, L, gamma=gamma, noise=0.2, p=p)
    X, y, _ = sample(task, TEACHER, 100_000, key=jax.random.key(6))
    k = sphere.project(TEACHER.k_star + 0.4 * TEACHER.v_star + 0.1)
    v = sphere.project(TEACHER.v_star - 0.3 * TEACHER.k_star - 0.2)
    lam = 0.4
    o = overlaps_of(k, v, TEACHER)
    beta = predictors.best_linear(task, TEACHER)
    off = predictors.erf_attention(X, k, v, lam)
    oracle = 0.7 * predictors.erf_attention(X, *TEACHER, lam)
    product = predictors.linear_attention(X, *TEACHER, lam)
    known = [
        (off, risk.excess_risk(o, lam, task)),
        (oracle, risk.oracle_excess_risk(lam, task, scale=0.7)),
        (product, risk.linear_attention_excess_risk(lam, task)),
        (predictors.linear(X, beta), risk.linear_excess_risk(task)),
        (np.zeros(len(X)), risk.null_excess_risk(task)),
        (predictors.argmax_attention(X, *TEACHER), risk.argmax_excess_risk(task)),
    ]
    bayes = np.asarray((predictors.bayes(X, task, TEACHER) - y) ** 2)
    for prediction, excess in known:
        loss = np.asarray((prediction - y) ** 2)
        assert_mean(loss, float(excess) + 0.2**2)
        assert np.mean(loss - bayes) > 0


def test_the_best_linear_predictor_solves_the_normal_equations():
    for p in (None, P):
        task = Task(D, L, gamma=0.6, p=p)
        k_star, v_star = (np.asarray(x) for x in TEACHER)
        second, cross = np.zeros((L * D, L * D)), np.zeros(L * D)
        for place, share in enumerate(np.asarray(task.probabilities)):
            at = slice(place * D, (place + 1) * D)
            spike = share * D / 2 * np.outer(k_star, k_star)
            second[at, at] = (1 - share + share * 0.36) * np.eye(D) + spike
            cross[at] = share * 0.36 * v_star
        solved = np.linalg.solve(second, cross).reshape(L, D)
        np.testing.assert_allclose(predictors.best_linear(task, TEACHER), solved, atol=1e-15)


@pytest.mark.either_precision
def test_shapes_types_and_gradients():
    teacher = random_teacher(D, key=jax.random.key(1))
    task = Task(D, L)
    X = sample(task, teacher, 6, key=jax.random.key(0)).X.reshape(2, 3, L, D)
    results = {
        **all_predictions(X, *teacher, 0.5, task, teacher),
        "linear": predictors.linear(X, predictors.best_linear(task, teacher)),
        "jit": jax.jit(predictors.bayes)(X, task, teacher),
    }
    for name, value in results.items():
        assert value.shape == (2, 3) and value.dtype == X.dtype, name
        assert np.all(np.isfinite(value)), name
    assert predictors.bayes_weights(X, task, teacher).shape == (2, 3, L)

    def loss(k, v, lam, task):
        y = predictors.erf_attention(X, k, v, lam) + predictors.bayes(X, task, teacher)
        return jnp.sum(y**2 + predictors.softmax_attention(X, k, v, lam))

    slopes = jax.grad(loss, argnums=(0, 1, 2, 3))(*teacher, 0.5, task)
    assert all(np.all(np.isfinite(x)) and np.any(x != 0) for x in slopes[:3])
    assert np.isfinite(slopes[3].gamma) and slopes[3].gamma != 0

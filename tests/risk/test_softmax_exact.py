"""The exact risk of softmax attention, and related quantities of the chapter on optimality."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from chance import LIMIT, assert_mean
from scipy import integrate, optimize, stats

from slrlib import Task, risk
from slrlib.predictors import softmax_attention
from slrlib.risk.bayes import bayes_log_excess_risk, log_overlap
from slrlib.task import random_teacher, sample

CASES = [  # d, L, gamma, lam
    (8, 3, 1.0, 0.3),
    (10, 20, 1.5, 2.0),
]


@pytest.mark.parametrize("d, L, gamma, lam", CASES)
def test_softmax_against_sampled_sequences(d, L, gamma, lam):
    task, keys = Task(d, L, gamma, noise=0.0), jax.random.split(jax.random.key(1))
    teacher = random_teacher(d, key=keys[0])
    X, y, _ = sample(task, teacher, 50_000, key=keys[1])
    exact = risk.exact_softmax_excess_risk(lam, task)
    assert_mean((softmax_attention(X, *teacher, lam) - y) ** 2, exact)


@pytest.mark.parametrize("lam", [0.05, 0.8, 8.0, 100.0])
def test_softmax_of_two_tokens_against_quadrature(lam):
    """With L = 2 the weights depend on one normal variable, the difference of the scores."""
    task = Task(d=12, L=2, gamma=0.8)
    center, spread = float(task.signal), (1 + 0.8**2) ** 0.5

    def integrand(x):
        other = np.exp(-2 * np.logaddexp(0, lam * (center + spread * x)))
        return (1 + 0.8**2) * other * stats.norm.pdf(x)

    steep = [-center / spread]  # where both scores are equal
    whole = integrate.quad(integrand, -12, 12, points=steep, epsabs=1e-14, epsrel=1e-12)[0]
    np.testing.assert_allclose(risk.exact_softmax_excess_risk(lam, task), whole, rtol=1e-10)


def test_softmax_without_selection_is_the_mean_of_the_tokens():
    task = Task(d=50, L=5, gamma=0.9)
    expected = 0.9**2 * (1 - 1 / 5) ** 2 + 4 / 25
    np.testing.assert_allclose(risk.exact_softmax_excess_risk(0.0, task), expected, rtol=1e-11)


@pytest.mark.parametrize("d", [20, 400])
def test_at_gamma_one_softmax_is_bayes(d):
    task = Task(d=d, L=10, gamma=1.0)
    exact = risk.exact_softmax_excess_risk(task.signal, task)
    mean, error = risk.bayes_excess_risk(task, samples=30_000, key=jax.random.key(d))
    assert error < 0.05 * mean and abs(mean - exact) < LIMIT * error


def test_the_logarithm_of_the_bayes_risk():
    task = Task(d=80, L=10)
    mean, error = risk.bayes_excess_risk(task, samples=2000, key=jax.random.key(1))
    value, spread = bayes_log_excess_risk(task, samples=2000, key=jax.random.key(1))
    np.testing.assert_allclose([jnp.exp(value), spread], [mean, error / mean], rtol=1e-10)
    far = Task(d=1e6, L=10)  # where the risk itself underflows to zero
    value, _ = bayes_log_excess_risk(far, samples=2000, key=jax.random.key(1))
    assert -1e6 < value < -1e5 and abs(value / log_overlap(far) - 1) < 1e-3


def test_the_overlap_of_the_two_laws():
    """B is the integral of the root of the product of the densities, one factor per coordinate."""
    task = Task(d=6, L=2, gamma=0.6)
    own, other = stats.norm(0.0, 0.6), stats.norm(0.0, 1.0)

    def affinity(shift):
        f = lambda x: np.sqrt(own.pdf(x - shift) * other.pdf(x))  # noqa: E731
        return integrate.quad(f, -15, 15, epsabs=1e-14)[0]

    expected = 2 * np.log(affinity(float(task.signal))) + 10 * np.log(affinity(0.0))
    np.testing.assert_allclose(log_overlap(task), expected, rtol=1e-10)


@pytest.mark.parametrize("d, L, gamma", [(400, 10, 0.5**0.5), (80, 2, 2.0)])
def test_the_best_linear_attention(d, L, gamma):
    task = Task(d=d, L=L, gamma=gamma)
    lam, lowest = map(float, risk.best_linear_attention(task))
    np.testing.assert_allclose(risk.linear_attention_excess_risk(lam, task), lowest, rtol=1e-12)
    found = optimize.minimize_scalar(
        lambda x: float(risk.linear_attention_excess_risk(x, task)), bounds=(0, 1), method="bounded"
    )
    assert lowest <= found.fun * (1 + 1e-12) and abs(found.x - lam) < 1e-5

"""The Bayes risk, which is known from Monte Carlo only: compared with samples and known values."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from chance import LIMIT, assert_mean

from slrlib import Task, predictors
from slrlib.risk import bayes_excess_risk, exact_softmax_excess_risk, null_excess_risk
from slrlib.task import random_teacher, sample

ROOT_HALF = 0.5**0.5
# d, L, gamma, value, standard error: 10^5 to 10^6 samples from an independent program.
KNOWN = [
    (10, 4, ROOT_HALF, 0.04727, 0.00021),
    (80, 10, 1.0, 5.251e-5, 3.4e-7),
    (400, 10, ROOT_HALF, 1.94e-40, 2e-42),
    (400, 10, 1.0, 1.081e-22, 1e-24),
]
P = np.array([0.6, 0.25, 0.15, 0.0])


def key(seed):
    return jax.random.key(seed)


def assert_equal_in_law(one, other):
    """Two estimates, each (mean, standard error), of the same number."""
    (a, ea), (b, eb) = ([float(x) for x in pair] for pair in (one, other))
    assert ea > 0 or eb > 0
    z = (a - b) / np.hypot(ea, eb)
    assert abs(z) < LIMIT, f"{a} +- {ea} and {b} +- {eb}: z = {z}"


def plain(values):
    values = np.asarray(values)
    return values.mean(), values.std(ddof=1) / np.sqrt(len(values))


@pytest.mark.parametrize("d, L, gamma, value, error", KNOWN)
def test_known_values(d, L, gamma, value, error):
    estimate = bayes_excess_risk(Task(d, L, gamma), samples=30_000, key=key(0))
    assert_equal_in_law(estimate, (value, error))
    assert float(estimate[1]) < 0.05 * float(estimate[0])


@pytest.mark.parametrize(
    "d, L, gamma, p",
    [(6, 4, 1.6, None), (6, 4, 0.8, P), (2, 4, 0.7, None)],
)
def test_importance_sampling_agrees_with_plain_monte_carlo(d, L, gamma, p):
    task = Task(d, L, gamma, noise=0.0, p=p)
    teacher = random_teacher(d, key=key(1))
    X, y, _ = sample(task, teacher, 100_000, key=key(2))
    loss = (predictors.bayes(X, task, teacher) - y) ** 2
    estimate = bayes_excess_risk(task, samples=30_000, key=key(3))
    assert_equal_in_law(estimate, plain(loss))
    assert float(estimate[0]) < null_excess_risk(task)


def test_with_one_token_there_is_nothing_to_find():
    assert bayes_excess_risk(Task(30, 1), samples=10, key=key(12)) == (0.0, 0.0)
    assert exact_softmax_excess_risk(1.0, Task(30, 1)) == 0.0
    known = Task(10, 4, p=np.array([0.0, 1.0, 0.0, 0.0]))
    assert bayes_excess_risk(known, samples=2000, key=key(13)) == (0.0, 0.0)


def test_the_standard_error_is_honest():
    """Over repetitions, the standard deviation of the means agrees with the standard errors."""
    task = Task(40, 4)
    repeat = jax.jit(jax.vmap(lambda key: jnp.stack(bayes_excess_risk(task, samples=300, key=key))))
    means, errors = np.asarray(repeat(jax.random.split(key(16), 200))).T
    ratio = means.var(ddof=1) / np.mean(errors**2)
    assert 0.6 < ratio < 1.5  # chi-square(199) / 199 has standard deviation 0.1
    assert_mean(means, float(bayes_excess_risk(task, samples=30_000, key=key(17))[0]))


@pytest.mark.either_precision
def test_types_and_tracing():
    def of_gamma(gamma):
        return bayes_excess_risk(Task(10, 4, gamma=gamma), samples=2000, key=key(0))

    mean, error = of_gamma(ROOT_HALF)
    assert mean.shape == error.shape == () and mean.dtype == np.float64
    assert 0 < error < mean < 1
    batch, its = jax.vmap(of_gamma)(jnp.array([0.5, ROOT_HALF, 1.0]))
    if batch.dtype == np.float64:
        np.testing.assert_allclose(batch[1], mean, rtol=1e-4)
    else:  # in single precision the samples differ
        assert abs(batch[1] - mean) < 5 * np.hypot(error, its[1])

    def of_softmax(gamma):
        return exact_softmax_excess_risk(1.0, Task(10, 4, gamma=gamma))

    step = (of_softmax(0.705) - of_softmax(0.695)) / 0.01
    np.testing.assert_allclose(jax.grad(of_softmax)(0.7), step, rtol=1e-2)

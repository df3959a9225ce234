"""The excess risk of the exact Bayes predictor, by Monte Carlo with importance sampling.

The Bayes predictor errs where a second token resembles the informative one. For large d such
sequences are too rare for plain sampling. So they are sampled often, and weighted by the ratio of
the densities.
"""

from __future__ import annotations

from functools import partial

import jax
import jax.numpy as jnp
from jax.scipy.special import logsumexp

from slrlib import checks
from slrlib.risk.simulated import Estimate
from slrlib.sphere import in_a_row
from slrlib.task import Task

TOKENS_AT_ONCE = 2**18  # tokens sampled together, so that memory stays small
MOST_TOKENS = 2**24  # of one sequence: some 2 GB


@checks.in_double
def bayes_excess_risk(task: Task, *, key: jax.Array, samples: int = 100_000) -> Estimate:
    """Estimate the excess risk of the exact Bayes predictor by importance sampling.

    The informative token and a rival are both sampled from the distribution halfway between those
    of an informative and of another token. The computation is in double precision, because the
    risk soon falls below the range of single precision.

    Parameters
    ----------
    task : Task
        One task (d, L, gamma, p), with any distribution p of the location; L cannot be traced.
    key : jax.Array
        Random key.
    samples : int
        Number of sequences, >= 2; rounded up to whole chunks.

    Returns
    -------
    Estimate
        The mean and its standard error.

    Examples
    --------
    >>> estimate = bayes_excess_risk(Task(d=20, L=6), key=jax.random.key(0), samples=10_000)
    >>> print(f"{estimate.mean:.3f}")
    0.007

    Book: {eq}`eq-risk-bayes` and {eq}`eq-importance` (not in the paper).
    """
    return Estimate(*_bayes(task, samples, key)[:2])


@checks.in_double
def bayes_log_excess_risk(task: Task, *, key: jax.Array, samples: int = 100_000) -> Estimate:
    """Estimate the logarithm of ``bayes_excess_risk``, where the risk itself would underflow.

    Book: {eq}`eq-bayes-decay` (not in the paper).
    """
    return Estimate(*_bayes(task, samples, key)[2:])


@checks.compiled()
def log_overlap(task: Task) -> jax.Array:
    """Compute log B^2, with B the Bhattacharyya coefficient of the two distributions of a token.

    Book: {eq}`eq-bayes-decay` (not in the paper).
    """
    gap = 1.0 + task.gamma**2
    return jnp.multiply(task.d, jnp.log(2.0 * task.gamma / gap) - 0.25 / gap)


def _bayes(task, samples, key):
    """Estimate the risk and its logarithm, each with its standard error, in one program."""
    L = checks.count("task.L", checks.task(task).L)
    samples = checks.count("samples", samples, at_least=2)
    if L > MOST_TOKENS:
        raise ValueError(
            f"task.L must be at most {MOST_TOKENS}, as a draw holds L tokens at once, got {L}"
        )
    chunks = min(samples, -(-samples * L // TOKENS_AT_ONCE))  # of equal size: samples rounded up
    return _estimates(task, chunks, -(-samples // chunks), L, checks.random_key(key))


@partial(jax.jit, static_argnums=(1, 2, 3))
def _estimates(task, chunks, size, L, key):
    p = jnp.full(L, 1.0 / L) if task.p is None else task.p
    mean, error = _average(chunks, size, L, key, task.d, task.gamma, jnp.log(jnp.asarray(p, float)))
    log_scale = log_overlap(task)
    scale = jnp.exp(log_scale)
    return scale * mean, scale * error, log_scale + jnp.log(mean), error / mean


def _average(chunks, size, L, key, *numbers):
    """Compute mean and standard error of the samples in all chunks."""
    if L == 1:  # the location is known
        return jnp.zeros(()), jnp.zeros(())

    def chunk(_, key):
        values = _draws(key, size, L, *numbers)
        return None, (jnp.mean(values), jnp.mean(values**2))

    means, squares = jax.lax.scan(chunk, None, jax.random.split(key, chunks))[1]
    mean = jnp.mean(means)
    variance = jnp.maximum(jnp.mean(squares) - mean**2, 0.0)
    return mean, jnp.sqrt(variance / (chunks * size - 1.0))


def _choice(key, log_p):
    """Sample a location for each row of ``log_p``, with these probabilities."""
    return jnp.argmax(log_p + in_a_row(jax.random.gumbel, key, log_p.shape), axis=-1)


def _draws(key, n, L, d, gamma, log_p):
    """Weighted posterior variances of X_J.v*, over the squared Bhattacharyya coefficient.

    Of each token only s = X.k*, t = X.v* and q = |X|^2 - s^2 - t^2 matter.
    """
    power, signal = gamma**2, jnp.sqrt(d / 2.0)
    key_true, key_rival, key_s, key_t, key_q = jax.random.split(key, 5)
    true = _choice(key_true, jnp.broadcast_to(log_p, (n, L)))
    is_true = jax.nn.one_hot(true, L, dtype=bool)
    log_rival = jax.nn.log_softmax(jnp.where(is_true, -jnp.inf, 0.5 * log_p[None, :]), axis=-1)
    is_rival = jax.nn.one_hot(_choice(key_rival, log_rival), L, dtype=bool)

    halfway = is_true | is_rival
    spread = jnp.sqrt(jnp.where(halfway, 2.0 * power / (1.0 + power), 1.0))
    s = spread * in_a_row(jax.random.normal, key_s, (n, L))
    # This is s - signal, without cancellation.
    away = s - jnp.where(halfway, signal * (power / (1.0 + power)), signal)
    s = s + jnp.where(halfway, signal / (1.0 + power), 0.0)
    t = spread * in_a_row(jax.random.normal, key_t, (n, L))
    freedom = jnp.asarray(d, float) - 2.0
    q = 2.0 * jax.random.gamma(key_q, jnp.maximum(0.5 * freedom, 0.5), (n, L))
    q = jnp.where(freedom > 0, spread**2 * q, 0.0)

    def less_that_of_true(x):  # only differences, to reduce rounding
        return x - jnp.sum(jnp.where(is_true, x, 0.0), axis=-1, keepdims=True)

    log_odds = 0.5 * (s * s + t * t + q) - 0.5 / power * (away * away + t * t + q)
    log_odds, t = less_that_of_true(log_odds), less_that_of_true(t)
    posterior = jax.nn.softmax(log_odds + log_p[None, :], axis=-1)
    variance = jnp.sum(posterior * t * t, axis=-1) - jnp.sum(posterior * t, axis=-1) ** 2
    weight = jnp.exp(-logsumexp(log_rival + 0.5 * log_odds, axis=-1))
    return jnp.where(variance > 0, weight * variance, 0.0)  # without a rival, no error

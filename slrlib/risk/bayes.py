"""The risk that only Monte Carlo knows: that of the exact Bayes predictor.

It errs where a second token looks like the true one. For large d that is far too rare to wait for,
so the draws make it common and carry the ratio of the densities as their weight.
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

TOKENS_AT_ONCE = 2**18  # tokens drawn together, so that memory stays small
MOST_TOKENS = 2**24  # of one sequence: some 2 GB


@checks.in_double
def bayes_excess_risk(task: Task, *, key: jax.Array, samples: int = 100_000) -> Estimate:
    """Risk of the exact Bayes predictor minus noise^2: (mean, error), the standard one.

    The true token and a rival are both drawn from the law halfway between that of a token with the
    signal and that of one without. Any ``p`` is allowed; the number of draws is ``samples`` rounded
    up to whole chunks. In double precision whatever is set: the risk is soon below what single
    precision holds.

    Book: {eq}`eq-risk-bayes` and {eq}`eq-importance` (not in the paper).
    """
    return Estimate(*_bayes(task, samples, key)[:2])


@checks.in_double
def bayes_log_excess_risk(task: Task, *, key: jax.Array, samples: int = 100_000) -> Estimate:
    """The logarithm of ``bayes_excess_risk`` and its standard error, where exp would underflow.

    Book: {eq}`eq-bayes-decay` (not in the paper).
    """
    return Estimate(*_bayes(task, samples, key)[2:])


@checks.compiled()
def log_overlap(task: Task) -> jax.Array:
    """log B^2, of the squared Bhattacharyya coefficient of the two laws of a token.

    Book: {eq}`eq-bayes-decay` (not in the paper).
    """
    gap = 1.0 + task.gamma**2
    return jnp.multiply(task.d, jnp.log(2.0 * task.gamma / gap) - 0.25 / gap)


def _bayes(task, samples, key):
    """The risk and its logarithm, each with its standard error, from one program for both."""
    L = checks.count("task.L", checks.task(task).L)
    samples = checks.count("samples", samples, at_least=2)
    if L > MOST_TOKENS:
        room = 128e-9 * L  # sixteen doubles a token
        raise ValueError(
            f"task.L must be at most {MOST_TOKENS} here, as a draw holds L tokens at once, "
            f"got {L}, which would take about {room:.0f} GB"
        )
    checks.room(samples / TOKENS_AT_ONCE * 8 * L, samples=samples, L=L)
    chunks = min(samples, -(-samples * L // TOKENS_AT_ONCE))  # equal ones: ``samples`` round up
    return _estimates(task, chunks, -(-samples // chunks), L, checks.random_key(key))


@partial(jax.jit, static_argnums=(1, 2, 3))
def _estimates(task, chunks, size, L, key):
    p = jnp.full(L, 1.0 / L) if task.p is None else task.p
    mean, error = _average(chunks, size, L, key, task.d, task.gamma, jnp.log(jnp.asarray(p, float)))
    log_scale = log_overlap(task)
    scale = jnp.exp(log_scale)
    return scale * mean, scale * error, log_scale + jnp.log(mean), error / mean


def _average(chunks, size, L, key, *numbers):
    """Mean and standard error of the draws in all chunks."""
    if L == 1:  # nothing to find
        return jnp.zeros(()), jnp.zeros(())

    def chunk(_, key):
        values = _draws(key, size, L, *numbers)
        return None, (jnp.mean(values), jnp.mean(values**2))

    means, squares = jax.lax.scan(chunk, None, jax.random.split(key, chunks))[1]
    mean = jnp.mean(means)
    variance = jnp.maximum(jnp.mean(squares) - mean**2, 0.0)
    return mean, jnp.sqrt(variance / (chunks * size - 1.0))


def _choice(key, log_p):
    """A place of each row of ``log_p``, with these probabilities."""
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
    away = s - jnp.where(halfway, signal * (power / (1.0 + power)), signal)  # s - signal, in digits
    s = s + jnp.where(halfway, signal / (1.0 + power), 0.0)
    t = spread * in_a_row(jax.random.normal, key_t, (n, L))
    freedom = jnp.asarray(d, float) - 2.0
    q = 2.0 * jax.random.gamma(key_q, jnp.maximum(0.5 * freedom, 0.5), (n, L))
    q = jnp.where(freedom > 0, spread**2 * q, 0.0)

    def less_that_of_true(x):  # differences only, against rounding
        return x - jnp.sum(jnp.where(is_true, x, 0.0), axis=-1, keepdims=True)

    log_odds = 0.5 * (s * s + t * t + q) - 0.5 / power * (away * away + t * t + q)
    log_odds, t = less_that_of_true(log_odds), less_that_of_true(t)
    posterior = jax.nn.softmax(log_odds + log_p[None, :], axis=-1)
    variance = jnp.sum(posterior * t * t, axis=-1) - jnp.sum(posterior * t, axis=-1) ** 2
    weight = jnp.exp(-logsumexp(log_rival + 0.5 * log_odds, axis=-1))
    return jnp.where(variance > 0, weight * variance, 0.0)  # without a rival, no error

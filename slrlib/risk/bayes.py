"""Risks that only Monte Carlo knows: the exact Bayes predictor, and softmax attention at (k*, v*).

Both err where a second token looks like the true one. For large d that is far too rare to wait for,
so the draws make it common and carry the ratio of the densities as their weight.
"""

from functools import partial

import jax
import jax.numpy as jnp
from jax.scipy.special import logsumexp
from jax.typing import ArrayLike

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
    sizes = _sizes(checks.task(task), samples)
    return _bayes_of(task, *sizes, checks.random_key(key))


@partial(jax.jit, static_argnums=(1, 2, 3))
def _bayes_of(task, chunks, size, L, key):
    p = jnp.full(L, 1.0 / L) if task.p is None else task.p
    numbers = task.d, task.gamma, jnp.log(jnp.asarray(p, float))
    mean, error = _average(_bayes_draws, chunks, size, L, key, *numbers)
    log_scale = log_overlap(task)
    scale = jnp.exp(log_scale)
    return scale * mean, scale * error, log_scale + jnp.log(mean), error / mean


@checks.in_double
def softmax_excess_risk(
    lam: ArrayLike, task: Task, *, key: jax.Array, samples: int = 100_000
) -> Estimate:
    """Excess risk of softmax attention with (k*, v*): (mean, error), the standard one.

    Only the scores X k* are drawn; the average over the values X v* is exact. Half of the draws
    move the true token and one rival towards each other. It is the same for every ``p``.

    Book: {eq}`eq-risk-softmax` (not in the paper; softmax reaching the Bayes risk is known since
    Duranthon and others, 2025).
    """
    lam = checks.one("lam", checks.nonnegative("lam", lam))
    sizes = _sizes(checks.task(task), samples)
    numbers = task.d, task.gamma, lam
    return Estimate(*_average(_softmax_draws, *sizes, checks.random_key(key), *numbers))


def _sizes(task, samples):
    """The number of chunks, the draws in each, and L; they are equal, so ``samples`` round up."""
    L, samples = checks.count("task.L", task.L), checks.count("samples", samples, at_least=2)
    if L > MOST_TOKENS:
        room = 128e-9 * L  # sixteen doubles a token
        raise ValueError(
            f"task.L must be at most {MOST_TOKENS} here, as a draw holds L tokens at once, "
            f"got {L}, which would take about {room:.0f} GB"
        )
    chunks = min(samples, -(-samples * L // TOKENS_AT_ONCE))
    return chunks, -(-samples // chunks), L


@partial(jax.jit, static_argnums=(0, 1, 2, 3))
def _average(draw, chunks, size, L, key, *numbers):
    """Mean and standard error of ``draw`` over all chunks."""
    if L == 1:  # nothing to find
        return jnp.zeros(()), jnp.zeros(())

    def chunk(_, key):
        values = draw(key, size, L, *numbers)
        return None, (jnp.mean(values), jnp.mean(values**2))

    means, squares = jax.lax.scan(chunk, None, jax.random.split(key, chunks))[1]
    mean = jnp.mean(means)
    variance = jnp.maximum(jnp.mean(squares) - mean**2, 0.0)
    return mean, jnp.sqrt(variance / (chunks * size - 1.0))


def _choice(key, log_p):
    """A place of each row of ``log_p``, with these probabilities."""
    return jnp.argmax(log_p + in_a_row(jax.random.gumbel, key, log_p.shape), axis=-1)


def _bayes_draws(key, n, L, d, gamma, log_p):
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
    s = s + jnp.where(halfway, signal / (1.0 + power), 0.0)
    t = spread * in_a_row(jax.random.normal, key_t, (n, L))
    freedom = jnp.asarray(d, float) - 2.0
    q = 2.0 * jax.random.gamma(key_q, jnp.maximum(0.5 * freedom, 0.5), (n, L))
    q = jnp.where(freedom > 0, spread**2 * q, 0.0)

    def less_that_of_true(x):  # differences only, against rounding
        return x - jnp.sum(jnp.where(is_true, x, 0.0), axis=-1, keepdims=True)

    log_odds = 0.5 * (1.0 - 1.0 / power) * (s * s + t * t + q) + signal / power * s
    log_odds, t = less_that_of_true(log_odds), less_that_of_true(t)
    posterior = jax.nn.softmax(log_odds + log_p[None, :], axis=-1)
    variance = jnp.sum(posterior * t * t, axis=-1) - jnp.sum(posterior * t, axis=-1) ** 2
    weight = jnp.exp(-logsumexp(log_rival + 0.5 * log_odds, axis=-1))
    return jnp.where(variance > 0, weight * variance, 0.0)  # without a rival, no error


def _softmax_draws(key, n, L, d, gamma, lam):
    """Weighted conditional risks gamma^2 (1 - w_J)^2 + sum of w_l^2 over the other tokens."""
    power, signal = gamma**2, jnp.sqrt(d / 2.0)
    key_moved, key_rival, key_true, key_others = jax.random.split(key, 4)
    moved = jax.random.bernoulli(key_moved, shape=(n,))
    rival = jax.nn.one_hot(jax.random.randint(key_rival, (n,), 0, L - 1), L - 1, dtype=bool)
    move = jnp.minimum(2.0 * lam, signal / (1.0 + power))  # no further than where they meet
    true = signal + gamma * jax.random.normal(key_true, (n,)) - jnp.where(moved, power * move, 0.0)
    others = in_a_row(jax.random.normal, key_others, (n, L - 1))
    others = others + jnp.where(rival & moved[:, None], move, 0.0)

    # Density of the moved draws over that of the plain ones, then of the half-and-half mixture.
    log_true = move * (signal - true) - 0.5 * power * move**2
    log_others = logsumexp(move * others - 0.5 * move**2, axis=-1) - jnp.log(L - 1.0)
    weight = 2.0 * jax.nn.sigmoid(-(log_true + log_others))

    shares = jax.nn.softmax(lam * jnp.concatenate([true[:, None], others], axis=-1), axis=-1)[:, 1:]
    return weight * (power * jnp.sum(shares, axis=-1) ** 2 + jnp.sum(shares**2, axis=-1))

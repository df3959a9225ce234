"""The Bayes risk by Monte Carlo, its logarithmic bounds, and the simulated risk of a predictor.

The Bayes predictor errs if a second token resembles the informative one. For large d such sequences
are too rare for plain sampling. Importance sampling makes them frequent and weights them by the
ratio of the densities.

With two equally likely locations, the Bayes risk is one integral over the overlap of two Gaussian
distributions. With more tokens the risk is at most L - 1 times that of two tokens. It is smaller
only because three tokens can be confused at once, which is exponentially rarer. All numbers are
logarithms, because at d = 10,000 the risk is below the smallest double.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.special import logsumexp

from slrlib import checks
from slrlib.special import new_axis
from slrlib.sphere import in_a_row
from slrlib.task import Task, Teacher, draw, sizes

__all__ = ["bayes_excess_risk", "bayes_log_ceiling", "bayes_log_gap", "monte_carlo_risk"]

TOKENS_AT_ONCE = 2**18  # tokens sampled together, so that memory stays small


@checks.in_double
def bayes_excess_risk(task: Task, *, key: jax.Array, samples: int = 100_000) -> Estimate:
    """Estimate the excess risk of the exact Bayes predictor by importance sampling.

    The informative token and a rival are both sampled from the distribution halfway between those
    of an informative and of another token. The computation is in double precision, because the
    risk can be below the range of single precision.

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
    checks.room(32 * L, L=L)  # a sample holds L tokens at once
    chunks = min(samples, -(-samples * L // TOKENS_AT_ONCE))  # of equal size: samples rounded up
    return _estimates(task, chunks, -(-samples // chunks), L, checks.random_key(key))


@partial(jax.jit, static_argnums=(1, 2, 3))
def _estimates(task, chunks, size, L, key):
    """Compute the four numbers of ``_bayes`` from the samples in all chunks."""
    p = jnp.full(L, 1.0 / L) if task.p is None else task.p
    log_p = jnp.log(jnp.asarray(p, float))

    def chunk(_, key):
        values = _draws(key, size, L, task.d, task.gamma, log_p)
        return None, (jnp.mean(values), jnp.mean(values**2))

    means, squares = jax.lax.scan(chunk, None, jax.random.split(key, chunks))[1]
    mean = jnp.mean(means)
    variance = jnp.maximum(jnp.mean(squares) - mean**2, 0.0)
    error, log_scale = jnp.sqrt(variance / (chunks * size - 1.0)), log_overlap(task)
    scale = jnp.exp(log_scale)
    return scale * mean, scale * error, log_scale + jnp.log(mean), error / mean


def _choice(key, log_p):
    """Sample a location for each row of ``log_p``, with these probabilities."""
    return jnp.argmax(log_p + in_a_row(jax.random.gumbel, key, log_p.shape), axis=-1)


def _draws(key, n, L, d, gamma, log_p):
    """Sample weighted posterior variances of X_J.v*, divided by the squared coefficient B^2.

    B is the Bhattacharyya coefficient. Only s = X.k*, t = X.v* and q = |X|^2 - s^2 - t^2 of each
    token matter.
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


_STEPS = np.linspace(0.0, 1.0, 401)  # nodes for half of the even integrand


def uniform_location(name: str, task: Task) -> Task:
    """Check an argument of ``compiled`` that must be a task with a uniform location."""
    if checks.task(task).p is not None:
        raise ValueError(
            f"{name}.p must be None here, a uniform location, got {checks.shown(task.p)}"
        )
    return task


def _log_pair(task):
    """Compute log K, with K = E[(t_1 - t_2)^2 / (2 cosh)] as in eq-pair-integral, B^2 included."""
    d, gg = jnp.asarray(task.d, float), jnp.square(jnp.asarray(task.gamma, float))
    d, gg = jnp.broadcast_arrays(d, gg)
    power = 2 * gg / (1 + gg)
    aa, bb = (2 * (gg - 1) / (1 + gg)) ** 2, 4 * gg * d / (1 + gg) ** 3
    # xi = width sinh(u) resolves both the peak near zero and the slowly decaying tail; in u the
    # trapezoidal rule is exact to rounding.
    width = 1 / jnp.sqrt(1 + d / 2 * aa + bb)
    reach = jnp.arcsinh(14 / width)
    u = new_axis(reach) * jnp.asarray(_STEPS.reshape((1,) * d.ndim + (-1,)), dtype=d.dtype)
    xi = new_axis(width) * jnp.sinh(u)
    wide = 1 + new_axis(aa) * xi**2
    log_bell = -new_axis(bb) * xi**2 / wide - (1 + new_axis(d) / 2) * jnp.log(wide)
    log_sech = math.log(2) - math.pi * xi - jnp.log1p(jnp.exp(-2 * math.pi * xi))
    values = jnp.exp(log_bell + log_sech) * new_axis(width) * jnp.cosh(u)
    whole = 2 * jnp.sum(values, axis=-1) - values[..., 0]
    return log_overlap(task) + jnp.log(power * whole * reach / (len(_STEPS) - 1))


@checks.compiled(task=uniform_location)
def bayes_log_ceiling(task: Task) -> jax.Array:
    """Compute the logarithm of an upper bound of the Bayes excess risk, exact for L = 2.

    The bound is (L - 1) K / 2, with K / 2 the excess risk of the Bayes predictor for two tokens.

    Parameters
    ----------
    task : Task
        The task (d, L, gamma) with a uniform location; its numbers may be arrays that broadcast.

    Returns
    -------
    jax.Array
        The natural logarithm of the bound, of the broadcast shape.

    Examples
    --------
    >>> print(f"{bayes_log_ceiling(Task(d=400, L=10)):.2f}")
    -91.45

    Book: {eq}`eq-pair-integral` (not in the paper).
    """
    return jnp.log((task.L - 1) / 2) + _log_pair(task)


def _several_locations(name, task):
    return checks.several_tokens(name, uniform_location(name, task))


@checks.compiled(task=_several_locations)
def bayes_log_gap(task: Task) -> jax.Array:
    """Compute log delta: the Bayes excess risk is at least 1 - delta times its upper bound.

    The upper bound is exp(``bayes_log_ceiling``).

    Parameters
    ----------
    task : Task
        The task (d, L, gamma) with L >= 2 and a uniform location; its numbers may be arrays that
        broadcast.

    Returns
    -------
    jax.Array
        The natural logarithm of delta, of the broadcast shape; minus infinity for L = 2.

    Examples
    --------
    >>> print(f"{bayes_log_gap(Task(d=400, L=10)):.2f}")
    -39.46

    Book: {eq}`eq-bayes-gap` (not in the paper).
    """
    d, gg = jnp.asarray(task.d, float), jnp.square(jnp.asarray(task.gamma, float))
    power = 3 * gg / (1 + 2 * gg)
    mixed = (1 + 2 * gg) / 3  # s + (1 - s) gamma^2 at s = 1/3
    triple = -d * (jnp.log(gg) / 6 + 0.5 * jnp.log(mixed / gg)) - d / 18 / mixed
    rivals = jnp.log((task.L - 2) * power) - math.log(2) / 3
    return jnp.where(task.L > 2, rivals + 3 * triple - _log_pair(task), -jnp.inf)


NUMBERS_AT_ONCE = 2**24  # of the tokens of one chunk, so that memory stays small


class Estimate(NamedTuple):
    """A mean over samples and its standard error.

    Parameters
    ----------
    mean : float
        The estimate.
    error : float
        Its standard error.
    """

    mean: float | Any
    error: float | Any


def monte_carlo_risk(
    predict: Callable[[jax.Array], jax.Array],
    task: Task,
    teacher: Teacher,
    n: int,
    *,
    key: jax.Array,
) -> Estimate:
    """Estimate the risk E[(Y - predict(X))^2] of any predictor from ``n`` new sequences.

    This is the risk itself; ``excess_risk`` and similar functions subtract noise^2.

    Parameters
    ----------
    predict : callable
        Takes tokens X of shape (m, L, d) and returns m predictions; m is chosen to limit memory.
    task : Task
        The task; d and L cannot be traced.
    teacher : Teacher
        One teacher (k*, v*), of shapes (d,).
    n : int
        Number of sequences, >= 2.
    key : jax.Array
        Random key.

    Returns
    -------
    Estimate
        The mean and its standard error, two floats. The risk is within two standard errors of the
        mean with a probability of about 95%.

    Examples
    --------
    >>> task, teacher = Task(d=2, L=3), Teacher([1.0, 0.0], [0.0, 1.0])
    >>> key = jax.random.key(0)
    >>> null = monte_carlo_risk(lambda X: np.zeros(len(X)), task, teacher, 1000, key=key)
    >>> bool(abs(null.mean - 0.51) < 5 * null.error)
    True

    Book: {eq}`eq-slr` (section 2 of the paper).
    """
    k_star, v_star = checks.teacher(teacher, axes=("d",))
    if not callable(predict):
        raise ValueError(f"predict must be a function of X, got {checks.shown(predict)}")
    n, L, d = sizes(task, checks.count("n", n, at_least=2), k_star.shape[-1])
    m = min(n, max(1, NUMBERS_AT_ONCE // (L * d)))
    key, losses = checks.random_key(key), list[np.ndarray]()
    for number, first in enumerate(range(0, n, m)):
        one = jax.random.fold_in(key, number)
        X, y, _ = draw(task, k_star[None, :], v_star[None, :], one, (m, L, d), False)
        predicted = predict(X)
        if np.shape(predicted) != (m,):
            raise ValueError(
                f"predict must take X of shape {X.shape} and give {m} numbers, "
                f"got shape {np.shape(predicted)}"
            )
        loss = np.square(np.asarray(y, np.float64) - np.asarray(predicted, np.float64))
        if not np.all(np.isfinite(loss)):
            got = checks.shown(predicted[int(np.argmin(np.isfinite(loss)))])
            raise ValueError(f"predict must return finite numbers, got {got}")
        losses.append(loss[: n - first])
    loss = np.concatenate(losses)
    return Estimate(float(np.mean(loss)), float(np.std(loss, ddof=1) / np.sqrt(n)))

"""Reference predictors with an exact risk: erf attention at (k*, v*), linear, null, argmax."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.special import erf, erfc, legendre, new_axis, rule, variance_erf, zeta_zero
from slrlib.task import Task

_NODES, _WEIGHTS = legendre(128)


@checks.compiled(lam=checks.nonnegative, scale=checks.finite)
def oracle_excess_risk(lam: ArrayLike, task: Task, scale: ArrayLike = 1.0) -> jax.Array:
    """Compute the excess risk of erf attention at k = k*, v = v*, times a factor of the output.

    The predictor is scale sum_l erf(lam X_l.k*) X_l.v*. The risk is accurate for every
    ``scale``, because gamma^2 E[(1 - scale erf)^2] is computed as a squared mean plus a
    variance.

    Parameters
    ----------
    lam : array_like
        Inverse temperature lambda >= 0.
    task : Task
        The task (d, L, gamma).
    scale : array_like
        Factor of the output, 1 in the paper.

    Returns
    -------
    jax.Array
        The excess risk R - noise^2, of the broadcast shape.

    Examples
    --------
    >>> print(f"{oracle_excess_risk(0.1, Task(d=400, L=10)):.4f}")
    0.1135

    Book: {eq}`eq-risk-oracle` (Theorem 1 of the paper), {eq}`eq-scale` for the scale.
    """
    g = lam * task.gamma
    signal = lam * jnp.sqrt(task.d / 2)
    x = signal / jnp.sqrt(1 + 2 * g**2)
    # 1 - scale * erf(x), without cancellation where the scale, or where erf(x), is near 1.
    bias = jnp.where(x < 0.5, 1 - scale * erf(x), (1 - scale) + scale * erfc(x))
    missed = bias**2 + scale**2 * variance_erf(signal, g)
    return jnp.square(task.gamma) * missed + (task.L - 1) * scale**2 * zeta_zero(lam)


@checks.compiled()
def linear_excess_risk(task: Task) -> jax.Array:
    """Compute the excess risk of the best linear predictor.

    Parameters
    ----------
    task : Task
        The task (L, gamma, p), with any distribution p of the location.

    Returns
    -------
    jax.Array
        The excess risk R - noise^2.

    Examples
    --------
    >>> print(f"{linear_excess_risk(Task(d=400, L=10)):.4f}")
    0.4737

    Book: {eq}`eq-risk-linear` (Proposition 3 of the paper).
    """
    gg, p = jnp.square(task.gamma), task.p
    if p is None:
        return gg * (task.L - 1) / (task.L - 1 + gg)
    return gg * jnp.sum(p * (1 - p) / (1 - p + p * new_axis(gg)), axis=-1)


@checks.compiled(lam=checks.nonnegative)
def linear_attention_excess_risk(lam: ArrayLike, task: Task) -> jax.Array:
    """Compute the excess risk of linear attention at (k*, v*), lam sum_l (X_l.k*) (X_l.v*).

    Parameters
    ----------
    lam : array_like
        Inverse temperature lambda >= 0.
    task : Task
        The task (d, L, gamma).

    Returns
    -------
    jax.Array
        The excess risk R - noise^2, of the broadcast shape.

    Examples
    --------
    >>> print(f"{linear_attention_excess_risk(0.05, Task(d=400, L=10)):.4f}")
    0.0660

    Book: {eq}`eq-risk-linear-attention`.
    """
    bias = lam * jnp.sqrt(task.d / 2) - 1
    gg = jnp.square(task.gamma)
    return gg * (bias**2 + lam**2 * gg) + (task.L - 1) * lam**2


class Best(NamedTuple):
    """Hold the inverse temperature at which a predictor has its least excess risk, and that risk.

    Parameters
    ----------
    lam : jax.Array
        Inverse temperature lambda.
    excess_risk : jax.Array
        The excess risk R - noise^2 there.
    """

    lam: jax.Array | Any  # may be a float
    excess_risk: jax.Array | Any


@checks.compiled()
def best_linear_attention(task: Task) -> Best:
    """Compute the best inverse temperature of linear attention at (k*, v*), and its excess risk.

    Parameters
    ----------
    task : Task
        The task (d, L, gamma); its numbers may be arrays that broadcast.

    Returns
    -------
    Best
        ``lam`` and ``excess_risk``, of the broadcast shape.

    Examples
    --------
    >>> print(f"{best_linear_attention(Task(d=400, L=10)).excess_risk:.4f}")
    0.0423

    Book: {eq}`eq-linear-attention-best` (not in the paper).
    """
    gg = jnp.square(task.gamma)
    power, noise = gg * task.d / 2, gg**2 + (task.L - 1)
    return Best(gg * jnp.sqrt(task.d / 2) / (power + noise), gg * noise / (power + noise))


@checks.compiled()
def null_excess_risk(task: Task) -> jax.Array:
    """Compute the excess risk of the predictor 0, which is gamma^2, the variance of the target.

    Parameters
    ----------
    task : Task
        The task (d, L, gamma); its numbers may be arrays that broadcast.

    Returns
    -------
    jax.Array
        The excess risk R - noise^2, of the broadcast shape.

    Examples
    --------
    >>> print(f"{null_excess_risk(Task(d=400, L=10)):.4f}")
    0.5000

    Book: {eq}`eq-risk-null`.
    """
    return jnp.square(task.gamma)


def _miss(s, others):
    """Compute the probability that one of ``others`` standard normal variables exceeds s."""
    s = jnp.maximum(s, -12.0)  # below it the chance is one, and the logarithm could overflow
    tail = erfc(jnp.abs(s) / math.sqrt(2)) / 2
    # The argument of the branch not taken is made harmless, for the sake of the derivative.
    log_below = jnp.where(s < 0, jnp.log(jnp.where(s < 0, tail, 1.0)), jnp.log1p(-tail))
    return -jnp.expm1(others * log_below)


def _where_misses_matter(gamma, r, L):
    """Compute limits in m = r + gamma x: below them a miss is certain, above them it has no weight.

    A likely miss has m near r / (1 + gamma^2), with a spread of at most min(1, gamma). The largest
    of many scores exceeds with certainty the m with m^2 / 2 = log(L) - 8; that of a few exceeds -9.
    """
    many = jnp.sqrt(2 * jnp.maximum(jnp.log(L) - 8, 0.0))
    certain = jnp.where(L < 60, -9.0, many)
    likely, reach = r / (1 + jnp.square(gamma)), 9 * jnp.minimum(gamma, 1.0)
    low = jnp.maximum(likely - reach, certain)
    return jax.lax.stop_gradient((low, jnp.maximum(likely, certain) + reach))


@checks.compiled()
def argmax_excess_risk(task: Task) -> jax.Array:
    """Compute the excess risk of argmax attention at (k*, v*): X_J.v* with J the argmax of X_l.k*.

    An error costs 1 + gamma^2. The error probability is the expectation, over a normal x, of the
    probability that one of the L - 1 other scores exceeds sqrt(d/2) + gamma x. The quadrature has
    128 nodes and is exact to 1e-12 for L up to 1e9.

    Parameters
    ----------
    task : Task
        The task (d, L, gamma); its numbers may be arrays that broadcast.

    Returns
    -------
    jax.Array
        The excess risk R - noise^2, of the broadcast shape.

    Examples
    --------
    >>> print(f"{argmax_excess_risk(Task(d=20, L=6)):.4f}")
    0.0339

    Book: {eq}`eq-risk-argmax`.
    """
    gamma, d, L = jnp.broadcast_arrays(task.gamma, task.d, task.L)
    r, others = jnp.sqrt(d / 2), L - 1
    low, high = ((m - r) / gamma for m in _where_misses_matter(gamma, r, L))
    below = _miss(r + gamma * low, others) * erfc(-low / math.sqrt(2)) / 2

    def density(x):
        miss = _miss(new_axis(r) + new_axis(gamma) * x, new_axis(others))
        return miss * jnp.exp(-(x**2) / 2) / math.sqrt(2 * math.pi)

    nodes, weights = rule(_NODES, _WEIGHTS, low)
    x = new_axis(low) + new_axis(high - low) * nodes
    return (1 + jnp.square(gamma)) * (below + (high - low) * jnp.sum(weights * density(x), axis=-1))

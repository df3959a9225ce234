"""The excess risk of softmax attention with (k*, v*), exactly, as one integral of one integral.

A power of the denominator of softmax is an integral of exponentials, 1/S^2 = int t exp(-t S) dt,
and the tokens are independent. With t = exp(u) and z = exp(u + lam G), only means of z^j exp(-z)
remain. Every term is positive, and on such bells the trapezoidal rule is exact to rounding.
"""

from __future__ import annotations

import math
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.task import Task

_REACH = 10.0  # standard deviations; beyond them nothing is seen
STEEPEST = 15.0  # the most that lam and lam gamma may be: the nodes see nothing steeper


def _bell(count, dtype):
    """Nodes of a standard normal number, and their weights: the trapezoidal rule."""
    nodes = np.linspace(-_REACH, _REACH, count)
    spacing, nodes = nodes[1] - nodes[0], jnp.asarray(nodes, dtype=dtype)
    return nodes, float(spacing / math.sqrt(2 * math.pi)) * jnp.exp(-(nodes**2) / 2)


@jax.jit
def softmax_range(lam: ArrayLike, task: Task) -> tuple[jax.Array, jax.Array]:
    """The ends of the interval of u outside which the integrand has no weight.

    Book: {eq}`eq-softmax-laplace` (not in the paper).
    """
    signal, spread = jnp.multiply(lam, jnp.sqrt(task.d / 2)), _REACH * lam * task.gamma
    return -signal - spread - 20, jnp.minimum(_REACH * lam, spread - signal) + 5


@partial(jax.jit, static_argnames=("own", "others"))
def softmax_integrand(
    u: ArrayLike, lam: ArrayLike, task: Task, own: int = 512, others: int = 512
) -> jax.Array:
    """What is integrated over u; ``own`` and ``others`` are the numbers of nodes of the two means.

    Book: {eq}`eq-softmax-laplace` (not in the paper).
    """
    power, rivals = task.gamma**2, task.L - 1.0
    u, lam = jnp.asarray(u, float), jnp.asarray(lam, float)
    (g, weight), (h, mass) = _bell(own, u.dtype), _bell(others, u.dtype)
    score = lam * (jnp.sqrt(task.d / 2.0) + task.gamma * g)
    kept = jnp.sum(weight * jnp.exp(-jnp.exp(jnp.minimum(u + score, 30.0))))
    z = jnp.exp(jnp.minimum(u + lam * h, 30.0))
    fallen = mass * jnp.exp(-z)
    m0, m1, m2 = jnp.sum(fallen), jnp.sum(z * fallen), jnp.sum(z * z * fallen)
    missing = -jnp.sum(mass * jnp.expm1(-z))  # 1 - m0: its digits count where L is large
    log_m0 = jnp.log(jnp.maximum(m0, 1e-37))
    log_m0 = jnp.where(missing < 0.5, jnp.log1p(-jnp.minimum(missing, 0.5)), log_m0)
    others_alone, pairs = (jnp.maximum(rivals - n, 0.0) for n in (1.0, 2.0))
    alone = (1.0 + power) * m2 * jnp.exp(others_alone * log_m0)
    return kept * rivals * (alone + power * others_alone * m1**2 * jnp.exp(pairs * log_m0))


def _softmax(lam, task):
    low, high = softmax_range(lam, task)
    places = jnp.asarray(np.linspace(0.0, 1.0, 257), dtype=lam.dtype)
    values = jax.lax.map(lambda s: softmax_integrand(low + s * (high - low), lam, task), places)
    return (high - low) / 256 * jnp.sum(values)


@checks.in_double
def exact_softmax_excess_risk(lam: ArrayLike, task: Task) -> jax.Array:
    """The excess risk of softmax attention with (k*, v*), of the shape of ``lam``.

    The relative error is below 1e-6, in double precision whatever is set, where lam and lam gamma
    are at most 15. Above, the fixed nodes miss the steps of the integrand: concrete numbers are
    refused, traced ones give nan. The limit for large lam is ``argmax_excess_risk``.

    Book: {eq}`eq-risk-softmax` and {eq}`eq-softmax-laplace` (not in the paper; softmax reaching the
    Bayes risk is known since Duranthon and others, 2025).
    """
    lam, task = checks.nonnegative("lam", lam), checks.task(task)
    for name, x in (("task.d", task.d), ("task.L", task.L), ("task.gamma", task.gamma)):
        checks.one(name, x)
    if not checks.is_traced(lam) and not checks.is_traced(task.gamma):
        steepest = np.max(np.asarray(lam)) * max(1.0, float(task.gamma))
        if steepest > STEEPEST:
            raise ValueError(
                f"lam and lam gamma must be at most {STEEPEST:.0f} here, got {steepest:.6g}; "
                "the limit for large lam is argmax_excess_risk"
            )
    return _for_each(jnp.asarray(lam, float), task)


@jax.jit
def _for_each(lam, task):
    flat = jax.lax.map(lambda one: _softmax(one, task), lam.ravel())
    seen = lam * jnp.maximum(task.gamma, 1.0) <= STEEPEST
    return jnp.where(seen, jnp.reshape(flat, lam.shape), jnp.nan)

"""The excess risk of softmax attention with (k*, v*), exactly, as one integral of one integral.

A power of the denominator of softmax is an integral of exponentials, 1/S^2 = int t exp(-t S) dt,
and the tokens are independent. With t = exp(u) and z = exp(u + lam G), only means of z^j exp(-z)
remain. Every term is positive, and on such bells the trapezoidal rule is exact to rounding.
"""

import math
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.task import Task

_REACH = 10.0  # standard deviations; beyond them nothing is seen


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
    m0 = jnp.maximum(m0, 1e-37)
    alone = (1.0 + power) * m2 * m0 + power * (rivals - 1.0) * m1**2
    return kept * rivals * alone * m0 ** (rivals - 2.0)


def _softmax(lam, task):
    low, high = softmax_range(lam, task)
    places = jnp.asarray(np.linspace(0.0, 1.0, 257), dtype=lam.dtype)
    values = jax.lax.map(lambda s: softmax_integrand(low + s * (high - low), lam, task), places)
    return (high - low) / 256 * jnp.sum(values)


@checks.compiled(lam=checks.nonnegative)
def exact_softmax_excess_risk(lam: ArrayLike, task: Task) -> jax.Array:
    """The excess risk of softmax attention with (k*, v*), for any ``lam`` up to about 15.

    Book: {eq}`eq-softmax-laplace` (not in the paper; softmax reaching the Bayes risk is known since
    Duranthon and others, 2025).
    """
    lam = jnp.asarray(lam, float)
    flat = jax.lax.map(lambda one: _softmax(one, task), lam.ravel())
    return jnp.reshape(flat, lam.shape)

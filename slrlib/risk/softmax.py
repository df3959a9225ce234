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
from slrlib.special import erfc
from slrlib.task import Task

_REACH = 10.0  # standard deviations; beyond them nothing is seen
FLAT = 1.0  # lam and lam gamma up to which nodes in the scores resolve the integrand


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


def _flat(lam, task):
    """The risk where exp(lam G) is resolved by nodes in G: lam and lam gamma at most ``FLAT``."""
    low, high = softmax_range(lam, task)
    low = low - jnp.log(task.L)  # the sum of L equal scores
    places = jnp.asarray(np.linspace(0.0, 1.0, 321), dtype=lam.dtype)
    values = jax.lax.map(lambda s: softmax_integrand(low + s * (high - low), lam, task), places)
    return (high - low) / 320 * jnp.sum(values)


def _steep_range(lam, task):
    """The ends of the interval of u for steep scores, without the part of no weight.

    In an error the own score is near r / (1 + gamma^2), and the best other one above it or near
    sqrt(2 log L). While lam is small compared with r, the risk comes instead from small weights of
    the others, at an own score near r - 2 lam gamma^2.
    """
    r, gamma, gg = jnp.sqrt(task.d / 2), task.gamma, jnp.square(task.gamma)
    likely, soft = r / (1 + gg), r - 2 * lam * gg
    reach = _REACH * jnp.minimum(gamma, 1.0)
    least = jnp.maximum(jnp.minimum(_REACH, _REACH * gamma - r), reach - likely)
    others = jnp.sqrt(jnp.maximum(jnp.square(likely), 2 * jnp.log(task.L)) + _REACH**2)
    most = jnp.maximum(others, likely + reach)
    most = jnp.maximum(most, jnp.where(soft > likely, soft + _REACH * gamma, 0.0))
    return -lam * most - 45 - jnp.log(task.L), lam * least + 5


def _steep(lam, task):
    """The risk where a score is steep: the means are integrals over x = log z instead.

    exp(-z) is the chance that a Gumbel number exceeds x, so E[exp(-z)] = E[Phi((x - u) / lam)] for
    a Gumbel x. The nodes in x do not depend on lam.
    """
    low, high = _steep_range(lam, task)
    x = jnp.asarray(np.linspace(-65.0, 5.0, 281), dtype=lam.dtype)
    gumbel = 0.25 * jnp.exp(x - jnp.exp(x))
    (g, weight), others = _bell(512, lam.dtype), task.L - 1
    r, gg, spread = jnp.sqrt(task.d / 2), jnp.square(task.gamma), lam * task.gamma

    def below(centre, width):
        """The mean of exp(-z), and 1 minus it, for a normal log z of this mean and deviation."""
        y = (x - centre) / jnp.maximum(width, 0.5) / math.sqrt(2)
        z = jnp.exp(jnp.minimum(centre + jnp.minimum(width, 0.5) * g, 30.0))
        by_x = jnp.sum(gumbel * erfc(-y)) / 2, jnp.sum(gumbel * erfc(y)) / 2
        by_g = jnp.sum(weight * jnp.exp(-z)), -jnp.sum(weight * jnp.expm1(-z))
        return (jnp.where(width > 0.5, *pair) for pair in zip(by_x, by_g, strict=True))

    def means(u):
        """E[z exp(-z)] and E[z^2 exp(-z)] for log z = u + lam G."""
        density = jnp.exp(-jnp.square((x - u) / lam) / 2) / lam / math.sqrt(2 * math.pi)
        z = jnp.exp(jnp.minimum(u + jnp.minimum(lam, 0.5) * g, 30.0))
        by_x = jnp.sum(gumbel * density), jnp.sum(gumbel * jnp.exp(x) * density)
        by_g = jnp.sum(weight * z * jnp.exp(-z)), jnp.sum(weight * z * z * jnp.exp(-z))
        return (jnp.where(lam > 0.5, *pair) for pair in zip(by_x, by_g, strict=True))

    def integrand(place):
        u = low + place * (high - low)
        kept, _ = below(u + lam * r, spread)
        (m0, missing), (m1, m2) = below(u, lam), means(u)
        log_m0 = jnp.log(jnp.maximum(m0, 1e-300))
        log_m0 = jnp.where(missing < 0.5, jnp.log1p(-jnp.minimum(missing, 0.5)), log_m0)
        powers = (jnp.exp(jnp.maximum(others - n, 0.0) * log_m0) for n in (1, 2))
        alone, pairs = powers
        two = gg * jnp.maximum(others - 1, 0.0) * m1**2 * pairs
        return kept * others * ((1 + gg) * m2 * alone + two)

    places = jnp.asarray(np.linspace(0.0, 1.0, 1025), dtype=lam.dtype)
    return (high - low) / 1024 * jnp.sum(jax.lax.map(integrand, places))


@checks.in_double
def exact_softmax_excess_risk(lam: ArrayLike, task: Task) -> jax.Array:
    """Compute the excess risk of softmax attention with (k*, v*), to a relative error of 1e-6.

    Computed in double precision whatever is set; a risk below 1e-300 may be given as zero. As lam
    grows, the risk tends to ``argmax_excess_risk``. Inside ``jit`` no value is checked.

    Parameters
    ----------
    lam : array_like
        Inverse temperature lambda >= 0, of any shape.
    task : Task
        One task (d, L, gamma), whose numbers are scalars.

    Returns
    -------
    jax.Array
        The excess risk, of the shape of ``lam``.

    Examples
    --------
    >>> print(f"{exact_softmax_excess_risk(20.0, Task(d=20, L=6)):.4f}")
    0.0305

    Book: {eq}`eq-risk-softmax` and {eq}`eq-softmax-laplace` (not in the paper; softmax reaching the
    Bayes risk is known since Duranthon and others, 2025).
    """
    lam, task = checks.nonnegative("lam", lam), checks.task(task)
    for name, x in (("task.d", task.d), ("task.L", task.L), ("task.gamma", task.gamma)):
        checks.one(name, x)
    return _for_each(jnp.asarray(lam, float), task)


@jax.jit
def _for_each(lam, task):
    def risk(one):
        return jax.lax.cond(one * jnp.maximum(task.gamma, 1.0) > FLAT, _steep, _flat, one, task)

    return jnp.reshape(jax.lax.map(risk, lam.ravel()), lam.shape)

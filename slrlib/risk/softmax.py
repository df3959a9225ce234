"""The exact excess risk of softmax attention at (k*, v*), as a double integral.

Let S be the denominator of softmax. Its power is an integral of exponentials,
1/S^2 = int t exp(-t S) dt, and the tokens are independent. With t = exp(u) and
z = exp(u + lam G), only expectations of z^j exp(-z) remain. Every term is positive and bell-shaped
in u, so the trapezoidal rule is exact to rounding.
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

_REACH = 10.0  # standard deviations; the mass beyond them is negligible
FLAT = 1.0  # lam and lam gamma up to which nodes in the scores resolve the integrand


def _bell(count, dtype):
    """Compute nodes of a standard normal variable and their weights in the trapezoidal rule."""
    nodes = np.linspace(-_REACH, _REACH, count)
    spacing, nodes = nodes[1] - nodes[0], jnp.asarray(nodes, dtype=dtype)
    return nodes, float(spacing / math.sqrt(2 * math.pi)) * jnp.exp(-(nodes**2) / 2)


@jax.jit
def softmax_range(lam: ArrayLike, task: Task) -> tuple[jax.Array, jax.Array]:
    """Compute the ends of the interval of u outside which the integrand is negligible.

    Book: {eq}`eq-softmax-laplace` (not in the paper).
    """
    signal, spread = jnp.multiply(lam, jnp.sqrt(task.d / 2)), _REACH * lam * task.gamma
    return -signal - spread - 20, jnp.minimum(_REACH * lam, spread - signal) + 5


@partial(jax.jit, static_argnames=("own", "others"))
def softmax_integrand(
    u: ArrayLike, lam: ArrayLike, task: Task, own: int = 512, others: int = 512
) -> jax.Array:
    """Compute the integrand in u; ``own`` and ``others`` are the nodes of its two expectations.

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
    """Compute the risk where lam and lam gamma are at most ``FLAT``, with nodes in the scores G."""
    low, high = softmax_range(lam, task)
    low = low - jnp.log(task.L)  # the sum of L equal scores
    places = jnp.asarray(np.linspace(0.0, 1.0, 321), dtype=lam.dtype)
    values = jax.lax.map(lambda s: softmax_integrand(low + s * (high - low), lam, task), places)
    return (high - low) / 320 * jnp.sum(values)


def _steep_range(lam, task):
    """Compute the interval of u that matters for steep scores.

    In an error the informative score is near r / (1 + gamma^2), and the best other score is above
    it or near sqrt(2 log L). While lam is small compared with r, the risk comes instead from small
    weights of the other tokens, at an informative score near r - 2 lam gamma^2.
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
    """Compute the risk for large lam, with expectations as integrals over x = log z.

    exp(-z) is the probability that a Gumbel variable exceeds log z, so that
    E[exp(-z)] = E[Phi((x - u) / lam)] for a Gumbel x. The nodes in x do not depend on lam.
    """
    low, high = _steep_range(lam, task)
    x = jnp.asarray(np.linspace(-65.0, 5.0, 281), dtype=lam.dtype)
    gumbel = 0.25 * jnp.exp(x - jnp.exp(x))
    (g, weight), others = _bell(512, lam.dtype), task.L - 1
    r, gg, spread = jnp.sqrt(task.d / 2), jnp.square(task.gamma), lam * task.gamma

    def below(centre, width):
        """Compute E[exp(-z)] and 1 minus it, for a normal log z of this mean and deviation."""
        y = (x - centre) / jnp.maximum(width, 0.5) / math.sqrt(2)
        z = jnp.exp(jnp.minimum(centre + jnp.minimum(width, 0.5) * g, 30.0))
        by_x = jnp.sum(gumbel * erfc(-y)) / 2, jnp.sum(gumbel * erfc(y)) / 2
        by_g = jnp.sum(weight * jnp.exp(-z)), -jnp.sum(weight * jnp.expm1(-z))
        return (jnp.where(width > 0.5, *pair) for pair in zip(by_x, by_g, strict=True))

    def means(u):
        """Compute E[z exp(-z)] and E[z^2 exp(-z)] for log z = u + lam G."""
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

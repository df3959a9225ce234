"""The exact excess risk for any elementwise weights, and for softmax.

The weight of a token is sigma(lam X k - bias). Given its score, the rest of a token is Gaussian
and enters linearly or squared. So the risk needs only six moments of sigma at the informative
score and three at the score of another token, and no derivative of sigma. Each moment is an
expectation over one normal variable, computed by the trapezoidal rule: exact to rounding for smooth
sigma, with an error of the order of the squared spacing where sigma has a kink, and of the spacing
where it jumps.

Let S be the denominator of softmax. Its power is an integral of exponentials,
1/S^2 = int t exp(-t S) dt, and the tokens are independent. With t = exp(u) and
z = exp(u + lam G), only expectations of z^j exp(-z) remain. Every term is positive and bell-shaped
in u, so the trapezoidal rule is exact to rounding.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.overlaps import Overlaps, possible
from slrlib.special import bell, erfc, new_axis, rule
from slrlib.task import Task

__all__ = ["activation_excess_risk", "exact_softmax_excess_risk"]

_REACH = 9.0  # standard deviations; the mass beyond them is negligible
_FEWEST = 19  # nodes: one per standard deviation
_TOLERANCE = 1e-6  # the largest estimated error, relative to gamma^2 + risk
_ROUNDING = 1e3  # times eps: below it, the estimated error may be rounding


def _weights(activation, scores):
    """Compute the activation at the scores, and test that it acts elementwise.

    The test is that a few scores get the same weights without the others.
    """
    few = slice(scores.shape[-1] // 3, scores.shape[-1] // 3 + 5)
    try:
        weights, alone = activation(scores), activation(scores[..., few])
    except (TypeError, ValueError) as error:
        raise ValueError(
            "activation must take traced scores (jnp.maximum in place of max, jnp.tanh of "
            f"math.tanh, jnp.where of if), got {checks.shown(activation)}"
        ) from error
    if jnp.shape(weights) != scores.shape or jnp.shape(alone) != scores[..., few].shape:
        raise ValueError(
            f"activation must give each score a weight, got shape {jnp.shape(weights)} from "
            f"{scores.shape}"
        )
    return weights, jnp.all(jnp.abs(alone - weights[..., few]) <= 1e-4 * (1 + jnp.abs(alone)))


def _moments(weight, nodes, mass):
    """Return E[weight G^j] for j = 0, 1, 2; the nodes of G lie on the last axis."""
    return [weight @ (mass * nodes**j) for j in range(3)]


def activation_excess_risk(
    activation: Callable[[jax.Array], jax.Array],
    o: Overlaps,
    lam: ArrayLike,
    task: Task,
    bias: ArrayLike = 0.0,
    points: int = 721,
) -> jax.Array:
    """Compute the excess risk R - noise^2 of attention with any ``activation``, by quadrature.

    The predictor is sum_l activation(lam X_l k - bias) X_l v. For concrete numbers the error is
    estimated by comparison with the rule that uses every other node, and a result that has not
    converged raises an error. Values are not checked inside ``jit`` and ``grad``.

    Parameters
    ----------
    activation : callable
        The function sigma, traceable and elementwise (softmax raises an error, because one score
        changes the weights of others). It is a static argument of ``jit``: pass a module-level
        function, because each new function object requires a new compilation.
    o : Overlaps
        The overlaps (kappa, nu, theta, eta, rho), of any batch shape.
    lam : array_like
        Inverse temperature lambda >= 0.
    task : Task
        The task (d, L, gamma).
    bias : array_like
        Subtracted from lam X_l k.
    points : int
        Number of nodes of the rule. A kink needs more nodes; for a jump use
        ``threshold_excess_risk``.

    Returns
    -------
    jax.Array
        The excess risk, of the broadcast shape.

    Raises
    ------
    ValueError
        If the estimated error relative to gamma^2 + risk exceeds 1e-6 (or 1000 rounding errors, if
        this is larger).

    Examples
    --------
    >>> from slrlib.overlaps import ORACLE
    >>> print(f"{activation_excess_risk(jnp.tanh, ORACLE, 0.3, Task(d=400, L=10)):.3f}")
    0.693

    Book: {eq}`eq-risk-activation` (not in the paper).
    """
    found, coarser = _excess_risk(activation, o, lam, task, bias, points)
    if checks.is_traced(found):
        return found
    if not np.all(np.isfinite(found)):
        raise ValueError(
            "activation must act elementwise (no softmax) with a finite E[sigma^2], got "
            f"{checks.shown(activation)}"
        )
    error = np.max(np.abs(found - coarser) / (np.square(task.gamma) + found))
    if error > max(_TOLERANCE, _ROUNDING * float(jnp.finfo(found.dtype).eps)):
        raise ValueError(
            "activation must be smooth on the scale of the nodes (increase points; for a jump use "
            f"threshold_excess_risk), got an error of {error:.1e} with points={points}"
        )
    return found


@checks.compiled(
    static=("activation", "points"),
    o=possible,
    lam=checks.nonnegative,
    bias=checks.finite,
    points=lambda name, points: checks.count(name, points, _FEWEST),
)
def _excess_risk(activation, o, lam, task, bias, points):
    kappa, nu, theta, eta, rho = (jnp.asarray(x, float) for x in o)
    r, gamma, others = jnp.sqrt(task.d / 2), jnp.asarray(task.gamma, float), task.L - 1
    gg, lam, bias = gamma**2, jnp.asarray(lam, float), jnp.asarray(bias, float)

    G, mass = bell(_REACH, points)

    def weights(mean, spread):
        """Compute the token weights for a score mean + spread G at the nodes."""
        middle, width = jnp.broadcast_arrays(lam * mean - bias, lam * spread)
        nodes, _ = rule(G, mass, middle)
        return _weights(activation, new_axis(middle) + new_axis(width) * nodes)

    (own, fine), (other, also) = weights(r * kappa, gamma), weights(0, 1)

    def risk(kept):
        """Compute the risk from the nodes that are ``kept``."""
        part = kept * mass / np.sum(kept * mass)
        M0, M1, M2 = _moments(own, G, part)
        Q0, Q1, Q2 = _moments(own**2, G, part)
        _, m1, _ = _moments(other, G, part)
        q0, _, q2 = _moments(other**2, G, part)
        along = gg * (nu - rho * eta) * M0 + gamma * r * theta * eta * M1 + gg * rho * eta * M2
        square = ((r * theta) ** 2 + gg * (1 - rho**2)) * Q0 + gg * rho**2 * Q2
        square = square + 2 * gamma * r * theta * rho * Q1
        noise = others * ((1 - rho**2) * q0 + rho**2 * q2 + (task.L - 2) * (rho * m1) ** 2)
        mixed = 2 * others * rho * m1 * (r * theta * M0 + gamma * rho * M1)
        return gg - 2 * along + square + noise + mixed

    every, every_other = np.ones(points), 1.0 - np.arange(points) % 2
    return jnp.where(fine & also, risk(every), jnp.nan), risk(every_other)


_SOFTMAX_REACH = 10.0  # standard deviations; the mass beyond them is negligible


@jax.jit
def softmax_range(lam: ArrayLike, task: Task) -> tuple[jax.Array, jax.Array]:
    """Compute the ends of the interval of u outside which the integrand is negligible.

    Book: {eq}`eq-softmax-laplace` (not in the paper).
    """
    signal, spread = jnp.multiply(lam, jnp.sqrt(task.d / 2)), _SOFTMAX_REACH * lam * task.gamma
    return -signal - spread - 20, jnp.minimum(_SOFTMAX_REACH * lam, spread - signal) + 5


@partial(jax.jit, static_argnames="nodes")
def softmax_integrand(u: ArrayLike, lam: ArrayLike, task: Task, nodes: int) -> jax.Array:
    """Compute the integrand in u, with ``nodes`` nodes for each of its two expectations.

    Book: {eq}`eq-softmax-laplace` (not in the paper).
    """
    power, rivals = task.gamma**2, task.L - 1.0
    u, lam = jnp.asarray(u, float), jnp.asarray(lam, float)
    g, mass = (jnp.asarray(x, u.dtype) for x in bell(_SOFTMAX_REACH, nodes))
    score = lam * (jnp.sqrt(task.d / 2.0) + task.gamma * g)
    kept = jnp.sum(mass * jnp.exp(-jnp.exp(jnp.minimum(u + score, 30.0))))
    z = jnp.exp(jnp.minimum(u + lam * g, 30.0))
    fallen = mass * jnp.exp(-z)
    m0, m1, m2 = jnp.sum(fallen), jnp.sum(z * fallen), jnp.sum(z * z * fallen)
    missing = -jnp.sum(mass * jnp.expm1(-z))  # 1 - m0, which must be accurate if L is large
    log_m0 = jnp.log(jnp.maximum(m0, 1e-37))
    log_m0 = jnp.where(missing < 0.5, jnp.log1p(-jnp.minimum(missing, 0.5)), log_m0)
    others_alone, pairs = (jnp.maximum(rivals - n, 0.0) for n in (1.0, 2.0))
    alone = (1.0 + power) * m2 * jnp.exp(others_alone * log_m0)
    return kept * rivals * (alone + power * others_alone * m1**2 * jnp.exp(pairs * log_m0))


def _u_range(lam, task):
    """Compute the interval of u that contributes to the risk.

    When the largest weight is wrong, the informative score is near r / (1 + gamma^2), and the best
    other score is above it or near sqrt(2 log L). If lam is small compared with r, the risk comes
    instead from small weights of the other tokens, at an informative score near r - 2 lam gamma^2.
    """
    r, gamma, gg = jnp.sqrt(task.d / 2), task.gamma, jnp.square(task.gamma)
    likely, soft = r / (1 + gg), r - 2 * lam * gg
    reach = _SOFTMAX_REACH * jnp.minimum(gamma, 1.0)
    least = jnp.maximum(jnp.minimum(_SOFTMAX_REACH, _SOFTMAX_REACH * gamma - r), reach - likely)
    others = jnp.sqrt(jnp.maximum(jnp.square(likely), 2 * jnp.log(task.L)) + _SOFTMAX_REACH**2)
    most = jnp.maximum(others, likely + reach)
    most = jnp.maximum(most, jnp.where(soft > likely, soft + _SOFTMAX_REACH * gamma, 0.0))
    return -lam * most - 45 - jnp.log(task.L), lam * least + 5


def _softmax_risk(lam, task):
    """Compute the risk; expectations over wide distributions are integrals over x = log z.

    exp(-z) is the probability that a Gumbel variable exceeds log z, so that
    E[exp(-z)] = E[Phi((x - u) / lam)] for a Gumbel x. The nodes in x do not depend on lam.
    """
    low, high = _u_range(lam, task)
    x = jnp.asarray(np.linspace(-65.0, 5.0, 281), dtype=lam.dtype)
    gumbel = 0.25 * jnp.exp(x - jnp.exp(x))
    (g, weight), others = bell(_SOFTMAX_REACH, 512), task.L - 1
    r, gg, spread = jnp.sqrt(task.d / 2), jnp.square(task.gamma), lam * task.gamma

    def below(center, width):
        """Compute E[exp(-z)] and 1 minus it, for a normal log z of this mean and deviation."""
        y = (x - center) / jnp.maximum(width, 0.5) / math.sqrt(2)
        z = jnp.exp(jnp.minimum(center + jnp.minimum(width, 0.5) * g, 30.0))
        by_x = jnp.sum(gumbel * erfc(-y)) / 2, jnp.sum(gumbel * erfc(y)) / 2
        by_g = jnp.sum(weight * jnp.exp(-z)), -jnp.sum(weight * jnp.expm1(-z))
        return (jnp.where(width > 0.5, *pair) for pair in zip(by_x, by_g, strict=True))

    def means(u):
        """Compute E[z exp(-z)] and E[z^2 exp(-z)] for log z = u + lam G."""
        width = jnp.maximum(lam, 0.5)
        density = jnp.exp(-jnp.square((x - u) / width) / 2) / width / math.sqrt(2 * math.pi)
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
        alone, pairs = (jnp.exp(jnp.maximum(others - n, 0.0) * log_m0) for n in (1, 2))
        two = gg * jnp.maximum(others - 1, 0.0) * m1**2 * pairs
        return kept * others * ((1 + gg) * m2 * alone + two)

    places = jnp.asarray(np.linspace(0.0, 1.0, 1025), dtype=lam.dtype)
    return (high - low) / 1024 * jnp.sum(jax.lax.map(integrand, places))


@checks.in_double
def exact_softmax_excess_risk(lam: ArrayLike, task: Task) -> jax.Array:
    """Compute the excess risk of softmax attention with (k*, v*), to a relative error of 1e-6.

    The computation uses double precision regardless of the JAX setting; a risk below 1e-300 may be
    returned as zero. As lam grows, the risk tends to ``argmax_excess_risk``. Values are not checked
    inside ``jit``.

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
    return jnp.reshape(jax.lax.map(lambda one: _softmax_risk(one, task), lam.ravel()), lam.shape)

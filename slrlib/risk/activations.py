"""The excess risk of attention with any activation, and any bias, in the five overlaps.

The weight of a token is sigma(lam X k - bias). Given its score, the rest of a token is Gaussian
and enters linearly or squared. So the risk needs only six moments of sigma at the informative
score and three at the score of another token, and no derivative of sigma. Each moment is an
expectation over one normal variable, computed by the trapezoidal rule: exact to rounding for smooth
sigma, with an error of the order of the squared spacing where sigma has a kink, and of the spacing
where it jumps. Between given breaks, the substitution tanh(pi/2 sinh t) restores the convergence
of smooth functions.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.overlaps import Overlaps, possible
from slrlib.special import new_axis
from slrlib.task import Task

_REACH = 9.0  # standard deviations; the mass beyond them is negligible
_FEWEST = 19  # nodes: one to a standard deviation
_ROUNDING = 1e3  # times eps: below it, the estimated error may be rounding


def _normal(points, cuts, like):
    """Compute nodes of a standard normal variable and their relative weights, on a last axis.

    ``cuts`` (..., K) divide the line into panels of ``points`` nodes each, with a double
    exponential rule on each; without cuts it is the trapezoidal rule.
    """
    if cuts is None:
        nodes = np.linspace(-_REACH, _REACH, points)
        weights = np.exp(-(nodes**2) / 2)
        flat = (1,) * like.ndim + (-1,)
        return [x.reshape(flat).astype(like.dtype) for x in (nodes, weights)]
    t = np.linspace(-3.2, 3.2, points)  # tanh is then 1 up to rounding
    inner = np.tanh(math.pi / 2 * np.sinh(t))
    jacobian = np.cosh(t) / np.cosh(math.pi / 2 * np.sinh(t)) ** 2
    inner, jacobian = (x.reshape((1,) * cuts.ndim + (-1,)) for x in (inner, jacobian))
    ends = jnp.full((*cuts.shape[:-1], 1), _REACH, like.dtype)
    ends = jnp.concatenate([-ends, jnp.clip(cuts, -_REACH, _REACH), ends], axis=-1)
    middle, half = (ends[..., 1:] + ends[..., :-1]) / 2, (ends[..., 1:] - ends[..., :-1]) / 2
    nodes = middle[..., None] + half[..., None] * inner
    weights = half[..., None] * jacobian * jnp.exp(-(nodes**2) / 2)
    return [x.reshape(*x.shape[:-2], -1).astype(like.dtype) for x in (nodes, weights)]


def _weights(activation, scores):
    """Compute the activation at the scores, and test that it acts on each score alone.

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


def _function(name, activation):
    if not callable(activation):
        raise ValueError(f"{name} must be a function of the scores, got {checks.shown(activation)}")
    return activation


def _moments(weight, nodes, mass, powers):
    """E[weight G^j] for j below ``powers``; the nodes of G lie on the last axis."""
    return [jnp.sum(weight * (mass * nodes**j), axis=-1) for j in range(powers)]


def activation_excess_risk(
    activation: Callable[[jax.Array], jax.Array],
    o: Overlaps,
    lam: ArrayLike,
    task: Task,
    bias: ArrayLike = 0.0,
    points: int = 721,
    *,
    breaks: tuple[float, ...] = (),
    tolerance: float = 1e-6,
) -> jax.Array:
    """Compute the excess risk R - noise^2 of attention with any ``activation``, by quadrature.

    The predictor is sum_l activation(lam X_l k - bias) X_l v. On concrete numbers the error is
    estimated from the rule with every other node left out, and a result that has not converged
    is refused. Inside ``jit`` and ``grad`` no value is checked.

    Parameters
    ----------
    activation : callable
        The function sigma, applied to each score by itself and traceable (softmax is refused: one
        score changes the weights of others). It is a static argument of ``jit``: pass a
        module-level function, because a new one is compiled anew.
    o : Overlaps
        The overlaps (kappa, nu, theta, eta, rho), of any batch shape.
    lam : array_like
        Inverse temperature lambda >= 0.
    task : Task
        The task (d, L, gamma).
    bias : array_like
        Subtracted from lam X_l k.
    points : int
        Nodes of the rule, of each panel if there are breaks.
    breaks : tuple of float
        Arguments of ``activation`` at which it jumps or has a kink, in increasing order.
    tolerance : float
        Largest estimated error, relative to gamma^2 + risk.

    Returns
    -------
    jax.Array
        The excess risk, of the broadcast shape.

    Raises
    ------
    ValueError
        If the estimated error exceeds ``tolerance`` (or 1000 rounding errors, if that is more).

    Examples
    --------
    >>> from slrlib.overlaps import ORACLE
    >>> print(f"{activation_excess_risk(jnp.tanh, ORACLE, 0.3, Task(d=400, L=10)):.3f}")
    0.693

    Book: {eq}`eq-risk-activation` (not in the paper).
    """
    if not isinstance(breaks, tuple | list) or list(breaks) != sorted(set(breaks)):
        raise ValueError(
            f"breaks must be a tuple of increasing numbers, got {checks.shown(breaks)}"
        )
    breaks = tuple(float(checks.finite("breaks", x)) for x in breaks)
    tolerance = checks.one_positive("tolerance", tolerance)
    found, coarser = _excess_risk(activation, o, lam, task, bias, points, breaks)
    if checks.is_traced(found):
        return found
    if not np.all(np.isfinite(found)):
        raise ValueError(
            "activation must act elementwise (no softmax) with a finite E[sigma^2], got "
            f"{checks.shown(activation)}"
        )
    error = np.max(np.abs(found - coarser) / (np.square(task.gamma) + found))
    if error > max(tolerance, _ROUNDING * float(jnp.finfo(found.dtype).eps)):
        raise ValueError(
            f"quadrature has not converged (estimated error {error:.1e} of gamma^2 + risk with "
            f"points={points}): increase points, or pass breaks where activation jumps or has a "
            "kink"
        )
    return found


@checks.compiled(
    static=("activation", "points", "breaks"),
    activation=_function,
    o=possible,
    lam=checks.nonnegative,
    bias=checks.finite,
    points=lambda name, points: checks.count(name, points, _FEWEST),
)
def _excess_risk(activation, o, lam, task, bias, points, breaks):
    kappa, nu, theta, eta, rho = (jnp.asarray(x, float) for x in o)
    r, gamma, others = jnp.sqrt(task.d / 2), jnp.asarray(task.gamma, float), task.L - 1
    gg, lam, bias = gamma**2, jnp.asarray(lam, float), jnp.asarray(bias, float)

    def weights(mean, spread):
        """Compute (nodes of G, their mass, token weights) for a score mean + spread G."""
        middle, width = jnp.broadcast_arrays(lam * mean - bias, lam * spread)
        cuts = None
        if breaks:
            at = jnp.asarray(breaks, middle.dtype).reshape((1,) * middle.ndim + (-1,))
            away = at - new_axis(middle)
            wide = jnp.broadcast_to(new_axis(width), away.shape)
            cuts = jnp.where(wide > 0, away / jnp.where(wide > 0, wide, 1.0), jnp.inf)
        nodes, mass = _normal(points, cuts, middle.astype(kappa.dtype))
        return nodes, mass, _weights(activation, new_axis(middle) + new_axis(width) * nodes)

    (G, mass_G, (own, fine)), (H, mass_H, (other, also)) = weights(r * kappa, gamma), weights(0, 1)

    def risk(kept):
        """Compute the risk from the nodes that are ``kept`` of each panel."""
        panels = len(breaks) + 1
        given = [np.tile(kept, (1,) * (x.ndim - 1) + (panels,)) * x for x in (mass_G, mass_H)]
        here, there = (x / x.sum(axis=-1, keepdims=True) for x in given)
        M0, M1, M2 = _moments(own, G, here, 3)
        Q0, Q1, Q2 = _moments(own**2, G, here, 3)
        _, m1 = _moments(other, H, there, 2)
        q0, _, q2 = _moments(other**2, H, there, 3)
        along = gg * (nu - rho * eta) * M0 + gamma * r * theta * eta * M1 + gg * rho * eta * M2
        square = ((r * theta) ** 2 + gg * (1 - rho**2)) * Q0 + gg * rho**2 * Q2
        square = square + 2 * gamma * r * theta * rho * Q1
        noise = others * ((1 - rho**2) * q0 + rho**2 * q2 + (task.L - 2) * (rho * m1) ** 2)
        mixed = 2 * others * rho * m1 * (r * theta * M0 + gamma * rho * M1)
        return gg - 2 * along + square + noise + mixed

    every, every_other = np.ones(points), 1.0 - np.arange(points) % 2
    return jnp.where(fine & also, risk(every), jnp.nan), risk(every_other)

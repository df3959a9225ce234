"""The excess risk of attention with any activation, and any bias, in the five overlaps.

The weight of a token is sigma(lam X k - bias). Given its score, what is left of a token is Gaussian
and enters linearly or squared; so only six moments of sigma at the informative score, and three at
the score of another token, remain. No derivative of sigma is needed. They are means over one normal
number, by the trapezoidal rule: exact to rounding for smooth sigma, and with an error that falls
like the square of the spacing where sigma has a kink. Where it jumps, the same rule on every other
node is off by at least as much again, and shows it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.overlaps import Overlaps
from slrlib.overlaps.five import possible
from slrlib.special.quadrature import new_axis
from slrlib.task import Task

_REACH = 9.0  # standard deviations; beyond them nothing is seen
_FEWEST = 19  # nodes: one to a standard deviation
_APART = 1e-3  # of gamma^2 and the risk: so far the rule on every other node may be off


def _normal(points):
    """Nodes of a standard normal number and their weights, of sum one."""
    nodes = np.linspace(-_REACH, _REACH, points)
    weights = np.exp(-(nodes**2) / 2)
    return nodes, weights / weights.sum()


def _weights(activation, scores):
    """(activation at the scores, whether those of a few scores are the same without the others)."""
    few = slice(scores.shape[-1] // 3, scores.shape[-1] // 3 + 5)
    try:
        weights, alone = activation(scores), activation(scores[..., few])
    except (TypeError, ValueError) as error:
        if not re.search("[Tt]racer|traced|truth value|Python scalars", str(error)):
            raise
        raise ValueError(
            "activation must take traced scores (jnp.maximum in place of max, jnp.tanh of "
            f"math.tanh, jnp.where of if), got {checks.shown(activation)}"
        ) from None
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


def _count_of_nodes(name, points):
    points = checks.count(name, points, _FEWEST)
    checks.room(8 * points, points=points)
    return points


def _moments(weight, nodes, mass, powers):
    """E[weight G^j] for j below ``powers``; the nodes of G lie on the last axis of ``weight``."""
    flat = (1,) * (weight.ndim - 1) + (-1,)
    return [jnp.sum(weight * (mass * nodes**j).reshape(flat), axis=-1) for j in range(powers)]


def activation_excess_risk(
    activation: Callable[[jax.Array], jax.Array],
    o: Overlaps,
    lam: ArrayLike,
    task: Task,
    bias: ArrayLike = 0.0,
    points: int = 721,
) -> jax.Array:
    """R - noise^2 of sum_l activation(lam X_l k - bias) X_l v at overlaps ``o``, any batch shape.

    ``activation`` maps each score to its weight, in an array of the same shape: softmax, where one
    score changes the weights of others, is refused, and so is what overflows. So is what ``points``
    nodes do not resolve, a jump or a steep rise: where the risk would change by a thousandth of
    gamma^2 and itself if every other node were left out (inside ``jit`` and ``grad``, nothing is
    refused). Its name stands for its program: hand over the same function, not one made anew. With
    erf and no bias it is ``excess_risk``.

    Book: {eq}`eq-risk-activation` (not in the paper).
    """
    found, coarser = _excess_risk(activation, o, lam, task, bias, points)
    if checks.is_traced(found):
        return found
    if not np.all(np.isfinite(found)):
        raise ValueError(
            "activation must weigh each score by itself, and with a finite mean square, got "
            f"{checks.shown(activation)}"
        )
    apart = np.abs(found - coarser) / (np.square(task.gamma) + found)
    if np.any(apart > _APART):
        raise ValueError(
            f"points must be more than {points} for an activation that jumps or rises steeply: "
            f"without every other one the risk would differ by {np.max(apart):.1%}"
        )
    return found


@checks.compiled(
    static=("activation", "points"),
    activation=_function,
    o=possible,
    lam=checks.nonnegative,
    bias=checks.finite,
    points=_count_of_nodes,
)
def _excess_risk(activation, o, lam, task, bias, points):
    kappa, nu, theta, eta, rho = (jnp.asarray(x, float) for x in o)
    r, gamma, others = jnp.sqrt(task.d / 2), jnp.asarray(task.gamma, float), task.L - 1
    gg, lam, bias = gamma**2, jnp.asarray(lam, float), jnp.asarray(bias, float)
    nodes, mass = (x.astype(kappa.dtype) for x in _normal(points))

    def weights(mean, spread):
        """Of a token whose score is mean + spread G, at the nodes of G, on a new last axis."""
        middle, width = jnp.broadcast_arrays(lam * mean - bias, lam * spread)
        flat = (1,) * middle.ndim + (points,)
        return _weights(activation, new_axis(middle) + new_axis(width) * nodes.reshape(flat))

    (own, fine), (other, also) = weights(r * kappa, gamma), weights(0.0, 1.0)

    def risk(mass):
        """By the nodes with these masses."""
        M0, M1, M2 = _moments(own, nodes, mass, 3)
        Q0, Q1, Q2 = _moments(own**2, nodes, mass, 3)
        _, m1 = _moments(other, nodes, mass, 2)
        q0, _, q2 = _moments(other**2, nodes, mass, 3)
        along = gg * (nu - rho * eta) * M0 + gamma * r * theta * eta * M1 + gg * rho * eta * M2
        square = ((r * theta) ** 2 + gg * (1 - rho**2)) * Q0 + gg * rho**2 * Q2
        square = square + 2 * gamma * r * theta * rho * Q1
        noise = others * ((1 - rho**2) * q0 + rho**2 * q2 + (task.L - 2) * (rho * m1) ** 2)
        mixed = 2 * others * rho * m1 * (r * theta * M0 + gamma * rho * M1)
        return gg - 2 * along + square + noise + mixed

    every_other = np.where(np.arange(points) % 2, 0.0, mass)
    coarser = risk((every_other / every_other.sum()).astype(kappa.dtype))
    return jnp.where(fine & also, risk(mass), jnp.nan), coarser

"""Choices of lam for the oracle pair: an explicit one, the best, and its asymptote."""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.landscape.tools import each_task
from slrlib.risk import oracle_excess_risk
from slrlib.risk.reference import Best
from slrlib.special import erfc, mean_erf, zeta, zeta_zero
from slrlib.task import Task

_GRID, _HALVINGS = 128, 46


@checks.compiled()
def explicit_lam(task: Task) -> jax.Array:
    """Compute (d L)^(-1/4), a lambda at which the oracle pair (k*, v*) predicts well if L << d.

    It meets both conditions of Corollary 2 of the paper if L = o(d): the excess risk of (k*, v*)
    then tends to 0.

    Parameters
    ----------
    task : Task
        The task; d and L enter. Its numbers may be arrays.

    Returns
    -------
    Array
        The inverse temperature lambda.

    Examples
    --------
    >>> round(float(explicit_lam(Task(d=400, L=10))), 4)
    0.1257

    Book: {prf:ref}`Corollary 2 of the paper <paper-cor-2>` (the conditions; the choice is ours).
    """
    return jnp.multiply(task.d, task.L) ** -0.25


def lambert(z: jax.Array) -> jax.Array:
    """Solve W exp(W) = z > 0 by Halley's iteration; from log(1 + z) six steps reach rounding."""
    w = jnp.log1p(z)
    for _ in range(6):
        miss = w - z * jnp.exp(-w)
        w = w - miss / (1 + w - miss * (w + 2) / (2 * (w + 1)))
    return w


of_task = checks.compiled(task=checks.several_tokens)


def _more(lam, task, m):
    """Return the terms of m - 1 further heads in the risk of the first one, from all tokens."""
    return (m - 1) * (task.gamma**2 * zeta_zero(lam * task.gamma) - zeta_zero(lam))


def _gain(lam, task, m):
    """Return the excess risk minus gamma^2, its value at lam = 0, accurate where it is small."""
    signal, spread = lam * task.signal, lam * task.gamma
    own = zeta(signal, spread) - 2 * mean_erf(signal, spread)
    return task.gamma**2 * own + (task.L - 1) * zeta_zero(lam) + _more(lam, task, m)


def _alone(d, gamma):
    """The best lam of the oracle pair for a single token.

    With a = lam gamma and y = lam r / sqrt((1 + 2 a^2)(1 + 4 a^2)), the derivative of the risk has
    the sign of 1 - sqrt(pi) y exp(y^2) erfc(y) (2 + 1 / (2 a^2)). The product decreases in a (first
    as y increases, then as y exp(y^2) erfc(y) decreases with y), so it has one root. There
    y < 1/2, which bounds it: .57 < a gamma / r < 1.26.
    """
    r = jnp.sqrt(d / 2)

    def rises(log_lam):
        a = jnp.exp(log_lam) * gamma
        y = jnp.exp(log_lam) * r / jnp.sqrt((1 + 2 * a**2) * (1 + 4 * a**2))
        product = math.sqrt(math.pi) * y * jnp.exp(y**2) * erfc(y) * (2 + 1 / (2 * a**2))
        return 1 - product

    def halve(_, ends):
        low, high = ends
        half = (low + high) / 2
        above = rises(half) > 0
        return jnp.where(above, low, half), jnp.where(above, half, high)

    unit = jnp.log(r / gamma**2)
    ends = unit + math.log(0.57), unit + math.log(1.26)
    root = jax.lax.stop_gradient(sum(jax.lax.fori_loop(0, _HALVINGS, halve, ends)) / 2)
    root = root - rises(root) / jax.lax.stop_gradient(jax.grad(rises)(root))
    return jnp.exp(root)


def _best(d, L, gamma, m):
    """Find the best lam of one head among m, each at its own pair."""
    single, L = L == 1, jnp.maximum(L, 2.0)
    task = Task(d, L, gamma, 0.0)

    def risk(lam):
        return oracle_excess_risk(lam, task) + _more(lam, task, m)

    def slope(log_lam):
        return jax.grad(lambda s: risk(jnp.exp(s)))(log_lam)

    # The best lam of linear attention is the scale. A grid around it finds the lowest valley.
    r, gg = jnp.sqrt(d / 2), gamma**2
    middle = jnp.log(math.sqrt(math.pi) / 2 * gg * r / (gg * (r**2 + m * gg) + L - m))
    grid = middle + jnp.linspace(-3.0, 5.0, _GRID, dtype=d.dtype)
    lowest = jnp.argmin(_gain(jnp.exp(grid), task, m))
    step = 8.0 / (_GRID - 1)

    def halve(_, ends):
        low, high = ends
        half = (low + high) / 2
        rises = slope(half) > 0
        return jnp.where(rises, low, half), jnp.where(rises, half, high)

    ends = (grid[lowest] - step, grid[lowest] + step)
    low, high = jax.lax.stop_gradient(jax.lax.fori_loop(0, _HALVINGS, halve, ends))
    # One step of Newton, which also carries the derivative with respect to the task.
    root = (low + high) / 2
    root = root - slope(root) / jax.lax.stop_gradient(jax.grad(slope)(root))
    lam = jnp.where(single, _alone(d, gamma), jnp.exp(root))
    return Best(lam, jnp.where(single, oracle_excess_risk(lam, Task(d, 1.0, gamma)), risk(lam)))


@checks.in_double
@checks.compiled()
def best_lam(task: Task) -> Best:
    """Find the lam at which the oracle pair (k*, v*) has its lowest excess risk, and that risk.

    In double precision whatever is set. With one token (L = 1) there is no noise token, but the
    best lam is still finite: a score of the wrong sign costs less at a smaller lam. It lies between
    .57 and 1.26 times r / gamma^2, where r = sqrt(d / 2), and the risk may round to zero.

    Parameters
    ----------
    task : Task
        The task (d, L, gamma); its numbers may be arrays.

    Returns
    -------
    Best
        ``lam`` and ``excess_risk``, of the shape of the task.

    Examples
    --------
    >>> print(f"{best_lam(Task(d=400, L=10)).lam:.4f}")
    0.0638

    Book: {eq}`eq-best-lam` (not in the paper).
    """
    return each_task(_best, task, 1.0)


@checks.in_double
@checks.compiled()
def best_of_each(task: Task, m: ArrayLike) -> Best:
    """Find the best lam of m orthonormal pairs with one head each, and the risk divided by m.

    Book: {eq}`eq-several-oracle` (not in the paper).
    """
    return each_task(_best, task, m)

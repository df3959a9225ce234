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
from slrlib.special import mean_erf, zeta, zeta_zero
from slrlib.task import Task

_GRID, _HALVINGS = 128, 46


@checks.compiled()
def explicit_lam(task: Task) -> jax.Array:
    """(d L)^(-1/4), a choice that meets both conditions of Corollary 2 of the paper if L = o(d).

    Book: {prf:ref}`Corollary 2 of the paper <paper-cor-2>` (the conditions; the choice is ours).
    """
    return jnp.multiply(task.d, task.L) ** -0.25


def lambert(z: jax.Array) -> jax.Array:
    """W(z) with W exp(W) = z > 0, by Halley's iteration: from log(1 + z) six steps are plenty."""
    w = jnp.log1p(z)
    for _ in range(6):
        miss = w - z * jnp.exp(-w)
        w = w - miss / (1 + w - miss * (w + 2) / (2 * (w + 1)))
    return w


of_task = checks.compiled(task=checks.several_tokens)


def _more(lam, task, m):
    """What m - 1 further heads add to what the first one takes from its own and other tokens."""
    return (m - 1) * (task.gamma**2 * zeta_zero(lam * task.gamma) - zeta_zero(lam))


def _gain(lam, task, m):
    """The excess risk less gamma^2, that of lam = 0: where the gain is small, it has its digits."""
    signal, spread = lam * task.signal, lam * task.gamma
    own = zeta(signal, spread) - 2 * mean_erf(signal, spread)
    return task.gamma**2 * own + (task.L - 1) * zeta_zero(lam) + _more(lam, task, m)


def _best(d, L, gamma, m):
    """Of one head among m, each at its own pair."""
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
    return Best(jnp.exp(root), risk(jnp.exp(root)))


@checks.in_double
@of_task
def best_lam(task: Task) -> Best:
    """(lam, excess_risk): where the oracle pair predicts best, and what its excess risk is there.

    In double precision whatever is set.

    Book: {eq}`eq-best-lam` (not in the paper).
    """
    return each_task(_best, task, 1.0)


@checks.in_double
@of_task
def best_of_each(task: Task, m: ArrayLike) -> Best:
    """The same of m orthonormal pairs with a head each: lam, and the m-th part of the risk.

    Book: {eq}`eq-several-oracle` (not in the paper).
    """
    return each_task(_best, task, m)

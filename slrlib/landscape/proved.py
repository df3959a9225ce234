"""Proved bounds of the thresholds of lam, in closed form.

The thresholds themselves, in ``swapped`` and ``transverse``, are found by a search.
"""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.landscape.tools import at_lam
from slrlib.risk.closed import shorthand
from slrlib.special import erfc, zeta_zero
from slrlib.task import Task


@at_lam
def mirror_step_size(lam: ArrayLike, task: Task) -> jax.Array:
    """Compute a step size up to which PGD on the mirror image of M preserves the order of starts.

    The mirror image of M is the set of pairs with kappa = k.k* = 0, nu = v.v* = 0 and rho = k.v =
    0. The step size is 1 over an upper bound of the derivatives there.

    Parameters
    ----------
    lam : array_like
        Inverse temperature lambda > 0, of a shape that broadcasts with the task.
    task : Task
        The task; d, L and gamma enter. Its numbers may be arrays.

    Returns
    -------
    Array
        The step size alpha.

    Examples
    --------
    >>> round(float(mirror_step_size(0.1, Task(d=400, L=10))), 4)
    0.2434

    Book: {eq}`eq-mirror` (not in the paper).
    """
    s = shorthand(jnp.zeros_like(lam), lam, task)
    own = 2 * s.r**2 * zeta_zero(lam * task.gamma)
    return 1 / (own + 2 * s.gg * s.A * s.E1)


@checks.compiled()
def swapped_lower_until(task: Task) -> jax.Array:
    """Compute a lambda up to which the swapped family has a lower risk than (k*, v*), for any L.

    Parameters
    ----------
    task : Task
        The task; d and gamma enter. Its numbers may be arrays.

    Returns
    -------
    Array
        0.73 r / (r^2 + 3 gamma^2) with r = sqrt(d/2), a lower bound of ``lambda_eq``.

    Examples
    --------
    >>> round(float(swapped_lower_until(Task(d=400, L=10))), 4)
    0.0512

    Book: {eq}`eq-swapped-lower` (not in the paper).
    """
    r = jnp.sqrt(task.d / 2)
    return 0.73 * r / (task.d / 2 + 3 * jnp.square(task.gamma))


@checks.compiled()
def swapped_curvature_at_infinity(task: Task) -> jax.Array:
    """Compute the least curvature at the swapped family as lambda grows, up to a positive factor.

    If positive, the family is a local minimum for all large lambda. If negative, it is a saddle
    there, so ``lambda_sw`` is finite.

    Parameters
    ----------
    task : Task
        The task; d, L and gamma enter. Its numbers may be arrays.

    Returns
    -------
    Array
        The limit; nan unless 2 gamma < sqrt(pi d), which its proof needs.

    Examples
    --------
    >>> round(float(swapped_curvature_at_infinity(Task(d=400, L=10))), 2)
    -297.79

    Book: {eq}`eq-swapped-end` (not in the paper).
    """
    others = task.L - 1
    pairs = 8 * others / (math.pi**2 * (task.L - 2 + 2 * task.gamma))
    least = 16 * jnp.square(task.gamma) / math.pi - task.d / 2 * (2 - 4 / math.pi + pairs)
    return jnp.where(2 * task.gamma < jnp.sqrt(math.pi * task.d), least, jnp.nan)


def _margin(lam, task):
    """How far 2 / sqrt(1 + 4 lam^2) is above 1 - m; zero at ``lambda_c``."""
    gg = jnp.square(task.gamma)
    m = (task.L - 1) * gg / (task.d / 2 + gg)
    return 2 / jnp.sqrt(1 + 4 * lam**2) - 1 + m


@checks.in_double
@checks.compiled(lam=checks.positive, task=checks.several_tokens)
def threshold_margins(lam: ArrayLike, task: Task) -> tuple[jax.Array, jax.Array]:
    """Compute (s, e): (k*, v*) is a strict local minimum if s >= 0, and a saddle if s + e < 0.

    s changes sign at ``lambda_c``, and e is of the order of exp(-A^2), A^2 = lam^2 d / (2 u), u = 1
    + 2 lam^2 gamma^2.

    Parameters
    ----------
    lam : array_like
        Inverse temperature lambda > 0, of a shape that broadcasts with the task.
    task : Task
        The task, with L >= 2 (one token leaves (k*, v*) a minimum at every lambda); d, L and gamma
        enter.

    Returns
    -------
    s, e : Array
        The margin and the bound of its error.

    Examples
    --------
    >>> [round(float(x), 4) for x in threshold_margins(0.8, Task(d=400, L=10))]
    [0.0824, 0.0]

    Book: {eq}`eq-threshold-gap` (not in the paper).
    """
    s, others = shorthand(jnp.ones_like(lam), lam, task), task.L - 1
    missed, size, inverse_u = erfc(s.y), s.r**2 + s.gg, 1 - 2 * s.b
    scale = 4 * others * s.C**2 * size
    by_rho = 2 * s.gg * s.A * (1 + 4 * s.b) * missed + 4 * s.gg * s.b * s.F1
    by_rho = by_rho + 4 * others * s.C * s.gg * s.A / s.r
    whole = 2 * others * (s.h + (task.L - 2) * s.C**2) + s.E1 * by_rho
    push = 2 * s.gg * s.A * s.E1
    mixed = 2 * others * s.C * s.r * erfc(s.x) + push * jnp.maximum(3 * missed - inverse_u, 0)
    error = 2 * size * s.E1 * by_rho + push * (2 + missed) * whole
    error = error + 4 * others * s.C * s.r * mixed
    return _margin(lam, task), error / scale

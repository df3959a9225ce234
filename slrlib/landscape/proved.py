"""What is proved about the thresholds of lam for every task: bounds in closed form.

Each stands beside a threshold of ``swapped`` or ``transverse`` that is found by a search.
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
    """On the mirror manifold every shorter step of PGD keeps order: 1 over a bound of the slopes.

    Book: {eq}`eq-mirror` (not in the paper).
    """
    s = shorthand(jnp.zeros_like(lam), lam, task)
    own = 2 * s.r**2 * zeta_zero(lam * task.gamma)
    return 1 / (own + 2 * s.gg * s.A * s.E1)


@checks.compiled()
def swapped_lower_until(task: Task) -> jax.Array:
    """Up to this lam the swapped family has a lower risk than the oracle pair, whatever the task.

    Book: {eq}`eq-swapped-lower` (not in the paper).
    """
    r = jnp.sqrt(task.d / 2)
    return 0.73 * r / (task.d / 2 + 3 * jnp.square(task.gamma))


@checks.compiled()
def swapped_curvature_at_infinity(task: Task) -> jax.Array:
    """The least curvature of the swapped family as lam grows, but for a positive factor.

    Positive: a local minimum for all large lam. Negative: a saddle, so ``lambda_sw`` is finite.
    It asks for tokens that are not too wide, 2 gamma < sqrt(pi d), and is nan for wider ones.

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
    """(s, e): (k*, v*) is a strict local minimum where s >= 0, and a saddle where s + e < 0.

    s changes sign at ``lambda_c``, and e is of the order of exp(-A^2). Both for two tokens or
    more; a single one leaves (k*, v*) a minimum at every lam.

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

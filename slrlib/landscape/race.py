"""Which way a random start goes: a race between two escapes from one saddle (a heuristic)."""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from slrlib.landscape.tools import at_lam, each_task, zeta_zero_over_square
from slrlib.special import erf
from slrlib.special.quadrature import legendre
from slrlib.task import Task

_NODES, _WEIGHTS = legendre(96)
_FAR = 9.0  # a normal number is smaller than that, but for 1e-18


@at_lam
def race_exponent(lam: ArrayLike, task: Task) -> jax.Array:
    """s > 1, how much faster M's saddle is left towards (k*, v*) than towards the swapped pair.

    The ratio of the two escape rates in the limit of large lam^2 d; it depends on lam gamma alone.

    Book: {eq}`eq-race` (not in the paper).
    """
    g2 = jnp.square(lam * task.gamma)
    ratio = zeta_zero_over_square(jnp.multiply(lam, task.gamma)) / 4
    return math.pi * ((1 + 2 * g2) * ratio) * jnp.sqrt(1 + 4 * g2)


@at_lam
def swap_probability(lam: ArrayLike, task: Task) -> jax.Array:
    """Compute P(|nu| < |eta|^s) for nu and eta normal of variance 1 / d.

    A heuristic for the fraction of random starts that swap at a constant lam. It decreases like
    d^(-(s - 1) / 2) only in the limit of large d, and omits a factor that depends on lam: at
    d = 50 to 800 and lam = 0.8 the swap rate decreases faster.

    Book: {eq}`eq-race` (not in the paper).
    """
    return each_task(_swap, task, race_exponent(lam, task))


def _swap(d, L, gamma, s):
    """P(|Z1| < d^((1 - s) / 2) |Z2|^s), one normal number integrated out by hand."""
    nodes = _FAR * jnp.asarray(_NODES, dtype=s.dtype)
    weights = _FAR * jnp.asarray(_WEIGHTS, dtype=s.dtype)
    density = math.sqrt(2 / math.pi) * jnp.exp(-jnp.square(nodes) / 2)
    reach = jnp.exp(s * jnp.log(nodes) + (1 - s) / 2 * jnp.log(d))
    return jnp.sum(weights * density * erf(reach / math.sqrt(2)))

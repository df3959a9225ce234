"""A heuristic for the fraction of random starts that swap: competing escape rates at a saddle."""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from slrlib.landscape.tools import at_lam, each_task, zeta_zero_over_square
from slrlib.special import erf, legendre
from slrlib.task import Task

_NODES, _WEIGHTS = legendre(96)
_FAR = 9.0  # a normal number is smaller than that, but for 1e-18


@at_lam
def race_exponent(lam: ArrayLike, task: Task) -> jax.Array:
    """Compute s > 1, the ratio of the two escape rates at the saddle of M, for large lam^2 d.

    The first rate is that toward (k*, v*), the second that toward the swapped pair. The ratio
    depends on lam gamma alone.

    Book: {eq}`eq-race` (not in the paper).
    """
    g2 = jnp.square(lam * task.gamma)
    ratio = zeta_zero_over_square(jnp.multiply(lam, task.gamma)) / 4
    return math.pi * ((1 + 2 * g2) * ratio) * jnp.sqrt(1 + 4 * g2)


@at_lam
def swap_probability(lam: ArrayLike, task: Task) -> jax.Array:
    """Compute P(|nu| < |eta|^s) for nu and eta normal of variance 1 / d.

    It is a heuristic for the fraction of random starts that swap at a constant lambda; s is the
    ratio of the escape rates toward (k*, v*) and toward the swapped pair. It decreases like d^(-(s
    - 1) / 2) only in the limit of large d, and omits a factor that depends on lambda: at d = 50 to
    800 and lambda = 0.8 the swap rate decreases faster.

    Parameters
    ----------
    lam : array_like
        Inverse temperature lambda > 0, of a shape that broadcasts with the task.
    task : Task
        The task; d and gamma enter. Its numbers may be arrays.

    Returns
    -------
    Array
        The probability, of the broadcast shape.

    Examples
    --------
    >>> round(float(swap_probability(0.1, Task(d=400, L=10))), 4)
    0.4896

    Book: {eq}`eq-race` (not in the paper).
    """
    return each_task(_swap, task, race_exponent(lam, task))


def _swap(d, L, gamma, s):
    """Return P(|Z1| < d^((1 - s) / 2) |Z2|^s); the integral over Z1 is elementary."""
    nodes = _FAR * jnp.asarray(_NODES, dtype=s.dtype)
    weights = _FAR * jnp.asarray(_WEIGHTS, dtype=s.dtype)
    density = math.sqrt(2 / math.pi) * jnp.exp(-jnp.square(nodes) / 2)
    reach = jnp.exp(s * jnp.log(nodes) + (1 - s) / 2 * jnp.log(d))
    return jnp.sum(weights * density * erf(reach / math.sqrt(2)))

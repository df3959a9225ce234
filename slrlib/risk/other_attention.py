"""The excess risk of linear attention, and of softmax over two tokens, at any overlaps."""

from __future__ import annotations

import math
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from slrlib.overlaps import Overlaps
from slrlib.task import Task


@jax.jit
def linear_pair_excess_risk(o: Overlaps, lam: ArrayLike, task: Task) -> jax.Array:
    """Compute the excess risk of linear attention, sum_l lam (X_l.k) (X_l.v), for a pair (k, v).

    Inside ``jit`` no value is checked.

    Parameters
    ----------
    o : Overlaps
        Overlaps of the pair with the teacher, each of shape (...).
    lam : array_like
        Inverse temperature lambda, of a shape that broadcasts with the overlaps.
    task : Task
        The task; d, L and gamma enter.

    Returns
    -------
    Array
        The excess risk R - noise^2, of shape (...).

    Examples
    --------
    >>> from slrlib import Overlaps, Task
    >>> round(float(linear_pair_excess_risk(Overlaps(1, 1, 0, 0, 0), 0.05, Task(d=400, L=10))), 4)
    0.066

    Book: {eq}`eq-linear-pair`.
    """
    kappa, nu, theta, eta, rho = o
    power, others = task.gamma**2, task.L - 1.0
    signal = task.d / 2.0
    mean = lam * (signal * kappa * theta + (power + others) * rho)  # of the output
    square = signal * power * (kappa**2 + theta**2 + 2 * kappa * theta * rho)
    square = lam**2 * (square + (power**2 + others) * (1 + rho**2))
    product = 2 * lam * power * jnp.sqrt(signal) * (kappa * nu + eta * theta)
    return power + mean**2 + square - product


@partial(jax.jit, static_argnames=("reach", "points"))
def two_token_softmax_excess_risk(
    o: Overlaps, lam: ArrayLike, task: Task, reach: float = 9.0, points: int = 91
) -> jax.Array:
    """Compute the excess risk of softmax attention over two tokens for a pair (k, v).

    The trapezoidal rule is used. With the default nodes its relative error is below 1e-9 while
    lam sqrt(1 + gamma^2) <= 2. Inside ``jit`` no value is checked.

    Parameters
    ----------
    o : Overlaps
        Overlaps of the pair with the teacher, each a scalar.
    lam : array_like
        Inverse temperature lambda, a scalar.
    task : Task
        The task; d and gamma enter, L is taken to be 2.
    reach : float
        The nodes go from -reach to reach standard deviations.
    points : int
        Number of nodes.

    Returns
    -------
    Array
        The excess risk R - noise^2, a scalar.

    Examples
    --------
    >>> from slrlib import Overlaps, Task
    >>> o = Overlaps(1.0, 1.0, 0.0, 0.0, 0.0)
    >>> round(float(two_token_softmax_excess_risk(o, 0.1, Task(d=400, L=2))), 4)
    0.0584

    Book: {eq}`eq-open-softmax`.
    """
    kappa, nu, theta, eta, rho = o
    power, wide = task.gamma**2, 1.0 + task.gamma**2
    nodes = np.linspace(-reach, reach, points)
    bell = np.exp(-(nodes**2) / 2) * (nodes[1] - nodes[0]) / math.sqrt(2 * math.pi)
    g, mass = jnp.asarray(nodes), jnp.asarray(bell)
    r = jnp.sqrt(task.d / 2.0)
    weight = jax.nn.sigmoid(lam * (r * kappa + jnp.sqrt(wide) * g))  # of the informative token
    slope = rho * (power * weight - (1 - weight)) - power * eta
    mean = r * theta * weight + slope * g / jnp.sqrt(wide)
    rest = power * (1 - 2 * nu * weight + weight**2) + (1 - weight) ** 2 - slope**2 / wide
    return jnp.sum(mass * (mean**2 + rest))

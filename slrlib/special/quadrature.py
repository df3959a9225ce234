"""Fixed Gauss-Legendre rules, on a new last axis."""

from __future__ import annotations

from collections.abc import Iterator

import jax
import jax.numpy as jnp
import numpy as np


def legendre(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Compute nodes and weights of the Gauss-Legendre rule on [0, 1]."""
    nodes, weights = np.polynomial.legendre.leggauss(count)
    return (1 + nodes) / 2, weights / np.sum(weights)


def new_axis(value: jax.Array) -> jax.Array:
    """Add a last axis for the nodes of a rule; a scalar needs none."""
    return value[..., None] if value.ndim else value


def rule(nodes: np.ndarray, weights: np.ndarray, like: jax.Array) -> Iterator[jax.Array]:
    """Yield nodes and weights as arrays that broadcast with ``new_axis(like)``."""
    shape = (1,) * like.ndim + (-1,)
    return (jnp.asarray(v.reshape(shape), dtype=like.dtype) for v in (nodes, weights))

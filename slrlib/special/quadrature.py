"""Fixed Gauss-Legendre rules, on a new last axis."""

import jax.numpy as jnp
import numpy as np


def _legendre(count):
    """Nodes and weights of the Gauss-Legendre rule on [0, 1]."""
    nodes, weights = np.polynomial.legendre.leggauss(count)
    return (1 + nodes) / 2, weights / np.sum(weights)


def _spread(value):
    """A new last axis for the nodes of a rule; a scalar needs none."""
    return value[..., None] if value.ndim else value


def _rule(nodes, weights, like):
    """The rule as arrays that broadcast against ``_spread(like)``."""
    shape = (1,) * like.ndim + (-1,)
    return (jnp.asarray(v.reshape(shape), dtype=like.dtype) for v in (nodes, weights))

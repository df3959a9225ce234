"""What the register row of a layer looks at, and what it reads through its hidden units."""

import jax

from slrlib.transformer.layer import attention, below, layer_norm, read, value_direction


@jax.jit
def attend(layer, register, X):
    """The attention of each head of the plain layer, row by row."""
    return attention(layer, layer_norm(below(register, X)))


@jax.jit
def register_weights(layer, register, X):
    """The register's attention, of shape (..., H, L + 1): to itself, then to the L tokens."""
    return read(layer, register, layer_norm(X))[1]


@jax.jit
def gated_value_direction(layer, register, X):
    """v of each head, where a hidden unit counts by the share of the sequences that open it."""
    opened = read(layer, register, layer_norm(X))[2] > 0
    return value_direction(layer, opened.mean(axis=0, dtype=float))

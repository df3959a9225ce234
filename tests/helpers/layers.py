"""The attention of a layer's register row, and the value directions of its heads."""

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
    """v of each head, with hidden units weighted by the fraction of sequences that open them."""
    opened = read(layer, register, layer_norm(X))[2] > 0
    return value_direction(layer, opened.mean(axis=0, dtype=float))

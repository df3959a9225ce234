"""What a trained layer looks for and what it reads: its k and v, as seen from the tokens."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.task import Teacher
from slrlib.transformer.fast import score_direction
from slrlib.transformer.layer import Layer


def _unit(vector):
    """Of length one; a zero vector, which has no direction, stays zero."""
    square = jnp.sum(vector * vector, axis=-1, keepdims=True)
    return vector * jax.lax.rsqrt(jnp.where(square > 0, square, 1.0))


@jax.jit
def key_direction(layer: Layer, register: ArrayLike) -> jax.Array:
    """k of each head, of shape (H, d): the first left singular vector of token register^T.

    That product has rank one, exactly, as long as only the register row is read and one of the two
    matrices started at zero; so it is u / |u|, up to its sign. It is zero before the first step.

    Book: {eq}`eq-layer-alignments` (appendix E.3 of the paper).
    """
    return _unit(score_direction(layer, register))


def _values(layer, slope):
    """How the value of each head moves the output, when the row before the MLP counts ``slope``."""
    if layer.output is not None:
        slope = jnp.einsum("hpd,d->hp", layer.output, slope)
        return _unit(jnp.einsum("hdp,hp->hd", layer.value, slope))
    return _unit(jnp.einsum("hdp,p->hd", layer.value, slope))


@jax.jit
def _value_direction(layer, gate):
    behind = layer.hidden @ (gate * (layer.back @ layer.readout))
    return _values(layer, layer.readout + behind)


def value_direction(layer: Layer) -> jax.Array:
    """v of each head, of shape (H, d), as the paper defines it: every hidden unit lets through.

    Book: {eq}`eq-layer-alignments` (appendix E.3 of the paper).
    """
    bias = layer.hidden_bias
    return _value_direction(layer, np.ones(jnp.shape(bias), jnp.result_type(bias)))


def gated_value_direction(layer: Layer, units: jax.Array) -> jax.Array:
    """v of each head, where a hidden unit counts by the share of the sequences that open it.

    ``units`` (..., width) are the hidden units in front of some sequences.

    Book: {eq}`eq-layer-alignments`.
    """
    share = jnp.mean((units > 0).astype(units.dtype), axis=tuple(range(units.ndim - 1)))
    return _value_direction(layer, share)


@jax.jit
def rank_ratio(layer: Layer) -> jax.Array:
    """The second singular value of token register^T over its first, for each head.

    The ratio of a zero product is zero.

    Book: {eq}`eq-layer-alignments` (a footnote of the paper, appendix E.3).
    """
    product = jnp.einsum("...dp,...ep->...de", layer.token, layer.register)
    sizes = jnp.linalg.svd(product, compute_uv=False)
    first = sizes[..., 0]
    return sizes[..., 1] / jnp.where(first > 0, first, 1.0)


@checks.compiled()
def alignment_caps(teacher: Teacher) -> tuple[jax.Array, ...]:
    """The most that |k.k*|, and that v.v*, can be for a k and a v orthogonal to the ones vector.

    Layer norm lets through nothing else: the lengths of k* and v* without their mean. Every k of a
    layer is of that kind, whose matrix at the tokens started at zero. For v it is no bound: along
    the ones vector, which a layer never sees, v stays as it was drawn.

    Book: {eq}`eq-risk-floor`.
    """
    means = (jnp.mean(direction, axis=-1) for direction in teacher)
    return tuple(jnp.sqrt(1.0 - teacher[0].shape[-1] * mean * mean) for mean in means)

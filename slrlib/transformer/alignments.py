"""The directions k and v of a trained layer: the scores and the values of its tokens."""

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
    """Normalize a vector; a zero vector stays zero."""
    square = jnp.sum(vector * vector, axis=-1, keepdims=True)
    return vector * jax.lax.rsqrt(jnp.where(square > 0, square, 1.0))


@jax.jit
def key_direction(layer: Layer, register: ArrayLike) -> jax.Array:
    """Compute k of each head, of shape (H, d): the first left singular vector of token register^T.

    That product has rank one as long as only the register row is used and one of the two matrices
    started at zero. So k is u / |u|, up to its sign. It is zero before the first step.

    Book: {eq}`eq-layer-alignments` (appendix E.3 of the paper).
    """
    return _unit(score_direction(layer, register))


def _values(layer, slope):
    """Return the gradient of the output in the value of each head; ``slope`` is that in the row."""
    if layer.output is not None:
        slope = jnp.einsum("hpd,d->hp", layer.output, slope)
        return _unit(jnp.einsum("hdp,hp->hd", layer.value, slope))
    return _unit(jnp.einsum("hdp,p->hd", layer.value, slope))


@jax.jit
def _value_direction(layer, gate):
    behind = layer.hidden @ (gate * (layer.back @ layer.readout))
    return _values(layer, layer.readout + behind)


def value_direction(layer: Layer) -> jax.Array:
    """Compute v of each head, of shape (H, d), as the paper does: with every hidden unit active.

    Book: {eq}`eq-layer-alignments` (appendix E.3 of the paper).
    """
    bias = layer.hidden_bias
    return _value_direction(layer, np.ones(jnp.shape(bias), jnp.result_type(bias)))


def gated_value_direction(layer: Layer, units: jax.Array) -> jax.Array:
    """Compute v of each head; a hidden unit counts by the fraction of sequences that open it.

    ``units`` (..., width) are the hidden units of some sequences.

    Book: {eq}`eq-layer-alignments`.
    """
    share = jnp.mean((units > 0).astype(units.dtype), axis=tuple(range(units.ndim - 1)))
    return _value_direction(layer, share)


@jax.jit
def rank_ratio(layer: Layer) -> jax.Array:
    """Compute the second singular value of token register^T over its first, for each head.

    The ratio of a zero product is zero.

    Book: {eq}`eq-layer-alignments` (a footnote of the paper, appendix E.3).
    """
    product = jnp.einsum("...dp,...ep->...de", layer.token, layer.register)
    sizes = jnp.linalg.svd(product, compute_uv=False)
    first = sizes[..., 0]
    return sizes[..., 1] / jnp.where(first > 0, first, 1.0)


@checks.compiled()
def alignment_caps(teacher: Teacher) -> tuple[jax.Array, ...]:
    """Compute the largest |k.k*| and |v.v*| of a k and a v orthogonal to the ones vector.

    They are the lengths of k* and v* without their means, which layer norm removes. Every k of a
    layer is orthogonal to the ones vector if its matrix at the tokens started at zero. For v the
    cap is no bound: along the ones vector, v keeps its initial value.

    Book: {eq}`eq-risk-floor`.
    """
    means = (jnp.mean(direction, axis=-1) for direction in teacher)
    return tuple(jnp.sqrt(1.0 - teacher[0].shape[-1] * mean * mean) for mean in means)

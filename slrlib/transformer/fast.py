"""The register row alone: the prediction and the gradients of the whole layer with less work.

Three exact identities are used. The register is the same in every sequence, so each head scores the
tokens with one vector u. The readout is linear, so ``back`` is multiplied by it first, and the
product of the hidden units with ``back`` is never formed. Layer norm has no weights, so it stays
outside the gradient.
"""

from __future__ import annotations

from math import sqrt

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.transformer.layer import Layer, as_rows, fitting, layer_norm, of_register, of_tokens


@of_register
def score_direction(layer: Layer, register: ArrayLike) -> jax.Array:
    """Compute the vector u_h with which each head scores tokens: x has the score u_h.LN(x).

    Parameters
    ----------
    layer : Layer
        The weights, such as ``random_layer`` gives.
    register : array_like
        The register token, of shape (d,).

    Returns
    -------
    Array
        Shape (H, d): one vector for each head.

    Examples
    --------
    >>> from slrlib.transformer import random_layer, random_register
    >>> key = jax.random.key(0)
    >>> score_direction(random_layer(8, 4, 6, key=key), random_register(8, key=key)).shape
    (1, 8)

    Book: {eq}`eq-register-score`.
    """
    asked = jnp.einsum("d,hdp->hp", layer_norm(fitting(layer, register)), layer.register)
    return jnp.einsum("hdp,hp->hd", layer.token, asked) / sqrt(layer.token.shape[-1])


@of_tokens
def predict_register(layer: Layer, register: ArrayLike, X: ArrayLike) -> jax.Array:
    """Predict the label of each sequence from the register row alone; faster than ``predict``.

    Parameters
    ----------
    layer : Layer
        The weights, such as ``random_layer`` gives.
    register : array_like
        The register token, of shape (d,).
    X : array_like
        Sequences, of shape (..., L, d).

    Returns
    -------
    Array
        The predictions, of shape (...), equal to those of ``predict`` up to rounding.

    Examples
    --------
    >>> from slrlib.transformer import random_layer, random_register
    >>> key = jax.random.key(0)
    >>> given = random_layer(8, 4, 6, key=key), random_register(8, key=key)
    >>> predict_register(*given, jnp.ones((3, 5, 8))).shape
    (3,)

    Book: {eq}`eq-register-row`.
    """
    register = fitting(layer, register)
    X = jnp.asarray(checks.ends_in("X", X, (None, len(register))))
    return read(layer, register, layer_norm(X))[0]


def _weights(u, own, Z):
    """Softmax over the register ``own`` and the tokens ``Z``, both normalised."""
    # One product of a matrix and a vector for each head: quicker than all heads at once.
    scores = jnp.stack([Z @ head for head in u], axis=-2)
    self_score = jnp.broadcast_to((u @ own)[:, None], (*scores.shape[:-1], 1))
    return jax.nn.softmax(jnp.concatenate([self_score, scores], axis=-1), axis=-1)


def read(layer: Layer, register: jax.Array, Z: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Compute prediction, attention and hidden units for tokens that are already normalized."""
    own = layer_norm(register)
    weights = _weights(score_direction(layer, register), own, Z)
    row = as_rows(register, Z[..., 0, :])
    for head, value in enumerate(layer.value):
        to_self, to_tokens = weights[..., head, :1], weights[..., head, 1:]
        seen = jnp.einsum("...l,...ld->...d", to_tokens, Z) + to_self * as_rows(own, row)
        taken = seen @ value
        row = row + (taken if layer.output is None else taken @ layer.output[head])
    units = jax.nn.relu(row @ layer.hidden + as_rows(layer.hidden_bias, row))
    answer = row @ layer.readout + units @ (layer.back @ layer.readout)
    return answer + layer.back_bias @ layer.readout, weights, units

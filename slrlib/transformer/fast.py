"""The register row alone: the same prediction and gradients, and nothing that is not read.

Three identities, all exact. The register is the same in every sequence, so each head scores the
tokens with one vector u. The readout is linear, so ``back`` may meet it first, and the product of
the hidden units with ``back`` is never formed. And layer norm holds no weight, so it stays outside
the gradient.
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
    """The vectors u of shape (H, d): head h gives the token x the score u_h.LN(x).

    Book: {eq}`eq-register-score`.
    """
    asked = jnp.einsum("d,hdp->hp", layer_norm(fitting(layer, register)), layer.register)
    return jnp.einsum("hdp,hp->hd", layer.token, asked) / sqrt(layer.token.shape[-1])


@of_tokens
def predict_register(layer: Layer, register: ArrayLike, X: ArrayLike) -> jax.Array:
    """What ``predict`` gives, at a fraction of the work.

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
    """Prediction, attention and hidden units for tokens that are normalised already."""
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

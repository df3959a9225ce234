"""Predictors with two parameters: k says where to look, v what to read there.

``X`` has shape (..., L, d), ``k`` and ``v`` have shape (d,), and the prediction has shape (...).
"""

import jax.numpy as jnp

from slrlib import _door
from slrlib.predictors import weights


def _arrays(X, k, v):
    X = _door.ends_in("X", X, (None, None))
    d = X.shape[-1:]
    return X, _door.ends_in("k", k, d), _door.ends_in("v", v, d)


def _attend(weigh, X, k, v):
    """The values X v, summed with the weights of the scores X k."""
    X, k, v = _arrays(X, k, v)
    return jnp.sum(weigh(X @ k) * (X @ v), axis=-1)


def argmax_attention(X, k, v):
    """The value of the token with the highest score; at (k*, v*) the oracle of the paper.

    Book: {eq}`eq-argmax` (equation (1) of the paper).
    """
    return _attend(weights.argmax_weights, X, k, v)


def softmax_attention(X, k, v, lam):
    """Softmax attention with inverse temperature ``lam``.

    Book: {eq}`eq-softmax` (equation (2) of the paper).
    """
    return _attend(lambda s: weights.softmax_weights(s, lam), X, k, v)


def erf_attention(X, k, v, lam, scale=1.0):
    """The paper's predictor: erf(lam X k)^T X v, times a free output ``scale`` (one in the paper).

    Book: {eq}`eq-erf` (equation (3) of the paper) and {eq}`eq-scale`.
    """
    scale = _door.finite("scale", scale)
    return scale * _attend(lambda s: weights.erf_weights(s, lam), X, k, v)


def linear_attention(X, k, v, lam):
    """lam (X k)^T X v: attention without a nonlinearity.

    Book: {eq}`eq-linear-attention`.
    """
    return _attend(lambda s: weights.linear_weights(s, lam), X, k, v)

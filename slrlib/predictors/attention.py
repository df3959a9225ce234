"""Predictors with two parameters: k says where to look, v what to read there.

``X`` has shape (..., L, d), ``k`` and ``v`` have shape (d,), and the prediction has shape (...).
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.predictors import weights


def tokens(name: str, X: ArrayLike) -> jax.Array:
    return checks.ends_in(name, X, (None, None))


_ARRAYS = {"X": tokens, "k": checks.finite, "v": checks.finite}
_at = checks.compiled(**_ARRAYS, lam=checks.nonnegative)


def _attend(weigh, X, k, v):
    """The values X v, summed with the weights of the scores X k."""
    for name, x in (("k", k), ("v", v)):
        if jnp.shape(x) != X.shape[-1:]:
            raise ValueError(f"{name} must have shape {X.shape[-1:]}, got {jnp.shape(x)}")
    return jnp.sum(weigh(X @ k) * (X @ v), axis=-1)


@checks.compiled(**_ARRAYS)
def argmax_attention(X: ArrayLike, k: ArrayLike, v: ArrayLike) -> jax.Array:
    """The value of the token with the highest score; at (k*, v*) the oracle of the paper.

    Book: {eq}`eq-argmax` (equation (1) of the paper).
    """
    return _attend(weights.argmax_weights, X, k, v)


@_at
def softmax_attention(X: ArrayLike, k: ArrayLike, v: ArrayLike, lam: ArrayLike) -> jax.Array:
    """Softmax attention with inverse temperature ``lam``.

    Book: {eq}`eq-softmax` (equation (2) of the paper).
    """
    return _attend(lambda s: weights.softmax_weights(s, lam), X, k, v)


@checks.compiled(**_ARRAYS, lam=checks.nonnegative, scale=checks.finite)
def erf_attention(
    X: ArrayLike, k: ArrayLike, v: ArrayLike, lam: ArrayLike, scale: ArrayLike = 1.0
) -> jax.Array:
    """The paper's predictor: erf(lam X k)^T X v, times a free output ``scale`` (one in the paper).

    Book: {eq}`eq-erf` (equation (3) of the paper) and {eq}`eq-scale`.
    """
    return jnp.multiply(scale, _attend(lambda s: weights.erf_weights(s, lam), X, k, v))


@_at
def linear_attention(X: ArrayLike, k: ArrayLike, v: ArrayLike, lam: ArrayLike) -> jax.Array:
    """lam (X k)^T X v: attention without a nonlinearity.

    Book: {eq}`eq-linear-attention`.
    """
    return _attend(lambda s: weights.linear_weights(s, lam), X, k, v)

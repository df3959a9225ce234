"""Attention with two vectors: the scores X k determine the weights of the values X v.

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
    """Sum the values X v with the weights of the scores X k."""
    for name, x in (("k", k), ("v", v)):
        if jnp.shape(x) != X.shape[-1:]:
            raise ValueError(f"{name} must have shape {X.shape[-1:]}, got {jnp.shape(x)}")
    return jnp.sum(weigh(X @ k) * (X @ v), axis=-1)


@checks.compiled(**_ARRAYS)
def argmax_attention(X: ArrayLike, k: ArrayLike, v: ArrayLike) -> jax.Array:
    """Predict the value X_J.v of the token J with the highest score X_J.k.

    At k = k*, v = v* this is the oracle predictor of the paper.

    Parameters
    ----------
    X : array_like
        Tokens, of shape (..., L, d).
    k : array_like
        Direction of the scores X_l.k, of shape (d,) and any norm.
    v : array_like
        Direction of the values X_l.v, of shape (d,) and any norm.

    Returns
    -------
    jax.Array
        The predictions, of shape (...).

    Examples
    --------
    >>> float(argmax_attention([[3.0, 1.0], [0.0, 5.0]], [1.0, 0.0], [0.0, 1.0]))
    1.0

    Book: {eq}`eq-argmax` (equation (1) of the paper).
    """
    return _attend(weights.argmax_weights, X, k, v)


@_at
def softmax_attention(X: ArrayLike, k: ArrayLike, v: ArrayLike, lam: ArrayLike) -> jax.Array:
    """Predict with softmax attention, softmax(lam X k)^T X v.

    Parameters
    ----------
    X : array_like
        Tokens, of shape (..., L, d).
    k : array_like
        Direction of the scores X_l.k, of shape (d,) and any norm.
    v : array_like
        Direction of the values X_l.v, of shape (d,) and any norm.
    lam : array_like
        Inverse temperature lambda >= 0, of a shape that broadcasts with the scores, (..., L).

    Returns
    -------
    jax.Array
        The predictions, of shape (...).

    Examples
    --------
    >>> round(float(softmax_attention([[3.0, 1.0], [0.0, 5.0]], [1.0, 0.0], [0.0, 1.0], 1.0)), 4)
    1.1897

    Book: {eq}`eq-softmax` (equation (2) of the paper).
    """
    return _attend(lambda s: weights.softmax_weights(s, lam), X, k, v)


@checks.compiled(**_ARRAYS, lam=checks.nonnegative, scale=checks.finite)
def erf_attention(
    X: ArrayLike, k: ArrayLike, v: ArrayLike, lam: ArrayLike, scale: ArrayLike = 1.0
) -> jax.Array:
    """Predict with the paper's attention, scale erf(lam X k)^T X v.

    Parameters
    ----------
    X : array_like
        Tokens, of shape (..., L, d).
    k : array_like
        Direction of the scores X_l.k, of shape (d,) and any norm.
    v : array_like
        Direction of the values X_l.v, of shape (d,) and any norm.
    lam : array_like
        Inverse temperature lambda >= 0, of a shape that broadcasts with the scores, (..., L).
    scale : array_like
        Factor of the output, 1 in the paper, of a shape that broadcasts with (...).

    Returns
    -------
    jax.Array
        The predictions, of shape (...).

    Examples
    --------
    >>> round(float(erf_attention([[3.0, 1.0], [0.0, 5.0]], [1.0, 0.0], [0.0, 1.0], 0.5)), 4)
    0.9661

    Book: {eq}`eq-erf` (equation (3) of the paper) and {eq}`eq-scale`.
    """
    return jnp.multiply(scale, _attend(lambda s: weights.erf_weights(s, lam), X, k, v))


@_at
def linear_attention(X: ArrayLike, k: ArrayLike, v: ArrayLike, lam: ArrayLike) -> jax.Array:
    """Predict with linear attention, lam (X k)^T X v.

    Parameters
    ----------
    X : array_like
        Tokens, of shape (..., L, d).
    k : array_like
        Direction of the scores X_l.k, of shape (d,) and any norm.
    v : array_like
        Direction of the values X_l.v, of shape (d,) and any norm.
    lam : array_like
        Inverse temperature lambda >= 0, of a shape that broadcasts with the scores, (..., L).

    Returns
    -------
    jax.Array
        The predictions, of shape (...).

    Examples
    --------
    >>> float(linear_attention([[3.0, 1.0], [0.0, 5.0]], [1.0, 0.0], [0.0, 1.0], 0.5))
    1.5

    Book: {eq}`eq-linear-attention`.
    """
    return _attend(lambda s: weights.linear_weights(s, lam), X, k, v)

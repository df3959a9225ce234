"""The weights that each attention predictor gives to the tokens, from their scores s_l = X_l.k."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from slrlib import checks, special

_at = checks.compiled(s=checks.vectors, lam=checks.nonnegative)


@checks.compiled(s=checks.vectors)
def argmax_weights(s: ArrayLike) -> jax.Array:
    """Compute argmax weights: one for the highest score, zero for the others.

    Parameters
    ----------
    s : array_like
        Scores X k of the L tokens, of shape (..., L).

    Returns
    -------
    jax.Array
        The weights, of shape (..., L).

    Examples
    --------
    >>> [float(w) for w in argmax_weights([0.0, 3.0, 1.0])]
    [0.0, 1.0, 0.0]

    Book: {eq}`eq-argmax` (equation (1) of the paper).
    """
    return jax.nn.one_hot(jnp.argmax(s, axis=-1), jnp.shape(s)[-1], dtype=jnp.result_type(s))


@_at
def softmax_weights(s: ArrayLike, lam: ArrayLike) -> jax.Array:
    """Compute softmax weights exp(lam s_l) / sum_m exp(lam s_m), positive with sum one.

    Parameters
    ----------
    s : array_like
        Scores X k of the L tokens, of shape (..., L).
    lam : array_like
        Inverse temperature lambda >= 0, of a shape that broadcasts with the scores, (..., L).

    Returns
    -------
    jax.Array
        The weights, of shape (..., L).

    Examples
    --------
    >>> [round(float(w), 4) for w in softmax_weights([0.0, 3.0], 1.0)]
    [0.0474, 0.9526]

    Book: {eq}`eq-softmax` (equation (2) of the paper).
    """
    highest = jax.lax.stop_gradient(jnp.max(s, axis=-1, keepdims=True))
    return jax.nn.softmax(lam * (s - highest), axis=-1)  # lam s alone rounds too coarsely


@_at
def erf_weights(s: ArrayLike, lam: ArrayLike) -> jax.Array:
    """Compute erf weights erf(lam s_l), each between -1 and 1; their sum is not fixed.

    Parameters
    ----------
    s : array_like
        Scores X k of the L tokens, of shape (..., L).
    lam : array_like
        Inverse temperature lambda >= 0, of a shape that broadcasts with the scores, (..., L).

    Returns
    -------
    jax.Array
        The weights, of shape (..., L).

    Examples
    --------
    >>> [round(float(w), 4) for w in erf_weights([0.0, 3.0], 0.5)]
    [0.0, 0.9661]

    Book: {eq}`eq-erf` (equation (3) of the paper).
    """
    return special.erf(lam * s)


@_at
def linear_weights(s: ArrayLike, lam: ArrayLike) -> jax.Array:
    """Compute linear weights lam s_l, to which erf(lam s_l) sqrt(pi) / 2 tends for small lam.

    Parameters
    ----------
    s : array_like
        Scores X k of the L tokens, of shape (..., L).
    lam : array_like
        Inverse temperature lambda >= 0, of a shape that broadcasts with the scores, (..., L).

    Returns
    -------
    jax.Array
        The weights, of shape (..., L).

    Examples
    --------
    >>> [float(w) for w in linear_weights([0.0, 3.0], 0.5)]
    [0.0, 1.5]

    Book: {eq}`eq-linear-attention`.
    """
    return jnp.multiply(lam, s)

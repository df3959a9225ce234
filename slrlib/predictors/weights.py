"""From scores s = X k, one a token, to the weights that each predictor gives to the tokens."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from slrlib import checks, special

_at = checks.compiled(s=checks.vectors, lam=checks.nonnegative)


@checks.compiled(s=checks.vectors)
def argmax_weights(s: ArrayLike) -> jax.Array:
    """One for the highest score, zero for the others.

    Book: {eq}`eq-argmax` (equation (1) of the paper).
    """
    return jax.nn.one_hot(jnp.argmax(s, axis=-1), jnp.shape(s)[-1], dtype=jnp.result_type(s))


@_at
def softmax_weights(s: ArrayLike, lam: ArrayLike) -> jax.Array:
    """exp(lam s_l) over its sum: positive, and their sum is one.

    Book: {eq}`eq-softmax` (equation (2) of the paper).
    """
    highest = jax.lax.stop_gradient(jnp.max(s, axis=-1, keepdims=True))
    return jax.nn.softmax(lam * (s - highest), axis=-1)  # rounding of lam s can be a large number


@_at
def erf_weights(s: ArrayLike, lam: ArrayLike) -> jax.Array:
    """erf(lam s_l), token by token: between -1 and 1, and free to sum to anything.

    Book: {eq}`eq-erf` (equation (3) of the paper).
    """
    return special.erf(lam * s)


@_at
def linear_weights(s: ArrayLike, lam: ArrayLike) -> jax.Array:
    """lam s_l: what remains of erf(lam s_l), up to 2/sqrt(pi), when lam is small.

    Book: {eq}`eq-linear-attention`.
    """
    return jnp.multiply(lam, s)

"""Several heads of erf attention, one after the other, each with its own k and v."""

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.predictors.weights import erf_weights


def erf_attention(X: ArrayLike, K: ArrayLike, V: ArrayLike, lam: ArrayLike) -> jax.Array:
    """The sum over heads of erf(lam X k_h)^T X v_h, of shape (...).

    ``X`` has shape (..., L, d), ``K`` and ``V`` have shape (H, d).

    Book: {eq}`eq-several-heads` (equation (31) of the paper).
    """
    X = checks.ends_in("X", X, (None, None))
    K = checks.ends_in("K", K, (None, *X.shape[-1:]))
    V = checks.ends_in("V", V, K.shape[-2:])
    return _attended(X, K, V, checks.nonnegative("lam", lam))


@jax.jit
def _attended(X, K, V, lam):
    return jnp.sum(erf_weights(X @ K.T, lam) * (X @ V.T), axis=(-2, -1))

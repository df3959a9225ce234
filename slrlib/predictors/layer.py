"""One attention head over [CLS] and the tokens, read at its [CLS] row, is the softmax predictor."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.predictors.attention import tokens


class Head(NamedTuple):
    """The matrices of one head: ``query``, ``key`` (d, h), ``value`` (d, e) and ``output`` (e, m).

    Book: {eq}`eq-attention-layer` (equation (4) of the paper).
    """

    query: jax.Array
    key: jax.Array
    value: jax.Array
    output: jax.Array


_ASKED = {"X": tokens} | dict.fromkeys(("cls", "query", "key"), checks.finite)


@checks.compiled(static="mask_cls", **_ASKED, mask_cls=checks.flag)
def cls_weights(
    X: ArrayLike, cls: ArrayLike, query: ArrayLike, key: ArrayLike, mask_cls: bool = False
) -> jax.Array:
    """The attention that [CLS] pays to itself and to the L tokens, of shape (..., 1 + L).

    With ``mask_cls`` it does not see itself, and its own weight is zero.

    Book: {eq}`eq-cls-row` (equation (5) of the paper).
    """
    cls = checks.ends_in("cls", cls, jnp.shape(X)[-1:])
    query = checks.ends_in("query", query, (jnp.shape(X)[-1], None))
    key = checks.ends_in("key", key, query.shape[-2:])
    asked = (cls @ query) / sqrt(query.shape[-1])
    own = -jnp.inf if mask_cls else jnp.sum(asked * (cls @ key))
    scores = (X @ key) @ asked
    own = jnp.full((*scores.shape[:-1], 1), own, scores.dtype)
    return jax.nn.softmax(jnp.concatenate([own, scores], axis=-1), axis=-1)


@checks.compiled(
    static="mask_cls", **_ASKED, value=checks.finite, output=checks.finite, mask_cls=checks.flag
)
def cls_attention(
    X: ArrayLike,
    cls: ArrayLike,
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    output: ArrayLike,
    mask_cls: bool = False,
) -> jax.Array:
    """The [CLS] row of the attention layer, of shape (..., m); ``cls`` has shape (d,).

    Book: {eq}`eq-cls-row` (equation (5) of the paper).
    """
    cls = checks.ends_in("cls", cls, jnp.shape(X)[-1:])
    weights = cls_weights(X, cls, query, key, mask_cls)
    value = checks.ends_in("value", value, (cls.shape[-1], None))
    output = checks.ends_in("output", output, (value.shape[-1], None))
    from_cls = jnp.einsum("...,e->...e", weights[..., 0], cls @ value)
    from_tokens = jnp.einsum("...l,...le->...e", weights[..., 1:], X @ value)
    return (from_cls + from_tokens) @ output


@checks.compiled(
    k=checks.vectors, v=checks.finite, lam=checks.nonnegative, cls=checks.nonzero_vectors
)
def matrices_of(k: ArrayLike, v: ArrayLike, lam: ArrayLike, cls: ArrayLike) -> Head:
    """A head of width one whose [CLS] row is ``softmax_attention(X, k, v, lam)``.

    Exactly so when [CLS] is masked as a key. If it attends to itself, with weight a0, the row is
    (1 - a0) times that prediction, plus a0 cls.v.

    Book: {eq}`eq-identity` (section 3 of the paper).
    """
    k = checks.vectors("k", k)
    v, cls = checks.ends_in("v", v, k.shape), checks.ends_in("cls", cls, k.shape)
    query = jnp.multiply(lam, cls) / jnp.sum(cls * cls)
    return Head(query[:, None], k[:, None], v[:, None], jnp.ones((1, 1), v.dtype))

"""The [CLS] row of a one-head attention layer, and matrices that make it softmax attention."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.predictors.attention import tokens


class Head(NamedTuple):
    """Hold the matrices of one attention head.

    Parameters
    ----------
    query : jax.Array
        W_Q, of shape (d, h).
    key : jax.Array
        W_K, of shape (d, h).
    value : jax.Array
        W_V, of shape (d, e).
    output : jax.Array
        W_O, of shape (e, m).

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
    """Compute the attention weights of [CLS] on itself and on the L tokens.

    They are softmax(cls W_Q W_K^T [cls; X]^T / sqrt(h)).

    Parameters
    ----------
    X : array_like
        Tokens, of shape (..., L, d).
    cls : array_like
        The [CLS] token, of shape (d,).
    query : array_like
        W_Q, of shape (d, h).
    key : array_like
        W_K, of shape (d, h).
    mask_cls : bool
        Whether [CLS] is masked as a key, so that its own weight is zero.

    Returns
    -------
    jax.Array
        The weights, of shape (..., 1 + L), that of [CLS] first.

    Examples
    --------
    >>> W, cls = [[1.0], [0.0]], [1.0, 0.0]
    >>> w = cls_weights([[1.0, 0.0], [0.0, 1.0]], cls, W, W, mask_cls=True)
    >>> [round(float(x), 4) for x in w]
    [0.0, 0.7311, 0.2689]

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
    """Compute the [CLS] row of the output of an attention layer with one head.

    It is the weights of ``cls_weights`` times [cls; X] W_V W_O.

    Parameters
    ----------
    X : array_like
        Tokens, of shape (..., L, d).
    cls : array_like
        The [CLS] token, of shape (d,).
    query : array_like
        W_Q, of shape (d, h).
    key : array_like
        W_K, of shape (d, h).
    value : array_like
        W_V, of shape (d, e).
    output : array_like
        W_O, of shape (e, m).
    mask_cls : bool
        Whether [CLS] is masked as a key.

    Returns
    -------
    jax.Array
        The row, of shape (..., m).

    Examples
    --------
    >>> head = matrices_of(k=[1.0, 0.0], v=[0.0, 1.0], lam=1.0, cls=[1.0, 0.0])
    >>> y = cls_attention([[3.0, 1.0], [0.0, 5.0]], [1.0, 0.0], *head, mask_cls=True)
    >>> round(float(y[0]), 4)
    1.1897

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
    """Construct a head of width one whose [CLS] row is ``softmax_attention(X, k, v, lam)``.

    The two are equal if [CLS] is masked as a key. If [CLS] gives itself the weight a_0, the row is
    (1 - a_0) times that prediction, plus a_0 cls.v.

    Parameters
    ----------
    k : array_like
        Direction of the scores, of shape (d,).
    v : array_like
        Direction of the values, of shape (d,).
    lam : array_like
        Inverse temperature lambda >= 0, a scalar.
    cls : array_like
        The [CLS] token, nonzero, of shape (d,).

    Returns
    -------
    Head
        W_Q, W_K and W_V of shape (d, 1), and W_O of shape (1, 1).

    Examples
    --------
    >>> matrices_of(k=[1.0, 0.0], v=[0.0, 1.0], lam=1.0, cls=[2.0, 0.0]).query.tolist()
    [[0.5], [0.0]]

    Book: {eq}`eq-identity` (section 3 of the paper).
    """
    k = checks.vectors("k", k)
    v, cls = checks.ends_in("v", v, k.shape), checks.ends_in("cls", cls, k.shape)
    query = jnp.multiply(lam, cls) / jnp.sum(cls * cls)
    return Head(query[:, None], k[:, None], v[:, None], jnp.ones((1, 1), v.dtype))

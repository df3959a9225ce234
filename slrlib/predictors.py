"""Predictors of the label: linear ones, attention, and the Bayes predictor.

Book: {doc}`notation` (symbols, names in code, units).
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from slrlib import checks, special
from slrlib.task import Task, Teacher

__all__ = [
    "argmax_attention",
    "argmax_weights",
    "bayes",
    "bayes_weights",
    "best_linear",
    "erf_attention",
    "erf_weights",
    "linear",
    "linear_attention",
    "linear_weights",
    "softmax_attention",
    "softmax_weights",
]


_of_scores = checks.compiled(s=checks.vectors, lam=checks.nonnegative)


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


@_of_scores
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
    return jax.nn.softmax(lam * (s - highest), axis=-1)  # lam * s alone loses precision


@_of_scores
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


@_of_scores
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
    return _attend(argmax_weights, X, k, v)


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
    return _attend(lambda s: softmax_weights(s, lam), X, k, v)


@_at
def erf_attention(X: ArrayLike, k: ArrayLike, v: ArrayLike, lam: ArrayLike) -> jax.Array:
    """Predict with the paper's attention, erf(lam X k)^T X v.

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
    >>> round(float(erf_attention([[3.0, 1.0], [0.0, 5.0]], [1.0, 0.0], [0.0, 1.0], 0.5)), 4)
    0.9661

    Book: {eq}`eq-erf` (equation (3) of the paper).
    """
    return _attend(lambda s: erf_weights(s, lam), X, k, v)


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
    return _attend(lambda s: linear_weights(s, lam), X, k, v)


@checks.compiled(X=tokens, beta=checks.finite)
def linear(X: ArrayLike, beta: ArrayLike) -> jax.Array:
    """Predict sum_l X_l.beta_l, with one direction for each location.

    Parameters
    ----------
    X : array_like
        Tokens, of shape (..., L, d).
    beta : array_like
        Directions, of shape (L, d).

    Returns
    -------
    jax.Array
        The predictions, of shape (...).

    Examples
    --------
    >>> float(linear([[3.0, 1.0], [0.0, 5.0]], [[0.0, 1.0], [0.0, 2.0]]))
    11.0

    Book: {eq}`eq-best-linear` (Proposition 3 of the paper).
    """
    beta = checks.ends_in("beta", beta, jnp.shape(X)[-2:])
    return jnp.einsum("...ld,...ld->...", X, beta)


def best_linear(task: Task, teacher: Teacher) -> jax.Array:
    """Compute the directions of the linear predictor with the least risk.

    They are beta_l = p_l gamma^2 / (1 - p_l + p_l gamma^2) v*.

    Parameters
    ----------
    task : Task
        The task (d, L, gamma, p).
    teacher : Teacher
        One teacher (k*, v*), of shapes (d,).

    Returns
    -------
    jax.Array
        The directions beta_l for ``linear``, of shape (L, d).

    Examples
    --------
    >>> beta = best_linear(Task(d=2, L=2, gamma=1.0), Teacher([1.0, 0.0], [0.0, 1.0]))
    >>> beta.tolist()
    [[0.0, 0.5], [0.0, 0.5]]

    Book: {eq}`eq-best-linear` (Proposition 3 of the paper).
    """
    _, v_star = checks.teacher(teacher)
    task = checks.task(task, d=v_star.shape[-1])
    p, power = task.probabilities, task.gamma**2
    size = p * power / (1.0 - p + p * power)
    return size[..., :, None] * v_star[..., None, :]


def bayes_weights(X: ArrayLike, task: Task, teacher: Teacher) -> jax.Array:
    """Compute the posterior probability of each location given the tokens and the teacher.

    With gamma = 1 and a uniform location these are the softmax weights at k = k*, lam = sqrt(d/2).
    The computation is in double precision.

    Parameters
    ----------
    X : array_like
        Tokens, of shape (..., L, d).
    task : Task
        The task; d and L must be those of ``X``.
    teacher : Teacher
        The teacher (k*, v*), of shapes (d,).

    Returns
    -------
    jax.Array
        The weights, of shape (..., L).

    Examples
    --------
    >>> teacher = Teacher([1.0, 0.0], [0.0, 1.0])
    >>> w = bayes_weights([[1.0, 2.0], [0.0, 0.0]], Task(d=2, L=2, gamma=1.0), teacher)
    >>> [round(float(x), 4) for x in w]
    [0.7311, 0.2689]

    Book: {eq}`eq-bayes` (not in the paper; softmax reaching the Bayes risk is known since
    Duranthon and others, 2025).
    """
    return jnp.asarray(_read(X, task, teacher)[0])


@checks.in_double  # 1 / gamma^2 and |X|^2 can be too large for single precision
def _read(X, task, teacher):
    """Compute the posterior probabilities of the locations, and the label that they predict."""
    k_star, v_star = checks.teacher(teacher)
    X = checks.ends_in("X", X, (None, k_star.shape[-1]))
    checks.task(task, d=X.shape[-1], L=X.shape[-2])
    return _posterior(X, task, k_star, v_star)


@jax.jit
def _posterior(X, task, k_star, v_star):
    away = X - jnp.broadcast_to(task.signal * k_star, X.shape)  # not |X|^2 - ..., which cancels
    log_odds = jnp.sum(X * X, axis=-1) - jnp.sum((away / task.gamma) ** 2, axis=-1)
    log_odds = 0.5 * log_odds
    if task.p is not None:
        log_odds = log_odds + jnp.broadcast_to(jnp.log(task.p), log_odds.shape)
    weights = jax.nn.softmax(log_odds, axis=-1)
    return weights, jnp.sum(weights * (X @ v_star), axis=-1)


def bayes(X: ArrayLike, task: Task, teacher: Teacher) -> jax.Array:
    """Compute E[Y | X], the best of all predictors that know the teacher.

    The computation is in double precision.

    Parameters
    ----------
    X : array_like
        Tokens, of shape (..., L, d).
    task : Task
        The task; d and L must be those of ``X``.
    teacher : Teacher
        The teacher (k*, v*), of shapes (d,).

    Returns
    -------
    jax.Array
        The predictions, of shape (...).

    Examples
    --------
    >>> teacher = Teacher([1.0, 0.0], [0.0, 1.0])
    >>> y = bayes([[1.0, 2.0], [0.0, 0.0]], Task(d=2, L=2, gamma=1.0), teacher)
    >>> round(float(y), 4)
    1.4621

    Book: {eq}`eq-bayes` (not in the paper).
    """
    return jnp.asarray(_read(X, task, teacher)[1])

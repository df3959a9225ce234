"""The Bayes predictor: the posterior of the location, and the expected label under it."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.task import Task, Teacher


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
    return jnp.asarray(_weights(X, task, teacher))


@checks.in_double  # 1 / gamma^2 and |X|^2 can be too large for single precision
def _weights(X, task, teacher):
    k_star, _ = checks.teacher(teacher)
    X = checks.ends_in("X", X, (None, k_star.shape[-1]))
    checks.task(task, d=X.shape[-1], L=X.shape[-2])
    return _posterior(X, task, k_star)


@jax.jit
def _posterior(X, task, k_star):
    away = X - jnp.broadcast_to(task.signal * k_star, X.shape)  # not |X|^2 - ..., which cancels
    log_odds = jnp.sum(X * X, axis=-1) - jnp.sum((away / task.gamma) ** 2, axis=-1)
    log_odds = 0.5 * log_odds
    if task.p is not None:
        log_odds = log_odds + jnp.broadcast_to(jnp.log(task.p), log_odds.shape)
    return jax.nn.softmax(log_odds, axis=-1)


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
    return jnp.asarray(_label(X, task, teacher))


@checks.in_double
def _label(X, task, teacher):
    k_star, v_star = checks.teacher(teacher)
    X = checks.ends_in("X", X, (None, k_star.shape[-1]))
    checks.task(task, d=X.shape[-1], L=X.shape[-2])
    return _mean_label(X, task, k_star, v_star)


@jax.jit
def _mean_label(X, task, k_star, v_star):
    return jnp.sum(_posterior(X, task, k_star) * (X @ v_star), axis=-1)

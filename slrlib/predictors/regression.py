"""Linear predictors: no weights that depend on the tokens."""

from __future__ import annotations

from functools import partial

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.predictors.attention import tokens
from slrlib.task import Task, Teacher


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
    L = checks.count("task.L", checks.task(task, d=v_star.shape[-1]).L)
    return _best(task, v_star, L)


@partial(jax.jit, static_argnames="L")
def _best(task, v_star, L):
    p = jnp.full(L, 1.0 / L) if task.p is None else task.p
    power = task.gamma**2
    size = p * power / (1.0 - p + p * power)
    return size[..., :, None] * v_star[..., None, :]

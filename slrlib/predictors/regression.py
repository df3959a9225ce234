"""Predictors that do not look for the token: linear in X."""

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
    """sum_l X_l.beta_l, with one direction for each place; ``beta`` has shape (L, d).

    Book: {eq}`eq-best-linear` (Proposition 3 of the paper).
    """
    beta = checks.ends_in("beta", beta, jnp.shape(X)[-2:])
    return jnp.einsum("...ld,...ld->...", X, beta)


def best_linear(task: Task, teacher: Teacher) -> jax.Array:
    """The directions of the best linear predictor, of shape (L, d).

    Book: {eq}`eq-best-linear` (Proposition 3 of the paper).
    """
    _, v_star = checks.teacher(teacher)
    L = checks.count("task.L", checks.task(task, d=v_star.shape[-1]).L)
    checks.room(L * v_star.shape[-1], L=L, d=v_star.shape[-1])
    return _best(task, v_star, L)


@partial(jax.jit, static_argnames="L")
def _best(task, v_star, L):
    p = jnp.full(L, 1.0 / L) if task.p is None else task.p
    power = task.gamma**2
    size = p * power / (1.0 - p + p * power)
    return size[..., :, None] * v_star[..., None, :]

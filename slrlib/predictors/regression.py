"""Predictors that do not look for the token: linear in X, and nothing at all."""

from functools import partial

import jax
import jax.numpy as jnp

from slrlib import _door
from slrlib.predictors.attention import _tokens


@_door.compiled(X=_tokens, beta=_door.finite)
def linear(X, beta):
    """sum_l X_l.beta_l, with one direction for each place; ``beta`` has shape (L, d).

    Book: {eq}`eq-best-linear` (Proposition 3 of the paper).
    """
    beta = _door.ends_in("beta", beta, X.shape[-2:])
    return jnp.einsum("...ld,...ld->...", X, beta)


def best_linear(task, teacher):
    """The directions of the best linear predictor, of shape (L, d).

    Book: {eq}`eq-best-linear` (Proposition 3 of the paper).
    """
    _, v_star = _door.teacher(teacher)
    L = _door.count("task.L", _door.task(task, d=v_star.shape[-1]).L)
    return _best(task, v_star, L)


@partial(jax.jit, static_argnames="L")
def _best(task, v_star, L):
    p = jnp.full(L, 1.0 / L) if task.p is None else task.p
    power = task.gamma**2
    size = p * power / (1.0 - p + p * power)
    return size[..., :, None] * v_star[..., None, :]


@_door.compiled(X=_tokens)
def null(X):
    """The predictor that always says zero.

    Book: {eq}`eq-null`.
    """
    return jnp.zeros(X.shape[:-2], X.dtype)

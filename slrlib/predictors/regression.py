"""Predictors that do not look for the token: linear in X, and nothing at all."""

import jax.numpy as jnp

from slrlib import _door


def linear(X, beta):
    """sum_l X_l.beta_l, with one direction for each place; ``beta`` has shape (L, d).

    Book: {eq}`eq-best-linear` (Proposition 3 of the paper).
    """
    X = _door.ends_in("X", X, (None, None))
    beta = _door.ends_in("beta", beta, X.shape[-2:])
    return jnp.einsum("...ld,...ld->...", X, beta)


def best_linear(task, teacher):
    """The directions of the best linear predictor, of shape (L, d).

    Book: {eq}`eq-best-linear` (Proposition 3 of the paper).
    """
    _, v_star = _door.teacher(teacher)
    p = _door.task(task, d=v_star.shape[-1]).probabilities
    power = task.gamma**2
    size = p * power / (1.0 - p + p * power)
    return size[..., :, None] * v_star[..., None, :]


def null(X):
    """The predictor that always says zero.

    Book: {eq}`eq-null`.
    """
    X = _door.ends_in("X", X, (None, None))
    return jnp.zeros(X.shape[:-2], X.dtype)

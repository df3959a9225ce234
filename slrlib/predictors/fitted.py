"""Linear predictors fitted to n sequences: least squares, the Lasso, the group Lasso.

Each returns one direction for each location, ``beta`` of shape (L, d), for ``linear(X, beta)``.
The penalized fits minimize ``|y - X beta|^2 / (2 n)`` plus the penalty by accelerated proximal
gradient steps, which use the sequences only through two moments.
"""

from __future__ import annotations

from functools import partial

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from slrlib import checks


def _sequences(name, X):
    return checks.ends_in(name, X, (None, None, None))


_of_data = checks.compiled(X=_sequences, y=checks.finite)


def _flat(X, y):
    """Reshape the sequences to rows of length L d; return them, the labels and (L, d)."""
    return jnp.reshape(X, (X.shape[0], -1)), checks.ends_in("y", y, X.shape[:1]), X.shape[1:]


@_of_data
def least_squares(X: ArrayLike, y: ArrayLike) -> jax.Array:
    """Fit a linear predictor by least squares; among equally good fits, the one of minimum norm.

    Parameters
    ----------
    X : array_like
        Tokens of n sequences, of shape (n, L, d).
    y : array_like
        Labels, of shape (n,).

    Returns
    -------
    jax.Array
        One direction beta_l for each location, of shape (L, d).

    Examples
    --------
    >>> X, y = jnp.eye(4).reshape(4, 2, 2), jnp.array([3.0, 4.0, 6.0, 8.0])
    >>> jnp.round(least_squares(X, y), 3).tolist()
    [[3.0, 4.0], [6.0, 8.0]]

    Book: {eq}`eq-least-squares` (section 4 of the paper, which leaves the fit to the reader).
    """
    rows, y, shape = _flat(X, y)
    if rows.shape[0] > rows.shape[1]:  # the triangle of QR gives the same fit
        frame, rows = jnp.linalg.qr(rows)
        y = y @ frame
    return jnp.reshape(jnp.linalg.lstsq(rows, y)[0], shape)


def lasso(X: ArrayLike, y: ArrayLike, penalty: ArrayLike, *, steps: int = 500) -> jax.Array:
    """Fit by the Lasso: minimize |y - X beta|^2 / (2 n) + penalty |beta|_1.

    Parameters
    ----------
    X : array_like
        Tokens of n sequences, of shape (n, L, d).
    y : array_like
        Labels, of shape (n,).
    penalty : float
        Weight mu >= 0 of the sum of the absolute values of beta.
    steps : int
        Number of proximal gradient steps.

    Returns
    -------
    jax.Array
        One direction beta_l for each location, of shape (L, d).

    Examples
    --------
    >>> X, y = jnp.eye(4).reshape(4, 2, 2), jnp.array([3.0, 4.0, 6.0, 8.0])
    >>> jnp.round(lasso(X, y, 0.25), 3).tolist()
    [[2.0, 3.0], [5.0, 7.0]]

    Book: {eq}`eq-lasso`.
    """
    return _fit(_nearer_zero, X, y, penalty, steps)


def group_lasso(X: ArrayLike, y: ArrayLike, penalty: ArrayLike, *, steps: int = 500) -> jax.Array:
    """Fit by the group Lasso: minimize |y - X beta|^2 / (2 n) + penalty sum_l |beta_l|.

    Parameters
    ----------
    X : array_like
        Tokens of n sequences, of shape (n, L, d).
    y : array_like
        Labels, of shape (n,).
    penalty : float
        Weight mu >= 0 of the sum over locations of the Euclidean norm of beta_l.
    steps : int
        Number of proximal gradient steps.

    Returns
    -------
    jax.Array
        One direction beta_l for each location, of shape (L, d).

    Examples
    --------
    >>> X, y = jnp.eye(4).reshape(4, 2, 2), jnp.array([3.0, 4.0, 6.0, 8.0])
    >>> jnp.round(group_lasso(X, y, 0.25), 3).tolist()
    [[2.4, 3.2], [5.4, 7.2]]

    Book: {eq}`eq-group-lasso`.
    """
    return _fit(_shorter, X, y, penalty, steps)


def _nearer_zero(beta, by):
    return jnp.sign(beta) * jnp.maximum(jnp.abs(beta) - by, 0.0)


def _shorter(beta, by):
    length = jnp.linalg.norm(beta, axis=-1, keepdims=True)
    return beta * (1.0 - jnp.minimum(by / jnp.where(length > 0, length, 1.0), 1.0))


def _fit(shrunk, X, y, penalty, steps):
    moments, target = _moments(X, y)
    penalty = checks.one("penalty", checks.nonnegative("penalty", penalty))
    steps = checks.count("steps", steps)
    return _descend(moments, target, penalty, shrunk, jnp.shape(X)[1:], steps)


@_of_data
def _moments(X, y):
    """Compute both moments; a separate program, so that the descent is compiled once for all n."""
    rows, y, _ = _flat(X, y)
    return rows.T @ rows / rows.shape[0], rows.T @ y / rows.shape[0]


@partial(jax.jit, static_argnames=("shrunk", "shape", "steps"))
def _descend(moments, target, penalty, shrunk, shape, steps):
    """Make ``steps`` proximal gradient steps, and reset the momentum when it points uphill."""
    penalty = jnp.asarray(penalty, moments.dtype)
    steepest = jnp.linalg.eigvalsh(moments)[-1]
    size = jnp.where(steepest > 0, 1.0 / jnp.where(steepest > 0, steepest, 1.0), 0.0)

    def step(state, _):
        beta, ahead, t = state
        moved = ahead - size * (moments @ ahead - target)
        new = shrunk(jnp.reshape(moved, shape), size * penalty).ravel()
        uphill = jnp.sum((ahead - new) * (new - beta)) > 0
        longer = jnp.where(uphill, 1.0, (1.0 + jnp.sqrt(1.0 + 4.0 * t**2)) / 2.0)
        push = jnp.where(uphill, 0.0, (t - 1.0) / longer)
        return (new, new + push * (new - beta), longer), None

    start = jnp.zeros_like(target)
    one = jnp.ones((), target.dtype)
    (beta, _, _), _ = jax.lax.scan(step, (start, start, one), length=steps)
    return jnp.reshape(beta, shape)

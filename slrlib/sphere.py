"""The unit sphere of R^d: projection, steps, uniform points. Vectors lie along the last axis.

Book: {doc}`notation` (symbols, names in code, units).
"""

from __future__ import annotations

import math
from collections.abc import Callable

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from slrlib import checks

__all__ = ["project", "retract", "tangent", "uniform"]


def _inner(x, y):
    return jnp.sum(x * y, axis=-1, keepdims=True)


@checks.compiled(point=checks.nonzero_vectors)
def project(point: ArrayLike) -> jax.Array:
    """Compute the point of the unit sphere nearest to ``point``, which is point / |point|.

    Parameters
    ----------
    point : array_like
        Nonzero vectors, of shape (..., d).

    Returns
    -------
    jax.Array
        Unit vectors, of shape (..., d).

    Examples
    --------
    >>> [round(float(x), 4) for x in project([3.0, 4.0])]
    [0.6, 0.8]

    Book: {eq}`eq-retraction` (the projection of Definition 1 of the paper).
    """
    return jnp.divide(point, jnp.sqrt(_inner(point, point)))


@checks.compiled(point=checks.vectors, vector=checks.finite)
def tangent(point: ArrayLike, vector: ArrayLike) -> jax.Array:
    """Project ``vector`` onto the tangent space of the sphere at ``point``.

    Parameters
    ----------
    point : array_like
        Unit vectors, of shape (..., d).
    vector : array_like
        Vectors, of shape (..., d).

    Returns
    -------
    jax.Array
        Tangent vectors (I - point point^T) vector, of shape (..., d).

    Examples
    --------
    >>> [round(float(x), 4) for x in tangent([1.0, 0.0], [2.0, 3.0])]
    [0.0, 3.0]

    Book: {eq}`eq-tangent` (Definition 1 of the paper).
    """
    vector = checks.ends_in("vector", vector, jnp.shape(point)[-1:])
    return vector - _inner(point, vector) * point


@checks.compiled(point=checks.vectors, tangent_vector=checks.finite)
def retract(point: ArrayLike, tangent_vector: ArrayLike) -> jax.Array:
    """Step from ``point`` along ``tangent_vector``, then project onto the sphere.

    Parameters
    ----------
    point : array_like
        Unit vectors, of shape (..., d).
    tangent_vector : array_like
        Steps, of shape (..., d).

    Returns
    -------
    jax.Array
        Unit vectors (point + tangent_vector) / |point + tangent_vector|, of shape (..., d).

    Examples
    --------
    >>> [round(float(x), 4) for x in retract([1.0, 0.0], [0.0, 0.75])]
    [0.8, 0.6]

    Book: {eq}`eq-retraction` (Definition 1 of the paper).
    """
    tangent_vector = checks.ends_in("tangent_vector", tangent_vector, jnp.shape(point)[-1:])
    return project(jnp.add(point, tangent_vector))


@checks.compiled(static=("d", "shape"), d=checks.count, shape=checks.shape)
def uniform(d: float, shape: tuple[int, ...] = (), *, key: jax.Array) -> jax.Array:
    """Sample independent uniform points of the unit sphere of R^d.

    Parameters
    ----------
    d : int
        Dimension.
    shape : tuple of int
        Shape of the batch.
    key : jax.Array
        Random key.

    Returns
    -------
    jax.Array
        Unit vectors, of shape ``(*shape, d)``.

    Examples
    --------
    >>> uniform(400, (3,), key=jax.random.key(0)).shape
    (3, 400)

    Book: {eq}`eq-uniform`.
    """
    return project(in_a_row(jax.random.normal, key, (*shape, int(d))))


def in_a_row(draw: Callable, key: jax.Array, shape: tuple[int, ...]) -> jax.Array:
    """Call ``draw`` along one axis and reshape: the same numbers, compiled three times as fast."""
    return jnp.reshape(draw(key, (math.prod(shape),)), shape)

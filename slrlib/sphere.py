"""The unit sphere of R^d: projection, steps, uniform points. Vectors lie along the last axis."""

import jax
import jax.numpy as jnp
import numpy as np

from slrlib import _door


def _inner(x, y):
    return jnp.sum(x * y, axis=-1, keepdims=True)


def project(point):
    """The point of the unit sphere nearest to ``point``, which must not be zero.

    Book: {eq}`eq-retraction` (the projection of Definition 1 of the paper).
    """
    point = _door.ends_in("point", point, (None,))
    if not _door.is_traced(point) and not np.all(np.any(np.asarray(point) != 0, axis=-1)):
        raise ValueError("point must not be zero, got a zero vector")
    return point / jnp.sqrt(_inner(point, point))


def tangent(point, vector):
    """``vector`` without its component along ``point``: a tangent vector of the sphere there.

    Book: {eq}`eq-tangent` (Definition 1 of the paper).
    """
    point = _door.ends_in("point", point, (None,))
    vector = _door.ends_in("vector", vector, point.shape[-1:])
    return vector - _inner(point, vector) * point


def retract(point, tangent_vector):
    """Step from ``point`` along ``tangent_vector``, then back to the sphere.

    Book: {eq}`eq-retraction` (Definition 1 of the paper).
    """
    point = _door.ends_in("point", point, (None,))
    tangent_vector = _door.ends_in("tangent_vector", tangent_vector, point.shape[-1:])
    return project(point + tangent_vector)


def uniform(d, shape=(), *, key=None):
    """Independent uniform points of the sphere of R^d, of shape ``(*shape, d)``.

    Book: {eq}`eq-uniform`.
    """
    d = _door.count("d", d)
    return project(jax.random.normal(_door.random_key(key), (*shape, d)))

"""The unit sphere of R^d: projection, steps, uniform points. Vectors lie along the last axis."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from slrlib import checks

__all__ = ["project", "retract", "tangent", "uniform"]


def _inner(x, y):
    return jnp.sum(x * y, axis=-1, keepdims=True)


@checks.compiled(point=checks.directions)
def project(point: ArrayLike) -> jax.Array:
    """The point of the unit sphere nearest to ``point``, which must not be zero.

    Book: {eq}`eq-retraction` (the projection of Definition 1 of the paper).
    """
    return jnp.divide(point, jnp.sqrt(_inner(point, point)))


@checks.compiled(point=checks.vectors, vector=checks.finite)
def tangent(point: ArrayLike, vector: ArrayLike) -> jax.Array:
    """``vector`` without its component along ``point``: a tangent vector of the sphere there.

    Book: {eq}`eq-tangent` (Definition 1 of the paper).
    """
    vector = checks.ends_in("vector", vector, jnp.shape(point)[-1:])
    return vector - _inner(point, vector) * point


def retract(point: ArrayLike, tangent_vector: ArrayLike) -> jax.Array:
    """Step from ``point`` along ``tangent_vector``, then back to the sphere.

    Book: {eq}`eq-retraction` (Definition 1 of the paper).
    """
    point = checks.vectors("point", point)
    tangent_vector = checks.ends_in("tangent_vector", tangent_vector, jnp.shape(point)[-1:])
    checks.broadcasts(point=jnp.shape(point), tangent_vector=jnp.shape(tangent_vector))
    if not (checks.is_traced(point) or checks.is_traced(tangent_vector)):
        checks.nonzero_vectors("point + tangent_vector", np.add(point, tangent_vector))
    return _retracted(point, tangent_vector)


@jax.jit
def _retracted(point, tangent_vector):
    return project(point + tangent_vector)


def uniform(d: float, shape: tuple[int, ...] = (), *, key: jax.Array) -> jax.Array:
    """Independent uniform points of the sphere of R^d, of shape ``(*shape, d)``.

    Book: {eq}`eq-uniform`.
    """
    d, shape = checks.count("d", d), checks.shape("shape", shape)
    checks.room(math.prod(shape) * d, shape=math.prod(shape), d=d)
    return _uniform(checks.random_key(key), (*shape, d))


@partial(jax.jit, static_argnames="shape")
def _uniform(key, shape):
    return project(in_a_row(jax.random.normal, key, shape))


def in_a_row(draw: Callable, key: jax.Array, shape: tuple[int, ...]) -> jax.Array:
    """``draw(key, shape)`` drawn along one axis: the same numbers, compiled three times as fast."""
    return jnp.reshape(draw(key, (math.prod(shape),)), shape)

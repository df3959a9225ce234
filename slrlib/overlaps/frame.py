"""The frame: orthonormal axes that begin with k*, v*, where the pair (k, v) is seven numbers."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from slrlib import checks, sphere
from slrlib.overlaps.five import (
    Overlaps,
    broadcast,
    check_overlaps,
    possible,
    rest_of_gram,
    safe_ratio,
    safe_sqrt,
)


class Frame(NamedTuple):
    """k = (kappa, eta, a, 0) and v = (theta, nu, b, c) on orthonormal axes that begin with k*, v*.

    ``k`` has shape (..., 3), its last coordinate being zero; ``v`` has shape (..., 4); a, c >= 0.

    Book: {eq}`eq-frame`.
    """

    k: jax.Array
    v: jax.Array


@checks.compiled(o=possible)
def to_frame(o: Overlaps) -> Frame:
    """The frame of a pair with overlaps ``o``; ``from_frame`` takes it back.

    Book: {eq}`eq-frame`.
    """
    o = broadcast(o)
    k_rest, v_rest, both = rest_of_gram(o)
    a, room = safe_sqrt(k_rest), safe_sqrt(v_rest)
    # Rounding can leave |a b| a little short of |k'.v'|. The smaller of the two lengths then gives
    # way, by what the length of k or v hardly notices, and never by more than a few units.
    units = 16.0 * jnp.finfo(both.dtype).eps
    a_most = jnp.sqrt(jnp.maximum(k_rest, 0.0) + units)
    b_most = jnp.sqrt(jnp.maximum(v_rest, 0.0) + units)
    a = jnp.where(room >= a, jnp.clip(safe_ratio(jnp.abs(both), room), a, a_most), a)
    b = jnp.clip(safe_ratio(both, a), -b_most, b_most)
    c = safe_sqrt(v_rest - b * b)
    return Frame(jnp.stack([o.kappa, o.eta, a], -1), jnp.stack([o.theta, o.nu, b, c], -1))


def checked_frame(_: str, frame: Frame) -> Frame:
    """The door of ``compiled`` for a frame."""
    if not (isinstance(frame, tuple) and len(frame) == 2):
        raise ValueError(f"frame must be a Frame(k, v), got {checks.shown(frame)}")
    k, v = frame
    return Frame(checks.ends_in("frame.k", k, (3,)), checks.ends_in("frame.v", v, (4,)))


@checks.compiled(frame=checked_frame)
def from_frame(frame: Frame) -> Overlaps:
    """The overlaps of a frame.

    Book: {eq}`eq-frame`.
    """
    k, v = frame
    rho = jnp.sum(k * v[..., :3], axis=-1)
    return Overlaps(k[..., 0], v[..., 1], v[..., 0], k[..., 1], rho)


def _direction(key, shape, axes):
    """A uniform direction orthogonal to the orthonormal ``axes``."""
    x = sphere.in_a_row(jax.random.normal, key, shape)
    for _ in range(2):  # once leaves a rounding error, twice is enough
        for axis in axes:
            x = x - jnp.sum(x * axis, axis=-1, keepdims=True) * axis
        x = sphere.project(x)
    return x


def vectors_of(o: Overlaps, teacher: Any, *, key: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Unit vectors (k, v) of R^d with overlaps ``o``, otherwise uniform; of shape (..., d), d >= 4.

    Book: {eq}`eq-frame`.
    """
    k_star, v_star = checks.teacher(teacher)
    if k_star.ndim != 1 or k_star.shape[-1] < 4:
        raise ValueError(
            f"teacher must be one pair in dimension 4 or more, got shape {k_star.shape}"
        )
    o, d = check_overlaps(o), k_star.shape[-1]
    pairs = math.prod(np.broadcast_shapes(*(np.shape(x) for x in o)))
    checks.room(8 * pairs * d, overlaps=pairs, d=d)
    return _vectors(o, k_star, v_star, checks.random_key(key))


@jax.jit
def _vectors(o, k_star, v_star, key):
    key_third, key_fourth = jax.random.split(key)
    k, v = to_frame(o)
    shape = (*k.shape[:-1], k_star.shape[-1])
    k_star, v_star = jnp.broadcast_to(k_star, shape), jnp.broadcast_to(v_star, shape)
    third = _direction(key_third, shape, (k_star, v_star))
    fourth = _direction(key_fourth, shape, (k_star, v_star, third))
    axes = jnp.stack([k_star, v_star, third, fourth], -2)
    k = jnp.einsum("...i,...ij->...j", k, axes[..., :3, :])
    v = jnp.einsum("...i,...ij->...j", v, axes)
    return sphere.project(k), sphere.project(v)

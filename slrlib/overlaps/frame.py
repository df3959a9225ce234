"""The frame: orthonormal axes, the first two along k* and v*, in which (k, v) are seven numbers."""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

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
    """Hold k = (kappa, eta, a, 0) and v = (theta, nu, b, c) on orthonormal axes.

    The first two axes are k* and v*, the third completes k, and the fourth completes v.

    Parameters
    ----------
    k : array_like
        (kappa, eta, a) with a >= 0, of shape (..., 3).
    v : array_like
        (theta, nu, b, c) with c >= 0, of shape (..., 4).

    Examples
    --------
    >>> Frame(k=jnp.array([1.0, 0.0, 0.0]), v=jnp.array([0.0, 1.0, 0.0, 0.0])).v.shape
    (4,)

    Book: {eq}`eq-frame`.
    """

    k: jax.Array
    v: jax.Array


@checks.compiled(o=possible)
def to_frame(o: Overlaps) -> Frame:
    """Compute the frame of vectors (k, v) with overlaps ``o``; ``from_frame`` is the inverse.

    Parameters
    ----------
    o : Overlaps
        The overlaps of unit vectors, each of shape (...).

    Returns
    -------
    Frame
        k = (kappa, eta, a), of shape (..., 3), and v = (theta, nu, b, c), of shape (..., 4).

    Examples
    --------
    >>> frame = to_frame(Overlaps(0.6, 1.0, 0.0, 0.0, 0.0))
    >>> [round(float(x), 4) for x in frame.k]
    [0.6, 0.0, 0.8]

    Book: {eq}`eq-frame`.
    """
    o = broadcast(o)
    k_rest, v_rest, both = rest_of_gram(o)
    a, room = safe_sqrt(k_rest), safe_sqrt(v_rest)
    # Rounding can make |a b| slightly smaller than |k'.v'|. Then we increase the smaller of the two
    # norms, by at most a few units of rounding, so that the norm of k or v hardly changes.
    units = 16.0 * jnp.finfo(both.dtype).eps
    a_most = jnp.sqrt(jnp.maximum(k_rest, 0.0) + units)
    b_most = jnp.sqrt(jnp.maximum(v_rest, 0.0) + units)
    a = jnp.where(room >= a, jnp.clip(safe_ratio(jnp.abs(both), room), a, a_most), a)
    b = jnp.clip(safe_ratio(both, a), -b_most, b_most)
    c = safe_sqrt(v_rest - b * b)
    return Frame(jnp.stack([o.kappa, o.eta, a], -1), jnp.stack([o.theta, o.nu, b, c], -1))


def checked_frame(_: str, frame: Frame) -> Frame:
    """Check an argument of ``compiled`` that must be a frame."""
    if not (isinstance(frame, tuple) and len(frame) == 2):
        raise ValueError(f"frame must be a Frame(k, v), got {checks.shown(frame)}")
    k, v = frame
    return Frame(checks.ends_in("frame.k", k, (3,)), checks.ends_in("frame.v", v, (4,)))


@checks.compiled(frame=checked_frame)
def from_frame(frame: Frame) -> Overlaps:
    """Compute the overlaps of a frame; ``to_frame`` is the inverse.

    Parameters
    ----------
    frame : Frame
        k = (kappa, eta, a), of shape (..., 3), and v = (theta, nu, b, c), of shape (..., 4).

    Returns
    -------
    Overlaps
        The five overlaps, each of shape (...).

    Examples
    --------
    >>> o = from_frame(Frame(jnp.array([0.6, 0.0, 0.8]), jnp.array([0.0, 0.0, 1.0, 0.0])))
    >>> round(float(o.rho), 4)
    0.8

    Book: {eq}`eq-frame`.
    """
    k, v = frame
    rho = jnp.sum(k * v[..., :3], axis=-1)
    return Overlaps(k[..., 0], v[..., 1], v[..., 0], k[..., 1], rho)


def _direction(key, shape, axes):
    """Sample a uniform direction orthogonal to the orthonormal ``axes``."""
    x = sphere.in_a_row(jax.random.normal, key, shape)
    for _ in range(2):  # the second pass removes the rounding error of the first
        for axis in axes:
            x = x - jnp.sum(x * axis, axis=-1, keepdims=True) * axis
        x = sphere.project(x)
    return x


def vectors_of(o: Overlaps, teacher: Any, *, key: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Sample unit vectors (k, v) of R^d with given overlaps, otherwise uniform.

    Parameters
    ----------
    o : Overlaps
        The overlaps of unit vectors, each of shape (...).
    teacher : Teacher
        One teacher (k*, v*), of shapes (d,), with d >= 4.
    key : jax.Array
        Random key.

    Returns
    -------
    tuple of jax.Array
        k and v, each of shape (..., d).

    Examples
    --------
    >>> from slrlib import Teacher
    >>> o, teacher = Overlaps(0.5, 0.5, 0.1, 0.0, 0.2), Teacher([1, 0, 0, 0, 0], [0, 1, 0, 0, 0])
    >>> k, v = vectors_of(o, teacher, key=jax.random.key(0))
    >>> round(float(k @ v), 4)
    0.2

    Book: {eq}`eq-frame`.
    """
    k_star, v_star = checks.teacher(teacher)
    if k_star.ndim != 1 or k_star.shape[-1] < 4:
        raise ValueError(
            f"teacher must be one pair in dimension 4 or more, got shape {k_star.shape}"
        )
    return _vectors(check_overlaps(o), k_star, v_star, checks.random_key(key))


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

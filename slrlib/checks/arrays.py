"""Vectors, shapes, random keys, tasks and teachers at the door."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from slrlib.checks.numbers import count, finite, floating, is_traced, shown, whole

_SHORT = 1e-15  # the least that the largest entry of a vector with a direction may be


def ends_in(name: str, value: Any, shape: tuple[int | None, ...]) -> jax.Array:
    """``value`` finite, its last axes of shape ``shape``; None there stands for any size."""
    value = finite(name, value)
    got = jnp.shape(value)
    tail = got[max(len(got) - len(shape), 0) :]
    wrong = [n for n, size in zip(shape, tail, strict=False) if n not in (None, size)]
    if len(got) < len(shape) or wrong:
        wanted = "(..., " + ", ".join("any" if n is None else str(n) for n in shape) + ")"
        raise ValueError(f"{name} must have shape {wanted}, got {got}")
    return value


def vectors(name: str, value: Any) -> jax.Array:
    """``value`` finite, with vectors of any length along its last axis."""
    return ends_in(name, value, (None,))


def nonzero_vectors(name: str, value: Any) -> jax.Array:
    """The same, none of them zero, or so short that its square is."""
    found = vectors(name, value)
    if not is_traced(value):
        size = np.min(np.max(np.abs(np.asarray(found)), axis=-1, initial=0.0), initial=np.inf)
        if size < _SHORT:
            got = "a zero vector" if size == 0 else f"a vector with no entry above {size:.2g}"
            raise ValueError(f"{name} must not be zero, got {got}")
    return found


def directions(name: str, value: Any) -> jax.Array:
    """Vectors of any length but zero; what is very long or short is scaled by a power of two."""
    number = floating(name, value)
    if is_traced(value):
        return number
    array = np.asarray(number)
    if not np.all(np.isfinite(array)):
        return finite(name, value)  # which says so
    if array.ndim == 0:
        return vectors(name, value)
    size = np.max(np.abs(array), axis=-1, keepdims=True, initial=0.0)
    if np.any(size == 0):
        raise ValueError(f"{name} must not be zero, got a zero vector")
    if np.all((size > _SHORT) & (size < 1 / _SHORT)):
        return number
    return jnp.asarray(np.ldexp(array, -np.frexp(size)[1]))


def unit(name: str, value: Any, d: int, tolerance: float = 1e-5) -> jax.Array:
    """``value`` as vectors of R^d of length one, up to ``tolerance``, which float32 keeps too."""
    value = ends_in(name, value, (d,))
    if not is_traced(value):
        length = np.linalg.norm(np.asarray(value, np.float64), axis=-1)
        if np.any(np.abs(length - 1.0) > tolerance):
            worst = length.flat[np.argmax(np.abs(length - 1.0))]
            raise ValueError(
                f"{name} must be a unit vector, got norm {worst:.6g}; for any norm use "
                "risk.excess_risk_of"
            )
    return value


def shape(name: str, value: Any) -> tuple[int, ...]:
    """The shape of a batch: a tuple of whole numbers."""
    if not isinstance(value, tuple | list):
        raise ValueError(f"{name} must be a tuple of whole numbers, got {shown(value)}")
    return tuple(count(name, n, at_least=0) for n in value)


def broadcasts(**shapes: tuple[int, ...]) -> None:
    """The named shapes fit one another."""
    try:
        np.broadcast_shapes(*shapes.values())
    except ValueError:
        names, got = (" and ".join(str(x) for x in y) for y in (shapes, shapes.values()))
        raise ValueError(f"{names} must have shapes that broadcast, got {got}") from None


def random_key(key: Any) -> jax.Array:
    """One random key, new or old style."""
    if isinstance(key, jax.Array):
        if jnp.issubdtype(key.dtype, jax.dtypes.prng_key) and key.ndim == 0:
            return key
        if key.dtype == jnp.uint32 and key.ndim == 1:
            return key
    raise ValueError(f"key must be one random key such as jax.random.key(0), got {shown(key)}")


def task(value: Any, d: int | None = None, L: int | None = None) -> Any:
    """Anything with the five numbers of a Task, that fits a teacher in R^d and L tokens."""
    if not all(hasattr(value, name) for name in ("d", "L", "gamma", "noise", "p")):
        raise ValueError(f"task must be a Task(d, L, gamma, noise, p), got {shown(value)}")
    if d is not None and isinstance(value.d, float) and value.d != d:
        raise ValueError(f"teacher must live in dimension d={value.d:.0f}, got dimension {d}")
    if L is not None and isinstance(value.L, float) and value.L != L:
        raise ValueError(f"X must hold L={value.L:.0f} tokens, got {L}")
    return value


def several_tokens(_: str, value: Any) -> Any:
    """A door: a task of two tokens or more; with one token there is nothing to select."""
    whole("task.L", task(value).L, at_least=2)
    return value


def teacher(value: Any, name: str = "teacher") -> tuple[jax.Array, jax.Array]:
    """The floating arrays (k_star, v_star) of a Teacher, which was checked when it was made."""
    if not (hasattr(value, "k_star") and hasattr(value, "v_star")):
        raise ValueError(f"{name} must be a Teacher(k_star, v_star), got {shown(value)}")
    return floating("k_star", value.k_star), floating("v_star", value.v_star)


def orthonormal(k_star: Any, v_star: Any, tolerance: float = 1e-5) -> None:
    """Arrays of equal shape (..., d), each pair orthogonal and of length one, or traced."""
    k, v = vectors("k_star", k_star), vectors("v_star", v_star)
    if k.shape != v.shape:
        raise ValueError(f"k_star and v_star must have the same shape, got {k.shape} and {v.shape}")
    if not (is_traced(k_star) or is_traced(v_star)):
        k, v = np.asarray(k_star), np.asarray(v_star)
        lengths, inner = [np.linalg.norm(x, axis=-1) for x in (k, v)], np.sum(k * v, axis=-1)
        if max(np.max(np.abs(x)) for x in (lengths[0] - 1, lengths[1] - 1, inner)) > tolerance:
            raise ValueError(
                "k_star and v_star must be orthogonal and of length one, got lengths "
                f"{shown(lengths[0])} and {shown(lengths[1])} and inner product {shown(inner)}"
            )

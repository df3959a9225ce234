"""Validation of numbers: their type and size, and a short form of a wrong value."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, cast

import jax
import jax.core
import jax.numpy as jnp
import numpy as np

LARGE = 1e9  # bound of lam and gamma, such that x^4 stays finite
HUGE = 1e18  # bound of all other numbers, such that x^2 stays finite
TINY = 1e-30  # lower bound of positive numbers
_FLOATING = {np.dtype(np.float64), np.dtype(np.float32)}


def is_traced(value: object) -> bool:
    return isinstance(value, jax.core.Tracer)


def shown(value: Any) -> str:
    """A short form of ``value`` for a sentence."""
    if is_traced(value):
        return f"a traced value of shape {value.shape}"
    if isinstance(value, np.ndarray | np.generic | jax.Array | list | tuple) and _is_plain(value):
        array = np.asarray(value)
        if array.ndim == 0:
            return repr(array.item())
        text = " ".join(np.array2string(array, precision=4, threshold=6).split())
        return text if len(text) <= 60 else f"an array of shape {array.shape}"
    text = repr(value)
    return text if len(text) <= 60 else f"a {type(value).__name__}"


def _is_plain(value: Any) -> bool:
    """Whether ``value`` is a number or a full array of numbers."""
    try:
        dtype = np.asarray(value).dtype
    except Exception:  # ragged lists, random keys and other things that are no array
        return False
    return dtype.kind in "iuf" or jnp.issubdtype(dtype, jnp.floating)


def floating(name: str, value: Any) -> jax.Array:
    """Return ``value`` as floating numbers; refuse strings, None, booleans, masked entries."""
    if type(value) is float:  # the most frequent case, and the quickest
        return cast(jax.Array, value)
    if is_traced(value):
        if jnp.issubdtype(value.dtype, jnp.floating):
            return value
        if jnp.issubdtype(value.dtype, jnp.integer):
            return value.astype(float)
        raise ValueError(f"{name} must be a number, got {shown(value)} and type {value.dtype}")
    if isinstance(value, jax.Array) and value.ndim == 0 and value.dtype in _FLOATING:
        return cast(jax.Array, float(value))
    if not _is_plain(value):
        if isinstance(value, list | tuple) and any(map(is_traced, jax.tree.leaves(value))):
            kind = type(value).__name__  # of numbers, which a compiled function takes one by one
            raise ValueError(f"{name} must be an array, such as jnp.asarray of it, got a {kind}")
        if isinstance(value, np.ndarray | np.generic | jax.Array):
            raise ValueError(f"{name} must be real numbers, got dtype {value.dtype}")
        raise ValueError(f"{name} must be a number, got {shown(value)}")
    if np.ma.is_masked(value):
        raise ValueError(f"{name} must have no masked entries, got {np.ma.count_masked(value)}")
    if np.ndim(value) == 0:
        return cast(jax.Array, float(value))
    if isinstance(value, jax.Array) and jnp.issubdtype(value.dtype, jnp.floating):
        return value
    return jnp.asarray(value, dtype=float)


def _checked(name: str, value: Any, *rules: tuple[str, Callable[[np.ndarray], Any]]) -> jax.Array:
    """``value`` made floating; ``rules`` look at its numbers, also while JAX traces others."""
    number = floating(name, value)
    if not is_traced(value):
        array = number if type(number) is float else np.asarray(value)
        for allowed, holds in rules:
            good = holds(array)
            if not (good if type(array) is float else np.all(good)):
                good = np.asarray(good)
                got = shown(value)
                if good.ndim:  # name the first number that is not allowed
                    first = array[np.unravel_index(np.argmin(good), good.shape)]
                    got = f"{shown(first)} in an array of shape {good.shape}"
                raise ValueError(f"{name} must be {allowed}, got {got}")
    return number


def _at_most(most: float) -> tuple[str, Callable[[np.ndarray], Any]]:
    allowed = f"at most {most:.0e}" if math.isfinite(most) else "finite"
    return allowed, lambda x: (x <= most) & (x < np.inf)


def finite(name: str, value: Any) -> jax.Array:
    """A number of a size whose square is one in single precision too."""
    if type(value) is float and abs(value) <= HUGE:
        return cast(jax.Array, value)
    allowed = f"at most {HUGE:.0e} in size"
    return _checked(name, value, ("finite", np.isfinite), (allowed, lambda x: abs(x) <= HUGE))


def positive(name: str, value: Any, at_most: float = LARGE, at_least: float = TINY) -> jax.Array:
    """A number above zero, of a size whose square and fourth power are numbers too."""
    least = f"at least {at_least:.0e}", lambda x: x >= at_least
    return _checked(name, value, ("positive", lambda x: x > 0), _at_most(at_most), least)


def nonnegative(name: str, value: Any, at_most: float = LARGE) -> jax.Array:
    """The same, or zero."""
    return _checked(name, value, ("zero or more", lambda x: x >= 0), _at_most(at_most))


def below_one(
    name: str, value: Any, door: Callable[[str, Any], jax.Array] = nonnegative
) -> jax.Array:
    """A number below one that passes ``door`` too: an alignment, a chance."""
    return _checked(name, door(name, value), ("below 1", lambda x: x < 1))


def cosine(name: str, value: Any) -> jax.Array:
    """A number from -1 to 1, but for what single precision rounds."""
    return _checked(name, finite(name, value), ("from -1 to 1", lambda x: abs(x) <= 1 + 1e-5))


def whole(name: str, value: Any, at_least: int) -> jax.Array:
    """A whole number of at least ``at_least``; 400.0 counts as whole."""

    def holds(x):
        return np.isfinite(x) & (x >= at_least) & (np.floor(x) == x)

    return _checked(name, value, (f"a whole number of at least {at_least}", holds), _at_most(HUGE))


def count(name: str, value: Any, at_least: int = 1) -> int:
    """A concrete number of samples, steps or tokens, as a Python int."""
    if is_traced(value):
        raise ValueError(f"{name} must be a plain whole number here, got {shown(value)}")
    value = whole(name, value, at_least)
    if not isinstance(value, float):
        raise ValueError(f"{name} must be one whole number, got {shown(value)}")
    return int(value)


def one(name: str, value: jax.Array) -> jax.Array:
    """``value``, a number that has passed its door, if it is no array of several."""
    if np.ndim(value):
        raise ValueError(f"{name} must be one number, got {shown(value)}")
    return value


def one_positive(name: str, value: Any) -> float:
    """``value`` as a Python float above zero."""
    return float(one(name, positive(name, value)))


def one_number(name: str, value: Any, allowed: str, holds: Callable[[Any], Any]) -> float:
    """``value`` as a Python float for which ``holds``, which ``allowed`` says in words."""
    floating(name, value)
    return float(_checked(name, one(name, value), (allowed, holds)))


def spaced(
    steps: Any, log_every: Any, at_least: int = 0, name: str = "log_every"
) -> tuple[int, int, int]:
    """(steps, those from one row to the next, rows), for a run that logs every ``log_every``."""
    every = count(name, log_every)
    steps = count("steps", steps, at_least)
    if steps % every:
        raise ValueError(f"{name} must divide steps={steps}, got {every}")
    return steps, every, steps // every


def flag(name: str, value: Any) -> bool:
    """True or False, and nothing that merely counts as one of them."""
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"{name} must be True or False, got {shown(value)}")
    return bool(value)


def nonempty(name: str, values: Any) -> None:
    """A tuple, a list or an array that holds something."""
    if not isinstance(values, tuple | list | np.ndarray) or not len(values):
        raise ValueError(f"{name} must be a tuple of one value or more, got {shown(values)}")

"""Validation at the door: one plain sentence for a bad argument, nothing at all for a traced one.

Each function returns its argument made floating: a Python float for a scalar, a JAX array for an
array, the tracer itself inside ``jit``, ``vmap`` and ``grad``. All are declared as ``jax.Array``,
whose arithmetic they share. ``compiled`` puts doors before a function: the rest is one program.
"""

import inspect
import math
import re
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

import jax.core
import jax.numpy as jnp
import numpy as np

Body = TypeVar("Body", bound=Callable)

LARGE, HUGE = 1e9, 1e18  # the most that lam and gamma, and that d and L may be: squares stay finite


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
    """``value`` as floating numbers; strings, None, booleans and the like are refused."""
    if is_traced(value):
        if jnp.issubdtype(value.dtype, jnp.floating):
            return value
        if jnp.issubdtype(value.dtype, jnp.integer):
            return value.astype(float)
        raise ValueError(f"{name} must be a number, got {shown(value)} and type {value.dtype}")
    if not _is_plain(value):
        raise ValueError(f"{name} must be a number, got {shown(value)}")
    if np.ndim(value) == 0:
        return cast(jax.Array, float(value))
    if isinstance(value, jax.Array) and jnp.issubdtype(value.dtype, jnp.floating):
        return value
    return jnp.asarray(value, dtype=float)


def _checked(name: str, value: Any, *rules: tuple[str, Callable[[np.ndarray], Any]]) -> jax.Array:
    """``value`` made floating; ``rules`` look at its numbers, also while JAX traces others."""
    number = floating(name, value)
    if not is_traced(value):
        array = np.asarray(value)
        for allowed, holds in rules:
            good = np.asarray(holds(array))
            if not good.all():
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
    return _checked(name, value, ("finite", np.isfinite))


def positive(name: str, value: Any, at_most: float = LARGE) -> jax.Array:
    """A number above zero, of a size whose square and fourth power are numbers too."""
    return _checked(name, value, ("positive", lambda x: x > 0), _at_most(at_most))


def nonnegative(name: str, value: Any, at_most: float = LARGE) -> jax.Array:
    """The same, or zero."""
    return _checked(name, value, ("zero or more", lambda x: x >= 0), _at_most(at_most))


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


def spaced(steps: Any, log_every: Any, at_least: int = 0) -> tuple[int, int, int]:
    """(steps, those from one row to the next, rows), for a run that logs every ``log_every``."""
    every = count("log_every", log_every)
    steps = count("steps", steps, at_least)
    if steps % every:
        raise ValueError(f"log_every must divide steps={steps}, got {every}")
    return steps, every, steps // every


def flag(name: str, value: Any) -> bool:
    """True or False, and nothing that merely counts as one of them."""
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"{name} must be True or False, got {shown(value)}")
    return bool(value)


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


def unit(name: str, value: Any, d: int, tolerance: float = 1e-5) -> jax.Array:
    """``value`` as vectors of R^d of length one, up to ``tolerance``, which float32 keeps too."""
    value = ends_in(name, value, (d,))
    if not is_traced(value):
        length = np.linalg.norm(np.asarray(value, np.float64), axis=-1)
        if np.any(np.abs(length - 1.0) > tolerance):
            worst = length.flat[np.argmax(np.abs(length - 1.0))]
            raise ValueError(f"{name} must be of length one, got length {worst:.6g}")
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


def teacher(value: Any, tolerance: float = 1e-5) -> tuple[jax.Array, jax.Array]:
    """The arrays (k_star, v_star) of a teacher, of equal shape (..., d), each pair orthonormal."""
    if not (hasattr(value, "k_star") and hasattr(value, "v_star")):
        raise ValueError(f"teacher must be a Teacher(k_star, v_star), got {shown(value)}")
    k_star = ends_in("k_star", value.k_star, (None,))
    v_star = ends_in("v_star", value.v_star, (None,))
    if k_star.shape != v_star.shape:
        raise ValueError(
            f"k_star and v_star must have the same shape, got {k_star.shape} and {v_star.shape}"
        )
    if not (is_traced(value.k_star) or is_traced(value.v_star)):
        k, v = np.asarray(value.k_star), np.asarray(value.v_star)
        lengths, inner = [np.linalg.norm(x, axis=-1) for x in (k, v)], np.sum(k * v, axis=-1)
        if max(np.max(np.abs(x)) for x in (lengths[0] - 1, lengths[1] - 1, inner)) > tolerance:
            raise ValueError(
                "k_star and v_star must be orthogonal and of length one, got lengths "
                f"{shown(lengths[0])} and {shown(lengths[1])} and inner product {shown(inner)}"
            )
    return k_star, v_star


def in_double(f: Body) -> Body:
    """A decorator: whatever the precision that is set, ``f`` of concrete numbers runs in double.

    Where single precision is set, it gives arrays of NumPy, which hold doubles there too. Traced
    arguments keep the precision of their trace.
    """

    @wraps(f)
    def function(*args: Any, **named: Any) -> Any:
        leaves = jax.tree.leaves((args, named))
        if jax.config.read("jax_enable_x64") or any(is_traced(x) for x in leaves):
            return f(*args, **named)
        with jax.ensure_compile_time_eval(), jax.enable_x64(True):
            args, named = jax.tree.map(_widened, (args, named))
            return jax.tree.map(np.asarray, f(*args, **named))

    return cast(Body, function)


def _widened(x: Any) -> Any:
    """An array of floating numbers in double precision; anything else as it is."""
    if isinstance(x, jax.Array | np.ndarray) and jnp.issubdtype(x.dtype, jnp.floating):
        return np.asarray(x, np.float64)
    return x


def _do_not_fit(arguments: dict[str, Any]) -> str:
    """A sentence with the shapes of all arrays among the arguments."""
    found = {
        name + jax.tree_util.keystr(path): np.shape(x)
        for name, value in arguments.items()
        for path, x in jax.tree_util.tree_leaves_with_path(value)
        if np.shape(x)
    }
    got = ", ".join(f"{name} of shape {size}" for name, size in found.items())
    return f"arguments must have shapes that fit one another, got {got}"


def compiled(static: str | tuple[str, ...] = (), **doors: Callable) -> Callable[[Body], Body]:
    """A decorator: the named arguments pass their ``doors``, and then all runs as one program.

    A door takes the name and the value of an argument. ``task`` and ``teacher`` pass their own in
    any case, so that the body finds the pair (k_star, v_star) under ``teacher``. What depends on
    shapes alone may be checked in the body, where numbers are traced and shapes are not.
    """

    def decorated(body: Body) -> Body:
        signature, program = inspect.signature(body), jax.jit(body, static_argnames=static)
        usual = {"task": lambda _, x: task(x), "teacher": lambda _, x: teacher(x)}
        usual = {name: door for name, door in usual.items() if name in signature.parameters}

        @wraps(body)
        def function(*args: Any, **named: Any) -> Any:
            call = signature.bind(*args, **named)
            call.apply_defaults()
            for name, door in (usual | doors).items():
                call.arguments[name] = door(name, call.arguments[name])
            try:
                return program(*call.args, **call.kwargs)
            except (TypeError, ValueError) as error:
                if not re.search(r"[Ii]ncompatible shapes|contracting dimensions", str(error)):
                    raise
                raise ValueError(_do_not_fit(call.arguments)) from None

        return cast(Body, function)

    return decorated

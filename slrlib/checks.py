"""Validation of arguments, with error messages of one sentence. Traced arguments are not checked.

Most functions return their argument converted to floating point: a Python float for a scalar, a JAX
array for an array, and the tracer itself inside ``jit``, ``vmap`` and ``grad``. All of them are
annotated as ``jax.Array``, because they support the same arithmetic. ``compiled`` validates the
arguments of a function and then jits it.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from dataclasses import fields
from functools import wraps
from typing import Any, TypeVar, cast

import jax
import jax.core
import jax.numpy as jnp
import numpy as np
from jax.tree_util import GetAttrKey, register_pytree_with_keys

LARGE = 1e9  # upper bound of lam and gamma; x^4 stays finite
HUGE = 1e18  # upper bound of all other numbers; x^2 stays finite
TINY = 1e-30  # lower bound of positive numbers
_ROUNDING = 1e-5  # tolerance for norms and cosines, also in single precision


def is_traced(value: object) -> bool:
    return isinstance(value, jax.core.Tracer)


def any_traced(tree: Any) -> bool:
    """Return whether any leaf of ``tree`` is traced by JAX."""
    return any(map(is_traced, jax.tree.leaves(tree)))


def shown(value: Any) -> str:
    """Return a short form of ``value`` for an error message."""
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
    """Return whether ``value`` is a number or a rectangular array of numbers."""
    try:
        dtype = np.asarray(value).dtype
    except Exception:  # not an array: a ragged list, a random key, ...
        return False
    return dtype.kind in "iuf" or jnp.issubdtype(dtype, jnp.floating)


def floating(name: str, value: Any) -> jax.Array:
    """Convert ``value`` to floating point; reject strings, None, booleans and masked entries."""
    if type(value) is float:  # a fast path for the most frequent case
        return cast(jax.Array, value)
    if is_traced(value):
        if jnp.issubdtype(value.dtype, jnp.floating):
            return value
        if jnp.issubdtype(value.dtype, jnp.integer):
            return value.astype(float)
    if is_traced(value) or not _is_plain(value):
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
    """Return ``value`` in floating point; unless it is traced, apply ``rules`` with NumPy."""
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
    return f"at most {most:.0e}", lambda x: x <= most


def finite(name: str, value: Any) -> jax.Array:
    """Return ``value`` in floating point; reject NaN, infinity and sizes above ``HUGE``."""
    if type(value) is float and abs(value) <= HUGE:
        return cast(jax.Array, value)
    allowed = f"at most {HUGE:.0e} in size"
    return _checked(name, value, ("finite", np.isfinite), (allowed, lambda x: abs(x) <= HUGE))


def positive(name: str, value: Any, at_least: float = TINY) -> jax.Array:
    """Return ``value`` in floating point if it is between ``at_least`` and ``LARGE``."""
    least = f"at least {at_least:.0e}", lambda x: x >= at_least
    return _checked(name, value, ("positive", lambda x: x > 0), _at_most(LARGE), least)


def nonnegative(name: str, value: Any, at_most: float = LARGE) -> jax.Array:
    """Return ``value`` in floating point if it is between zero and ``at_most``."""
    return _checked(name, value, ("zero or more", lambda x: x >= 0), _at_most(at_most))


def below_one(
    name: str, value: Any, door: Callable[[str, Any], jax.Array] = nonnegative
) -> jax.Array:
    """Return ``value``, such as a probability, if it passes ``door`` and is below one."""
    return _checked(name, door(name, value), ("below 1", lambda x: x < 1))


def cosine(name: str, value: Any) -> jax.Array:
    """Return ``value`` if it is in [-1, 1], up to rounding in single precision."""
    return _checked(name, finite(name, value), ("from -1 to 1", lambda x: abs(x) <= 1 + _ROUNDING))


def whole(name: str, value: Any, at_least: int) -> jax.Array:
    """Return ``value`` if it is a whole number of at least ``at_least``; 400.0 is accepted."""

    def holds(x):
        return np.isfinite(x) & (x >= at_least) & (np.floor(x) == x)

    return _checked(name, value, (f"a whole number of at least {at_least}", holds), _at_most(HUGE))


def count(name: str, value: Any, at_least: int = 1) -> int:
    """Return a number of samples, steps or tokens as a Python int; it cannot be traced."""
    if is_traced(value):
        raise ValueError(f"{name} must be a plain whole number here, got {shown(value)}")
    value = whole(name, value, at_least)
    if not isinstance(value, float):
        raise ValueError(f"{name} must be one whole number, got {shown(value)}")
    return int(value)


def one(name: str, value: jax.Array) -> jax.Array:
    """Return ``value``, which has already been validated, if it is a scalar."""
    if np.ndim(value):
        raise ValueError(f"{name} must be one number, got {shown(value)}")
    return value


def one_positive(name: str, value: Any) -> float:
    """Return ``value`` as a Python float; it must be one positive number."""
    return float(one(name, positive(name, value)))


def spaced(steps: Any, log_every: Any, at_least: int = 0) -> tuple[int, int, int]:
    """Return (steps, log_every, number of rows) as ints; ``log_every`` must divide ``steps``."""
    every = count("log_every", log_every)
    steps = count("steps", steps, at_least)
    if steps % every:
        raise ValueError(f"log_every must divide steps={steps}, got {every}")
    return steps, every, steps // every


def room(numbers: float, **sizes: Any) -> None:
    """Raise an error if ``numbers`` values of eight bytes exceed the memory of this machine.

    ``sizes`` are the arguments that determine ``numbers``; the message names them. Without this
    check, Linux would kill the process without a message.
    """
    if not hasattr(os, "sysconf"):
        return
    memory = float(os.sysconf("SC_PAGE_SIZE")) * os.sysconf("SC_PHYS_PAGES")
    if 8.0 * numbers > memory:
        got = ", ".join(f"{float(size):.6g}" for size in sizes.values())
        raise ValueError(
            f"{' and '.join(sizes)} must fit into the {memory / 1e9:.0f} GB of this machine, "
            f"got {got}, which would take about {8e-9 * numbers:.3g} GB"
        )


def flag(name: str, value: Any) -> bool:
    """Return a bool; reject other values, such as 1 or an empty list."""
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"{name} must be True or False, got {shown(value)}")
    return bool(value)


def nonempty(name: str, values: Any) -> None:
    """Raise an error unless ``values`` is a tuple, list or array with at least one entry."""
    if not isinstance(values, tuple | list | np.ndarray) or not len(values):
        raise ValueError(f"{name} must be a tuple of one value or more, got {shown(values)}")


_SHORT = 1e-15  # a vector counts as zero if its largest entry is below this


def ends_in(name: str, value: Any, shape: tuple[int | None, ...]) -> jax.Array:
    """Return ``value`` if it is finite and its last axes have ``shape``; None means any size."""
    value = finite(name, value)
    got = jnp.shape(value)
    tail = got[max(len(got) - len(shape), 0) :]
    wrong = [n for n, size in zip(shape, tail, strict=False) if n not in (None, size)]
    if len(got) < len(shape) or wrong:
        wanted = "(..., " + ", ".join("any" if n is None else str(n) for n in shape) + ")"
        raise ValueError(f"{name} must have shape {wanted}, got {got}")
    return value


def vectors(name: str, value: Any) -> jax.Array:
    """Return ``value`` if it is a finite array of vectors along its last axis."""
    return ends_in(name, value, (None,))


def nonzero_vectors(name: str, value: Any) -> jax.Array:
    """Return ``vectors(name, value)``; reject vectors that are zero or whose square underflows."""
    found = vectors(name, value)
    if not is_traced(value):
        size = np.min(np.max(np.abs(np.asarray(found)), axis=-1, initial=0.0), initial=np.inf)
        if size < _SHORT:
            raise ValueError(f"{name} must not be zero, got a largest entry of {size:.2g}")
    return found


def unit(name: str, value: Any, d: int) -> jax.Array:
    """Return ``value`` if it holds unit vectors of R^d, up to rounding in float32."""
    value = ends_in(name, value, (d,))
    if not is_traced(value):
        length = np.linalg.norm(np.asarray(value, np.float64), axis=-1)
        if np.any(np.abs(length - 1.0) > _ROUNDING):
            raise ValueError(
                f"{name} must be a unit vector, got norm {shown(length)}; for any norm use "
                "risk.excess_risk_of"
            )
    return value


def shape(name: str, value: Any) -> tuple[int, ...]:
    """Return the shape of a batch, which must be a tuple of whole numbers."""
    if not isinstance(value, tuple | list):
        raise ValueError(f"{name} must be a tuple of whole numbers, got {shown(value)}")
    return tuple(count(name, n, at_least=0) for n in value)


def random_key(key: Any) -> jax.Array:
    """Return ``key`` if it is a single random key, new or old style."""
    new = isinstance(key, jax.Array) and jnp.issubdtype(key.dtype, jax.dtypes.prng_key)
    old = isinstance(key, jax.Array) and key.dtype == jnp.uint32
    if (new and key.ndim == 0) or (old and key.ndim == 1):
        return key
    raise ValueError(f"key must be one random key such as jax.random.key(0), got {shown(key)}")


def task(value: Any, d: int | None = None, L: int | None = None) -> Any:
    """Return ``value`` if it is a Task that fits dimension ``d`` and ``L`` tokens."""
    if not all(hasattr(value, name) for name in ("d", "L", "gamma", "noise", "p")):
        raise ValueError(f"task must be a Task(d, L, gamma, noise, p), got {shown(value)}")
    if d is not None and isinstance(value.d, float) and value.d != d:
        raise ValueError(f"teacher must live in dimension d={value.d:.0f}, got dimension {d}")
    if L is not None and isinstance(value.L, float) and value.L != L:
        raise ValueError(f"X must hold L={value.L:.0f} tokens, got {L}")
    return value


def several_tokens(_: str, value: Any) -> Any:
    """Return a task if it has at least two tokens; with one token there is nothing to select."""
    whole("task.L", task(value).L, at_least=2)
    return value


def teacher(
    value: Any, name: str = "teacher", axes: tuple[str, ...] = ()
) -> tuple[jax.Array, jax.Array]:
    """Return the arrays (k_star, v_star) of a Teacher in floating point.

    The constructor of ``Teacher`` has already checked them. If ``axes`` is given, the arrays must
    have these axes.
    """
    if not (hasattr(value, "k_star") and hasattr(value, "v_star")):
        raise ValueError(f"{name} must be a Teacher(k_star, v_star), got {shown(value)}")
    k_star, v_star = floating("k_star", value.k_star), floating("v_star", value.v_star)
    if axes and k_star.ndim != len(axes):
        wanted = ", ".join(axes)
        raise ValueError(f"{name} must hold arrays of shape ({wanted}), got shape {k_star.shape}")
    return k_star, v_star


def orthonormal(k_star: Any, v_star: Any) -> None:
    """Raise an error unless the arrays (..., d) hold orthonormal pairs or are traced."""
    k, v = vectors("k_star", k_star), vectors("v_star", v_star)
    if k.shape != v.shape:
        raise ValueError(f"k_star and v_star must have the same shape, got {k.shape} and {v.shape}")
    if not (is_traced(k_star) or is_traced(v_star)):
        k, v = np.asarray(k_star), np.asarray(v_star)
        lengths, inner = [np.linalg.norm(x, axis=-1) for x in (k, v)], np.sum(k * v, axis=-1)
        if max(np.max(np.abs(x)) for x in (lengths[0] - 1, lengths[1] - 1, inner)) > _ROUNDING:
            raise ValueError(
                "k_star and v_star must be orthogonal and of length one, got lengths "
                f"{shown(lengths[0])} and {shown(lengths[1])} and inner product {shown(inner)}"
            )


Body = TypeVar("Body", bound=Callable)


def in_double(f: Body) -> Body:
    """Decorate ``f`` so that it computes concrete numbers in double precision.

    If JAX is set to single precision, ``f`` returns NumPy arrays, which can still hold doubles.
    Traced arguments keep the precision of their trace.
    """

    @wraps(f)
    def function(*args: Any, **named: Any) -> Any:
        if jax.config.read("jax_enable_x64") or any_traced((args, named)):
            return f(*args, **named)
        with jax.ensure_compile_time_eval(), jax.enable_x64(True):
            args, named = jax.tree.map(_widened, (args, named))
            return jax.tree.map(np.asarray, f(*args, **named))

    return cast(Body, function)


def _widened(x: Any) -> Any:
    """Convert a floating-point array to double precision; return anything else unchanged."""
    if isinstance(x, jax.Array | np.ndarray) and jnp.issubdtype(x.dtype, jnp.floating):
        return np.asarray(x, np.float64)
    return x


def compiled(static: str | tuple[str, ...] = (), **doors: Callable) -> Callable[[Body], Body]:
    """Return a decorator that validates arguments by their ``doors`` and then jits the function.

    A door is a validation function: it takes the name and the value of an argument and returns the
    value to use. The arguments ``task``, ``teacher`` and ``key`` (a random key) are always
    validated, and the function receives ``teacher`` as the tuple (k_star, v_star). The function
    itself may check shapes, which are known during tracing.

    Traced values are never checked: inside ``jit``, ``vmap`` and ``grad`` an invalid value gives a
    meaningless result.
    """

    def decorated(body: Body) -> Body:
        signature, program = inspect.signature(body), jax.jit(body, static_argnames=static)
        usual = {"task": lambda _, x: task(x), "teacher": lambda _, x: teacher(x)}
        usual["key"] = lambda _, x: random_key(x)
        checked = {name: usual[name] for name in usual if name in signature.parameters} | doors

        @wraps(body)
        def function(*args: Any, **named: Any) -> Any:
            given = signature.bind(*args, **named)
            given.apply_defaults()
            for name, door in checked.items():
                given.arguments[name] = door(name, given.arguments[name])
            return program(*given.args, **given.kwargs)

        return cast(Body, function)

    return decorated


Class = TypeVar("Class", bound=type)


def tree(cls: Class) -> Class:
    """Register a dataclass as a pytree whose leaves are its fields.

    JAX also rebuilds the tree from placeholders and from gradients, so a rebuilt value is not
    validated.
    """
    names = [field.name for field in fields(cls)]

    def flatten(value: Any) -> tuple[list[tuple[Any, Any]], None]:
        return [(GetAttrKey(name), getattr(value, name)) for name in names], None

    def unflatten(_: None, leaves: Any) -> Any:
        value = object.__new__(cls)
        for name, leaf in zip(names, leaves, strict=True):
            object.__setattr__(value, name, leaf)
        return value

    register_pytree_with_keys(cls, flatten, unflatten)
    return cls

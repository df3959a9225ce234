"""Decorators: ``compiled`` validates arguments, then jits; ``in_double`` fixes the precision."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

import jax
import jax.numpy as jnp
import numpy as np

from slrlib.checks import arrays
from slrlib.checks.numbers import is_traced

Body = TypeVar("Body", bound=Callable)


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
    """Make a decorator that validates the named arguments by their ``doors``, then jits the body.

    Traced values are never checked: inside ``jit``, ``vmap`` and ``grad`` an invalid value gives a
    number without meaning.

    A door takes the name and the value of an argument. ``task`` and ``teacher`` are always
    validated, so that the body finds the pair (k_star, v_star) under ``teacher``. The body may
    check shapes, which are known while numbers are traced.
    """

    def decorated(body: Body) -> Body:
        signature, program = inspect.signature(body), jax.jit(body, static_argnames=static)
        usual = {"task": lambda _, x: arrays.task(x), "teacher": lambda _, x: arrays.teacher(x)}
        usual = {name: door for name, door in usual.items() if name in signature.parameters}
        checked, parameters = usual | doors, signature.parameters.values()
        ordered = [p.name for p in parameters if p.kind is not p.KEYWORD_ONLY]
        by_name = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY]
        defaults = {p.name: p.default for p in parameters if p.default is not p.empty}

        @wraps(body)
        def function(*args: Any, **named: Any) -> Any:
            given = dict(zip(ordered, args, strict=False))
            fits = len(args) <= len(ordered) and given.keys().isdisjoint(named)
            given = defaults | given | named
            if not (fits and given.keys() == signature.parameters.keys()):
                try:  # slow, but says what is wrong
                    signature.bind(*args, **named)
                except TypeError as wrong:
                    asked = ", ".join(signature.parameters)
                    raise TypeError(f"{body.__name__}({asked}): {wrong}") from None
            for name, door in checked.items():
                given[name] = door(name, given[name])
            try:
                return program(*map(given.get, ordered), **{name: given[name] for name in by_name})
            except (TypeError, ValueError) as error:
                if not re.search(r"[Ii]ncompatible shapes|contracting dimensions", str(error)):
                    raise
                raise ValueError(_do_not_fit(given)) from None

        function.__doc__ = _with_note(body.__doc__)
        return cast(Body, function)

    return decorated


def _with_note(text: str | None) -> str:
    """Add to a docstring, above its first section, what ``compiled`` does not check."""
    note = "    Traced arguments (in jit, grad, vmap) are not checked."
    for section in ("\n    Parameters\n", "\n    Returns\n", "\n    Examples\n", "\n    Book:"):
        before, found, after = (text or "").partition(section)
        if found:
            return f"{before.rstrip()}\n\n{note}\n{found}{after}"
    return f"{(text or '').rstrip()}\n\n{note}\n"

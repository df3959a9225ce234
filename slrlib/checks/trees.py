"""Dataclasses that are trees of JAX: checked when they are made, not when JAX rebuilds them."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, TypeVar

from jax.tree_util import GetAttrKey, register_pytree_with_keys

Class = TypeVar("Class", bound=type)


def tree(cls: Class) -> Class:
    """A decorator: the fields of a dataclass are leaves, each to be traced, batched, derived.

    JAX also rebuilds trees of placeholders, and of slopes, so what it rebuilds is not checked.
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

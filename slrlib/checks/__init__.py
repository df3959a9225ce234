"""Validation of arguments: an error in one sentence. Traced arguments are not checked.

Each function returns its argument made floating: a Python float for a scalar, a JAX array for an
array, the tracer itself inside ``jit``, ``vmap`` and ``grad``. All are declared as ``jax.Array``,
whose arithmetic they share. ``compiled`` validates the arguments of a function, then jits it.
"""
# ruff: noqa: F401 - the other modules take these names from here

from __future__ import annotations

from slrlib.checks.arrays import (
    broadcasts,
    directions,
    ends_in,
    nonzero_vectors,
    orthonormal,
    random_key,
    several_tokens,
    shape,
    task,
    teacher,
    unit,
    vectors,
)
from slrlib.checks.doors import compiled, in_double
from slrlib.checks.numbers import (
    HUGE,
    LARGE,
    TINY,
    below_one,
    cosine,
    count,
    finite,
    flag,
    floating,
    is_traced,
    nonempty,
    nonnegative,
    one,
    one_number,
    one_positive,
    positive,
    shown,
    spaced,
    whole,
)
from slrlib.checks.trees import tree

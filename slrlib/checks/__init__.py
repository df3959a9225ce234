"""Validation at the door: one plain sentence for a bad argument, nothing at all for a traced one.

Each function returns its argument made floating: a Python float for a scalar, a JAX array for an
array, the tracer itself inside ``jit``, ``vmap`` and ``grad``. All are declared as ``jax.Array``,
whose arithmetic they share. ``compiled`` puts doors before a function: the rest is one program.
"""
# ruff: noqa: F401 - the other modules take these names from here

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
    nonnegative,
    one,
    one_number,
    one_positive,
    positive,
    shown,
    some,
    spaced,
    whole,
)
from slrlib.checks.room import room
from slrlib.checks.trees import tree

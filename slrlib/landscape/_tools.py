"""What the files of this package share: small matrices, roots, and batches of tasks."""

import math

import jax
import jax.numpy as jnp
import numpy as np
from scipy.optimize import brentq

from slrlib import _door


def _matrix(rows):
    """A matrix (..., n, n) of entries that broadcast."""
    entries = [jnp.asarray(x) for row in rows for x in row]
    dtype = jnp.result_type(*entries)
    shape = jnp.broadcast_shapes(*(x.shape for x in entries))
    flat = jnp.stack([jnp.broadcast_to(x.astype(dtype), shape) for x in entries], -1)
    return flat.reshape(*shape, len(rows), len(rows))


def _lam_and_task(lam, task):
    """``lam`` positive, as an array, and ``task`` looked at."""
    _door.task(task)
    return jnp.asarray(_door.positive("lam", lam)), task


def _plain(task):
    """``task`` with plain numbers only, as the root finders need; they cannot be traced."""
    _door.task(task)
    for name in ("d", "L", "gamma"):
        if np.ndim(getattr(task, name)) or _door.is_traced(getattr(task, name)):
            got = _door.shown(getattr(task, name))
            raise ValueError(f"task.{name} must be one plain number here, got {got}")
    return task


def _each_task(f, task, *others):
    """``f(d, L, gamma, *others)`` of scalars, over everything that broadcasts with the task."""
    _door.task(task)
    numbers = [jnp.asarray(x, float) for x in (task.d, task.L, task.gamma, *others)]
    numbers = jnp.broadcast_arrays(*numbers)
    shape = numbers[0].shape
    found = jax.vmap(f)(*(x.reshape(-1) for x in numbers))
    return jax.tree.map(lambda x: x.reshape(shape), found)


def _first_crossing(f, low, high, points=241):
    """The first root of ``f`` between ``low`` and ``high``, infinity if it keeps its sign.

    ``f`` takes an array; it is looked at on a geometric grid, then between two points by Brent's
    method. This runs on plain numbers and cannot be traced.
    """
    grid = np.geomspace(low, high, points)
    positive = np.asarray(f(jnp.asarray(grid))) > 0
    changes = np.flatnonzero(positive[1:] != positive[:-1])
    if not len(changes):
        return math.inf
    left, right = grid[changes[0]], grid[changes[0] + 1]
    # One element, not a scalar: the two take other roads through the compiler, and at a root
    # the last digits decide the sign.
    return float(brentq(lambda x: float(f(jnp.asarray([x]))[0]), left, right, xtol=1e-15))

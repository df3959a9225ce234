"""The state of training: R independent runs, their layers, teachers and keys.

The samples of a run depend on its key and on the step alone. Its key depends on its number, not on
the other runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from math import prod
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.task import Task, Teacher, random_teacher
from slrlib.transformer.layer import Layer, random_layer, random_register
from slrlib.transformer.sequences import single_precision

_STATIC = {"static": True}


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Training:
    """The state of R runs; each array but ``step`` has a leading axis of length R."""

    step: jax.Array
    layer: Layer
    register: jax.Array
    teachers: Teacher  # (R, m, d)
    keys: jax.Array
    learning_rate: jax.Array | float  # traced: other step sizes need no new compilation
    task: Task = field(metadata=_STATIC)
    batch: int = field(metadata=_STATIC)
    shared_noise: bool = field(metadata=_STATIC)
    test_points: int = field(metadata=_STATIC)

    def __repr__(self) -> str:
        """One line, where all its arrays would fill pages."""
        step = "a traced step" if checks.is_traced(self.step) else f"step {self.step}"
        runs, width = prod(np.shape(self.keys)[:-1]), np.shape(self.layer.hidden)[-1]
        sizes = f"width {width}, d={self.task.d:.0f}, L={self.task.L:.0f}"
        return f"Training: {step}, {runs} run{'s' * (runs != 1)}, {sizes}"


@partial(jax.jit, static_argnames=("d", "p", "width", "heads", "locations", "zero"))
def _first(root, number, d, p, width, heads, locations, zero):
    """Make one run; runs are stacked on the host, so that one program serves any number."""
    keys = jax.random.split(jax.random.fold_in(root, number), 4)
    layer = random_layer(d, p, width, heads, zero=zero, key=keys[0])
    register = random_register(d, key=keys[1])
    teachers = random_teacher(d, (locations,), key=keys[2])
    return layer, register, teachers, jax.random.key_data(keys[3])


def stacked(parts: Sequence[Any], axis: int = 0) -> Any:
    """Stack the arrays of several runs; on the host, which compiles nothing."""

    def stack(*x):
        return jnp.stack(x, axis) if checks.is_traced(x[0]) else np.stack(x, axis)

    return jax.tree.map(stack, *parts)


def start_training(
    task: Task,
    repetitions: int,
    *,
    key: jax.Array,
    heads: int = 1,
    locations: int = 1,
    head_size: int | None = None,
    width: int = 200,
    zero: str = "token",
    learning_rate: ArrayLike = 0.01,
    batch: int = 128,
    shared_noise: bool = False,
    test_points: int = 8192,
    first: int = 0,
) -> Training:
    """Make independent training runs of the layer before their first step, in float32.

    Each run has its own teacher, layer and register, which depend only on ``key`` and on its
    number.

    Parameters
    ----------
    task : Task
        The task; d, L, gamma and noise enter.
    repetitions : int
        Number of runs R.
    key : Array
        Random key.
    heads, locations : int
        Number of heads H and of locations m.
    head_size : int or None
        Dimension p of the scores of a head; None stands for d / heads.
    width : int
        Number of hidden units.
    zero : str
        The matrix of the scores that starts at zero, "token" or "register".
    learning_rate : float
        Step size of SGD.
    batch : int
        Fresh sequences in each step.
    shared_noise : bool
        Whether the informative tokens of a sequence have the same noise.
    test_points : int
        Sequences on which a run is evaluated.
    first : int
        Number of the first run; the others follow.

    Returns
    -------
    Training
        The state at step 0, for ``advance_training``.

    Examples
    --------
    >>> start_training(Task(d=8, L=5), 2, width=8, key=jax.random.key(0))
    Training: step 0, 2 runs, width 8, d=8, L=5

    Book: {eq}`eq-training-risk` (appendix E.3 of the paper).
    """
    checks.task(task)
    d, L = checks.count("task.d", task.d, 2), checks.count("task.L", task.L)
    heads, m = checks.count("heads", heads), checks.count("locations", locations)
    if m > L:
        raise ValueError(f"locations must be at most L={L}, one a token, got {m}")
    if head_size is None and d % heads:
        raise ValueError(f"heads must divide d={d} if head_size is not given, got {heads}")
    p = checks.count("head_size", d // heads if head_size is None else head_size)
    first, repetitions = checks.count("first", first, 0), checks.count("repetitions", repetitions)
    test_points = checks.count("test_points", test_points)
    numbers = np.arange(first, first + repetitions, dtype=np.uint32)
    width, root = checks.count("width", width), checks.random_key(key)
    with single_precision():
        starts = [_first(root, number, d, p, width, heads, m, zero) for number in numbers]
        start = jax.device_put((np.zeros((), np.int32), *stacked(starts)))
    return Training(
        *start,
        task=Task(d, L, task.gamma, task.noise),  # the places play no role: see sequences.py
        learning_rate=checks.positive("learning_rate", learning_rate),
        batch=checks.count("batch", batch),
        shared_noise=checks.flag("shared_noise", shared_noise),
        test_points=test_points,
    )

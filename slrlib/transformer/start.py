"""Where training stands: R independent runs, their layers, teachers and keys.

All draws of a run depend on its key and on the step alone, and a run's key on its number, not on
how many run beside it.
"""

from dataclasses import dataclass, field
from functools import partial

import jax
import jax.numpy as jnp

from slrlib import _door
from slrlib.task import Task, Teacher, random_teacher
from slrlib.transformer.layer import random_layer, random_register
from slrlib.transformer.sequences import single_precision

_STATIC = {"static": True}


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Training:
    """Where R runs stand; each array but ``step`` has a leading axis of R."""

    step: jax.Array
    layer: tuple
    register: jax.Array
    teachers: Teacher  # (R, m, d)
    keys: jax.Array
    task: Task = field(metadata=_STATIC)
    learning_rate: float = field(metadata=_STATIC)
    batch: int = field(metadata=_STATIC)
    shared_noise: bool = field(metadata=_STATIC)
    test_points: int = field(metadata=_STATIC)


@partial(jax.jit, static_argnames=("d", "p", "width", "heads", "locations", "zero"))
def _first(keys, d, p, width, heads, locations, zero):
    def one(key):
        key_layer, key_register, key_teacher, key_run = jax.random.split(key, 4)
        layer = random_layer(d, p, width, heads, zero=zero, key=key_layer)
        register = random_register(d, key=key_register)
        teachers = random_teacher(d, (locations,), key=key_teacher)
        return layer, register, teachers, jax.random.key_data(key_run)

    return jax.lax.map(one, keys)


def start_training(
    task,
    repetitions,
    *,
    heads=1,
    locations=1,
    head_size=None,
    width=200,
    zero="token",
    learning_rate=0.01,
    batch=128,
    shared_noise=False,
    test_points=8192,
    first=0,
    key=None,
):
    """Runs number ``first``, ``first`` + 1, ... before their first step, in float32.

    Each draws its own directions, layer and register. ``head_size`` is p, by default d / heads;
    ``shared_noise`` gives the informative tokens of a sequence the same noise.

    Book: {eq}`eq-training-risk` (appendix E.3 of the paper).
    """
    _door.task(task)
    d, L = _door.count("task.d", task.d, 2), _door.count("task.L", task.L)
    heads, m = _door.count("heads", heads), _door.count("locations", locations)
    if m > L:
        raise ValueError(f"locations must be at most L={L}, one a token, got {m}")
    if head_size is None and d % heads:
        raise ValueError(f"heads must divide d={d} if head_size is not given, got {heads}")
    p = _door.count("head_size", d // heads if head_size is None else head_size)
    numbers = range(_door.count("first", first, 0), first + _door.count("repetitions", repetitions))
    root = _door.random_key(key)
    with single_precision():
        keys = jnp.stack([jax.random.fold_in(root, number) for number in numbers])
        start = _first(keys, d, p, _door.count("width", width), heads, m, zero)
    return Training(
        jnp.zeros((), jnp.int32),
        *start,
        task=Task(d, L, task.gamma, task.noise),  # the places play no role: see sequences.py
        learning_rate=_door.positive("learning_rate", learning_rate),
        batch=_door.count("batch", batch),
        shared_noise=_door.flag("shared_noise", shared_noise),
        test_points=_door.count("test_points", test_points),
    )

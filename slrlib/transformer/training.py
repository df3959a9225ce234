"""Single-pass SGD of the layer: fresh sequences in each step, several independent runs together.

``state = start_training(...)``, then ``state, rows = advance_training(state, steps, log_every)`` as
often as one likes: the numbers are those of one go, to the last bit. All draws of a run depend on
its key and on the step alone, and a run's key on its number, not on how many run beside it.
"""

from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp

from slrlib import _door
from slrlib.task import Task, Teacher, random_teacher
from slrlib.transformer.alignments import _gated_value_direction, key_direction, value_direction
from slrlib.transformer.fast import _read
from slrlib.transformer.layer import layer_norm, random_layer, random_register
from slrlib.transformer.sequences import draw, single_precision

_STATIC = {"static": True}


class TrainingRow(NamedTuple):
    """Rows of R runs of H heads and m locations, time first, measured on test sequences.

    The excess risk is the mean square of the error without label noise. ``kappa`` is |k_h.k_i*|,
    ``nu`` is v_h.v_i* with the paper's v and ``nu_gated`` that with the gates; ``attention`` is
    the mean weight that head h gives to the token of location i, ``example`` the weights on one
    sequence, whose informative tokens stand first after the register.
    """

    step: jax.Array  #        (time,)
    excess_risk: jax.Array  # (time, R)
    kappa: jax.Array  #       (time, R, H, m)
    nu: jax.Array  #          (time, R, H, m)
    nu_gated: jax.Array  #    (time, R, H, m)
    attention: jax.Array  #   (time, R, H, m)
    example: jax.Array  #     (time, R, H, L + 1)


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


def _stepped(layer, t, run, fixed):
    """``layer`` after the step ``t`` of SGD."""
    register, teachers, key = run
    key_draw, key_label = jax.random.split(jax.random.fold_in(key, t))
    X, y = draw(fixed.task, teachers, fixed.batch, fixed.shared_noise, key_draw)
    y = y + fixed.task.noise * jax.random.normal(key_label, y.shape, y.dtype)
    Z = layer_norm(X)  # outside the gradient: it holds no weight

    def training_risk(layer):
        return jnp.mean((_read(layer, register, Z)[0] - y) ** 2)

    slopes = jax.grad(training_risk)(layer)
    return jax.tree.map(lambda w, slope: w - fixed.learning_rate * slope, layer, slopes)


def _measured(layer, step, run, Z, y):
    register, teachers, _ = run
    answer, weights, units = _read(layer, register, Z)
    m = teachers.k_star.shape[0]
    return TrainingRow(
        step=step,
        excess_risk=jnp.mean((answer - y) ** 2),
        kappa=jnp.abs(key_direction(layer, register) @ teachers.k_star.T),
        nu=value_direction(layer) @ teachers.v_star.T,
        nu_gated=_gated_value_direction(layer, units) @ teachers.v_star.T,
        attention=jnp.mean(weights[..., 1 : m + 1], axis=0),
        example=weights[0],
    )


def _held_out(run, fixed):
    """Normalised tokens and noiseless labels that measure a run (register, teachers, key)."""
    _, teachers, key = run
    test_key = jax.random.fold_in(key, 2**32 - 1)  # no step has this number
    X, y = draw(fixed.task, teachers, fixed.test_points, fixed.shared_noise, test_key)
    return layer_norm(X), y


@partial(jax.jit, static_argnames="rows")
def _rows(state, every, rows):
    """``rows`` blocks of ``every`` steps, one run after the other so that it stays in the cache.

    No blocks at all give the one row of where the runs stand.
    """

    def one(given):
        layer, *run = given
        Z, y = _held_out(run, state)

        def block(layer, i):
            begin = state.step + i * every
            layer = jax.lax.fori_loop(
                begin, begin + every, lambda t, layer: _stepped(layer, t, run, state), layer
            )
            return layer, _measured(layer, begin + every, run, Z, y)

        if rows == 0:
            return layer, jax.tree.map(lambda x: x[None], _measured(layer, state.step, run, Z, y))
        return jax.lax.scan(block, layer, jnp.arange(rows, dtype=jnp.int32))

    layer, found = jax.lax.map(one, (state.layer, state.register, state.teachers, state.keys))
    found = jax.tree.map(lambda x: jnp.swapaxes(x, 0, 1), found)
    found = found._replace(step=found.step[:, 0])
    return replace(state, step=state.step + rows * every, layer=layer), found


def advance_training(state, steps, log_every):
    """``steps`` more steps of every run: where they then stand, a row after each ``log_every``.

    With ``steps`` zero, the one row of where they stand now.

    Book: {eq}`eq-training-risk` (appendix E.3 of the paper).
    """
    every = _door.count("log_every", log_every)
    steps = _door.count("steps", steps, at_least=0)
    if steps % every:
        raise ValueError(f"log_every must divide steps={steps}, got {every}")
    with single_precision():
        return _rows(state, jnp.asarray(every, jnp.int32), rows=steps // every)

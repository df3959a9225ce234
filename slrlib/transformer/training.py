"""Training of the layer by SGD: start, steps and rows.

The samples of a run depend only on its key and on the step. The key depends on the number of the
run, but not on the other runs.

Training can be cut into chunks: ``state = start_training(...)``, then ``state, rows =
advance_training(state, steps, log_every)`` repeatedly. The results are bitwise identical.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from operator import itemgetter
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.dynamics import scan
from slrlib.task import Task, Teacher, random_teacher
from slrlib.transformer.layer import (
    Layer,
    draw,
    key_direction,
    layer_norm,
    random_layer,
    random_register,
    read,
    single_precision,
    value_direction,
)

__all__ = ["advance_training", "start_training"]

_STATIC = {"static": True}


@jax.tree_util.register_dataclass
@dataclass(frozen=True, repr=False)  # its arrays would fill pages
class Training:
    """The state of R runs; each array but ``step`` has a leading axis of length R."""

    step: jax.Array | int
    layer: Layer
    register: jax.Array
    teachers: Teacher  # (R, m, d)
    keys: jax.Array
    learning_rate: jax.Array | float  # traced: other step sizes need no new compilation
    task: Task = field(metadata=_STATIC)
    batch: int = field(metadata=_STATIC)
    shared_noise: bool = field(metadata=_STATIC)
    test_points: int = field(metadata=_STATIC)


@partial(jax.jit, static_argnames=("d", "p", "width", "heads", "locations", "zero"))
def _first(root, number, d, p, width, heads, locations, zero):
    """Return one run at step 0; runs are stacked on the host, so one program serves any number."""
    keys = jax.random.split(jax.random.fold_in(root, number), 4)
    layer = random_layer(d, p, width, heads, zero=zero, key=keys[0])
    register = random_register(d, key=keys[1])
    teachers = random_teacher(d, (locations,), key=keys[2])
    return layer, register, teachers, jax.random.key_data(keys[3])


def stacked(parts: Sequence[Any], axis: int = 0) -> Any:
    """Stack the arrays of several runs on the host, without compilation."""
    return jax.tree.map(lambda *x: np.stack(x, axis), *parts)


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
    """Return independent training runs of the layer at step 0, in float32.

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
        Dimension p of the scores of a head; None means d / heads.
    width : int
        Number of hidden units.
    zero : str
        The matrix of the scores that starts at zero: "token", "register" or "neither".
    learning_rate : float
        Step size of SGD.
    batch : int
        New sequences per step.
    shared_noise : bool
        Whether the informative tokens of a sequence have the same noise.
    test_points : int
        Number of sequences on which a run is evaluated.
    first : int
        Number of the first run; the others are numbered consecutively.

    Returns
    -------
    Training
        The state at step 0, for ``advance_training``.

    Examples
    --------
    >>> start_training(Task(d=8, L=5), 2, width=8, key=jax.random.key(0)).layer.readout.shape
    (2, 8)

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
        task=Task(d, L, task.gamma, task.noise),  # without p: locations do not matter
        learning_rate=checks.positive("learning_rate", learning_rate),
        batch=checks.count("batch", batch),
        shared_noise=checks.flag("shared_noise", shared_noise),
        test_points=test_points,
    )


_ROOM = 32  # rows of the usual compiled program; more rows need another program


class TrainingRow(NamedTuple):
    """The rows of R runs with H heads and m locations on test sequences; the first axis is time.

    Parameters
    ----------
    step : Array
        Shape (time,): number of steps done.
    excess_risk : Array
        Shape (time, R): mean squared error without label noise.
    kappa : Array
        Shape (time, R, H, m): abs(k_h.k_i*).
    nu, nu_gated : Array
        Shape (time, R, H, m): v_h.v_i*, with v as in the paper, and with each hidden unit weighted
        by the fraction of sequences that activate it.
    attention : Array
        Shape (time, R, H, m): mean weight of head h on the token of location i.
    example : Array
        Shape (time, R, H, L + 1): the weights on one sequence, in the order register, informative
        tokens, others.
    """

    step: jax.Array  #        (time,)
    excess_risk: jax.Array  # (time, R)
    kappa: jax.Array  #       (time, R, H, m)
    nu: jax.Array  #          (time, R, H, m)
    nu_gated: jax.Array  #    (time, R, H, m)
    attention: jax.Array  #   (time, R, H, m)
    example: jax.Array  #     (time, R, H, L + 1)


def _risk(layer, register, X, y):
    """Return the mean squared error."""
    # Layer norm has no weights, so it is computed outside the gradient.
    return jnp.mean((read(layer, register, layer_norm(X))[0] - y) ** 2)


def stepped(layer: Any, t: jax.Array, one: Training, risk: Callable = _risk) -> Any:
    """Return ``layer`` after SGD step ``t`` of ``one`` on ``risk(layer, register, X, y)``."""
    key_draw, key_label = jax.random.split(jax.random.fold_in(one.keys, t))
    X, y = draw(one.task, one.teachers, one.batch, one.shared_noise, key_draw)
    y = y + one.task.noise * jax.random.normal(key_label, y.shape, y.dtype)
    slopes = jax.grad(risk)(layer, one.register, X, y)
    return jax.tree.map(lambda w, slope: w - one.learning_rate * slope, layer, slopes)


def _measured(one, Z, y):
    layer, teachers, m = one.layer, one.teachers, one.teachers.k_star.shape[0]
    answer, weights, units = read(layer, one.register, Z)
    opened = jnp.mean(units > 0, axis=0, dtype=units.dtype)  # fraction of sequences, by unit
    return TrainingRow(
        step=one.step,
        excess_risk=jnp.mean((answer - y) ** 2),
        kappa=jnp.abs(key_direction(layer, one.register) @ teachers.k_star.T),
        nu=value_direction(layer) @ teachers.v_star.T,
        nu_gated=value_direction(layer, opened) @ teachers.v_star.T,
        attention=jnp.mean(weights[..., 1 : m + 1], axis=0),
        example=weights[0],
    )


def held_out(one: Training) -> tuple[jax.Array, jax.Array]:
    """Return the test tokens and noiseless labels of a run."""
    test_key = jax.random.fold_in(one.keys, 2**32 - 1)  # no step has this number
    return draw(one.task, one.teachers, one.test_points, one.shared_noise, test_key)


@partial(jax.jit, static_argnames="room")
def _rows(one, every, rows, room):
    """Return the layer of one run after ``rows`` blocks of ``every`` steps, and their rows.

    There are ``room`` rows; those beyond ``rows`` are empty. No other shape depends on the number
    of rows or of runs, so one compiled program serves for all.
    """
    X, y = held_out(one)
    Z = layer_norm(X)

    def onward(one, every):
        end = one.step + every
        layer = jax.lax.fori_loop(one.step, end, lambda t, layer: stepped(layer, t, one), one.layer)
        return replace(one, step=end, layer=layer)

    one, found = scan.filled(onward, lambda one: _measured(one, Z, y), one, every, rows, room)
    return one.layer, found


def each(state: Training) -> Iterator[Training]:
    """Yield the runs of ``state`` one by one, without the axis of the runs."""
    if not isinstance(state, Training):
        raise ValueError(f"state must be one of start_training(...), got {checks.shown(state)}")
    arrays = jax.device_get((state.layer, state.register, state.teachers, state.keys))
    for r in range(len(state.keys)):
        layer, register, teachers, keys = jax.tree.map(itemgetter(r), arrays)
        yield replace(state, layer=layer, register=register, teachers=teachers, keys=keys)


def advance_training(state: Training, steps: int, log_every: int) -> tuple[Training, TrainingRow]:
    """Advance every run by ``steps`` steps of SGD and return a row every ``log_every`` steps.

    The runs are computed one after the other, so that each stays in the cache of the processor.

    Parameters
    ----------
    state : Training
        R runs, from ``start_training`` or an earlier call.
    steps : int
        Number of steps; if zero, the only row is that of the given state.
    log_every : int
        Number of steps between rows; it must divide ``steps``.

    Returns
    -------
    state : Training
        The runs after these steps.
    rows : TrainingRow
        The first axis is time: ``step`` (time,), ``excess_risk`` (time, R); ``kappa`` =
        abs(k_h.k_i*), ``nu`` = v_h.v_i*, ``nu_gated`` and ``attention`` (time, R, H, m);
        ``example`` (time, R, H, L + 1).

    Examples
    --------
    >>> from slrlib import Task
    >>> from slrlib.transformer import start_training
    >>> state = start_training(Task(d=8, L=5), 2, width=8, test_points=64, key=jax.random.key(0))
    >>> advance_training(state, 4, 2)[1].excess_risk.shape
    (2, 2)

    Book: {eq}`eq-training-risk` (appendix E.3 of the paper).
    """
    _, every, rows = checks.spaced(steps, log_every)
    if rows == 0:
        every, rows = 0, 1
    room = max(_ROOM, 1 << (rows - 1).bit_length())
    counts = np.int32(every), np.int32(rows)
    with single_precision():
        layers, found = zip(*(_rows(one, *counts, room=room) for one in each(state)), strict=True)
        layer = jax.device_put(stacked(layers))
        found = jax.tree.map(lambda x: x[:rows], stacked(found, 1))
        step = jax.device_put(found.step[-1, 0])
    return replace(state, step=step, layer=layer), found._replace(step=found.step[:, 0])

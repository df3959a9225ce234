"""Single-pass SGD of the layer: fresh sequences in each step, several independent runs.

Training can be cut into chunks: ``state = start_training(...)``, then ``state, rows =
advance_training(state, steps, log_every)`` repeatedly. The numbers are the same to the last bit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from operator import itemgetter
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from slrlib import checks
from slrlib.dynamics import scan
from slrlib.task import Teacher
from slrlib.transformer.alignments import (
    gated_value_direction,
    key_direction,
    value_direction,
)
from slrlib.transformer.fast import read
from slrlib.transformer.layer import layer_norm
from slrlib.transformer.sequences import draw, single_precision
from slrlib.transformer.start import Training, stacked

_ROOM = 32  # rows that a compiled program has room for; more of them take one of their own


class TrainingRow(NamedTuple):
    """Rows of R runs of H heads and m locations, time first, measured on test sequences.

    Parameters
    ----------
    step : Array
        Shape (time,): number of steps done.
    excess_risk : Array
        Shape (time, R): mean square of the error, without label noise.
    kappa : Array
        Shape (time, R, H, m): abs(k_h.k_i*).
    nu, nu_gated : Array
        Shape (time, R, H, m): v_h.v_i*, with v as in the paper, and with each hidden unit weighted
        by the fraction of sequences that open it.
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

    def __repr__(self) -> str:
        """The shape of each array, where their numbers would fill pages."""
        return "TrainingRow: " + ", ".join(f"{x} {np.shape(a)}" for x, a in self._asdict().items())


def _stepped(layer, t, run, fixed):
    """``layer`` after the step ``t`` of SGD."""
    register, teachers, key = run
    key_draw, key_label = jax.random.split(jax.random.fold_in(key, t))
    X, y = draw(fixed.task, teachers, fixed.batch, fixed.shared_noise, key_draw)
    y = y + fixed.task.noise * jax.random.normal(key_label, y.shape, y.dtype)
    Z = layer_norm(X)  # outside the gradient: it holds no weight

    def training_risk(layer):
        return jnp.mean((read(layer, register, Z)[0] - y) ** 2)

    slopes = jax.grad(training_risk)(layer)
    return jax.tree.map(lambda w, slope: w - fixed.learning_rate * slope, layer, slopes)


def _measured(layer, step, run, Z, y):
    register, teachers, _ = run
    answer, weights, units = read(layer, register, Z)
    m = teachers.k_star.shape[0]
    return TrainingRow(
        step=step,
        excess_risk=jnp.mean((answer - y) ** 2),
        kappa=jnp.abs(key_direction(layer, register) @ teachers.k_star.T),
        nu=value_direction(layer) @ teachers.v_star.T,
        nu_gated=gated_value_direction(layer, units) @ teachers.v_star.T,
        attention=jnp.mean(weights[..., 1 : m + 1], axis=0),
        example=weights[0],
    )


def held_out(
    run: tuple[jax.Array, Teacher, jax.Array], fixed: Training
) -> tuple[jax.Array, jax.Array]:
    """Return the normalized test tokens and noiseless labels of a run (register, teachers, key)."""
    _, teachers, key = run
    test_key = jax.random.fold_in(key, 2**32 - 1)  # no step has this number
    X, y = draw(fixed.task, teachers, fixed.test_points, fixed.shared_noise, test_key)
    return layer_norm(X), y


@partial(jax.jit, static_argnames="room")
def _rows(one, every, rows, room):
    """Return the layer of one run after ``rows`` blocks of ``every`` steps, and their rows.

    Of the ``room`` rows those beyond ``rows`` are empty. No other shape depends on the number of
    rows or of runs, so one compiled program serves for all.
    """
    run = one.register, one.teachers, one.keys
    Z, y = held_out(run, one)

    def onward(one, every):
        end = one.step + every
        layer = jax.lax.fori_loop(
            one.step, end, lambda t, layer: _stepped(layer, t, run, one), one.layer
        )
        return replace(one, step=end, layer=layer)

    def row(one):
        return _measured(one.layer, one.step, run, Z, y)

    one, found = scan.filled(onward, row, one, every, rows, room)
    return one.layer, found


def each(state: Training) -> Iterator[Training]:
    """The runs of ``state``, one after the other, each without the axis of the runs."""
    if not isinstance(state, Training):
        raise ValueError(f"state must be one of start_training(...), got {checks.shown(state)}")
    arrays = state.layer, state.register, state.teachers, state.keys
    arrays = jax.tree.map(lambda x: x if checks.is_traced(x) else np.asarray(x), arrays)
    for r in range(len(state.keys)):
        layer, register, teachers, keys = jax.tree.map(itemgetter(r), arrays)
        yield replace(state, layer=layer, register=register, teachers=teachers, keys=keys)


def advance_training(state: Training, steps: int, log_every: int) -> tuple[Training, TrainingRow]:
    """Take ``steps`` more steps of SGD in every run, and keep a row after each ``log_every``.

    The runs are computed one after the other, so that each stays in the cache of the processor.

    Parameters
    ----------
    state : Training
        R runs, from ``start_training`` or an earlier call.
    steps : int
        Number of steps; with zero, the one row is that of the given state.
    log_every : int
        Steps from one row to the next; it must divide ``steps``.

    Returns
    -------
    state : Training
        The runs ``steps`` steps later.
    rows : TrainingRow
        Time first: ``step`` (time,), ``excess_risk`` (time, R); ``kappa`` = abs(k_h.k_i*), ``nu`` =
        v_h.v_i*, ``nu_gated`` and ``attention`` (time, R, H, m); ``example`` (time, R, H, L + 1).

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

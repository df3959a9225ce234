"""Single-pass SGD of the layer: fresh sequences in each step, several independent runs together.

``state = start_training(...)``, then ``state, rows = advance_training(state, steps, log_every)`` as
often as one likes: the numbers are those of one go, to the last bit.
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

    So ``kappa[t, r, h, i]`` stands in row t and is that of head h and location i in run r; ``nu``,
    ``nu_gated`` and ``attention`` have the same shape (time, R, H, m).

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
    """Normalised tokens and noiseless labels that measure a run (register, teachers, key)."""
    _, teachers, key = run
    test_key = jax.random.fold_in(key, 2**32 - 1)  # no step has this number
    X, y = draw(fixed.task, teachers, fixed.test_points, fixed.shared_noise, test_key)
    return layer_norm(X), y


@partial(jax.jit, static_argnames="room")
def _rows(one, every, rows, room):
    """The layer of one run after ``rows`` blocks of ``every`` steps, and a row after each block.

    Of the ``room`` rows that come back those beyond ``rows`` are empty. As no other shape depends
    on the number of rows, or on how many runs there are, one compiled program serves for all.
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
    """``steps`` more steps of every run: where they then stand, a row after each ``log_every``.

    With ``steps`` zero, the one row of where they stand now. The runs go one after the other, so
    that each stays in the cache.

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

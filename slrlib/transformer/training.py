"""Single-pass SGD of the layer: fresh sequences in each step, several independent runs together.

``state = start_training(...)``, then ``state, rows = advance_training(state, steps, log_every)`` as
often as one likes: the numbers are those of one go, to the last bit.
"""

from dataclasses import replace
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp

from slrlib import _door
from slrlib.transformer.alignments import _gated_value_direction, key_direction, value_direction
from slrlib.transformer.fast import _read
from slrlib.transformer.layer import layer_norm
from slrlib.transformer.sequences import draw, single_precision


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
    _, every, rows = _door.spaced(steps, log_every)
    with single_precision():
        return _rows(state, jnp.asarray(every, jnp.int32), rows=rows)

"""Many steps of SGD: the random numbers of a block are drawn first, then its steps are taken."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import jax
import jax.numpy as jnp
from jax.experimental.xla_metadata import set_xla_metadata
from jax.typing import ArrayLike

from slrlib.dynamics.chain import moved
from slrlib.dynamics.draws import normals_from, random_words
from slrlib.dynamics.schedules import InverseDecay, lam_at
from slrlib.dynamics.tokens import draw_rest, noise_tokens, pairs_drawn, summed

AHEAD = 2**18  # numbers that SGD draws ahead of its steps, so that memory stays small
SMALL = 2**11  # of numbers a step: above it, the calls between functions hardly count


def _as_one(loop, *arguments):
    """Return loop(*arguments), which XLA is told to compile as one function of the processor.

    By default XLA cuts a step into some sixty small functions, and calling them takes longer than
    their work. These two attributes have an effect on processors only.
    """
    first, *others = jax.jit(loop)(*arguments)
    return set_xla_metadata(first, inlineable="false", xla_cpu_small_call="true"), *others


def _sampled_until(end, run, alone=False):
    """Return the run at step ``end``.

    ``alone``: outside any JAX transformation, so that shapes are those of the whole batch. The
    random numbers of a block, and the sums over them, are computed first, each in a loop of its
    own: XLA would otherwise repeat that work wherever its result is used.
    """
    like = run.pair.kappa
    shape = pairs_drawn(run.batch, run.tokens), *like.shape
    length = min(32, max(2, AHEAD // (2 * math.prod(shape))))
    small = math.prod(shape) <= SMALL and isinstance(run.schedule, InverseDecay)

    def block(state):
        begin, pair = state
        steps = begin + jnp.arange(length)
        words = jax.lax.map(lambda t: random_words(run.key, t, 0, shape), steps)
        normals = jax.lax.map(lambda x: normals_from(*x), words)

        def its_draws(x):
            return draw_rest(x[0], run.key, x[1], run.task.d, run.batch, run.tokens, like)

        def its_sums(x):
            tokens = noise_tokens(x[0], run.batch, run.tokens, like.shape)
            return summed(*tokens, lam_at(run.schedule, x[1], like))

        drawn, sums = (jax.lax.map(f, (normals, steps)) for f in (its_draws, its_sums))

        def step(i, pair):
            here, total = jax.tree.map(lambda x: x[i], (drawn, sums))
            return moved(
                pair, here, total, lam_at(run.schedule, steps[i], like), run.task, run.alpha
            )

        count = jnp.minimum(length, end - begin)
        return begin + count, jax.lax.fori_loop(0, count, step, pair)

    def until_the_end(*state):
        return jax.lax.while_loop(lambda state: state[0] < end, block, state)

    if alone and small and jax.default_backend() == "cpu":
        step, pair = _as_one(until_the_end, run.step, run.pair)
    else:
        step, pair = until_the_end(run.step, run.pair)
    return replace(run, step=step, pair=pair)


def sampled(run: Any, every: ArrayLike) -> Any:
    """Return the run ``every`` steps of SGD later."""
    return _sampled_until(run.step + every, run)


def sampled_alone(run: Any, every: ArrayLike) -> Any:
    """Return the run ``every`` steps of SGD later, outside any JAX transformation."""
    return _sampled_until(run.step + every, run, alone=True)

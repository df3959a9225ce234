"""Steps of a run inside compiled loops: one by one for PGD, in blocks drawn ahead for SGD."""

import math
from dataclasses import replace

import jax
import jax.numpy as jnp

from slrlib.dynamics.chain import _sampled
from slrlib.dynamics.draws import _words
from slrlib.dynamics.steps import _descend
from slrlib.dynamics.tokens import _draw, _pairs_drawn, _summed

AHEAD = 2**18  # numbers that SGD draws ahead of its steps, so that memory stays small


def _lam(run, step):
    return jnp.asarray(run.schedule(step), run.pair.kappa.dtype)


def _descended(_, run):
    """The run one step of PGD later."""
    pair = _descend(run.pair, _lam(run, run.step), run.task, run.alpha)
    return replace(run, step=run.step + 1, pair=pair)


def _sampled_until(end, run):
    """The run of SGD at step ``end``.

    What a block of steps draws, and the sums over it, are made first, each in a loop of its own:
    XLA would otherwise repeat that work in every place that uses its result.
    """
    like = run.pair.kappa
    shape = _pairs_drawn(run.batch, run.tokens), *like.shape
    length = min(32, max(2, AHEAD // (2 * math.prod(shape))))

    def block(run):
        steps = run.step + jnp.arange(length)
        words = jax.lax.map(lambda t: _words(run.key, t, 0, shape), steps)
        drawn = jax.lax.map(
            lambda x: _draw(x[0], run.key, x[1], run.task.d, run.batch, run.tokens, like),
            (words, steps),
        )
        sums = jax.lax.map(lambda x: _summed(*x[:2], _lam(run, x[2])), (drawn.s, drawn.h, steps))

        def step(i, pair):
            here, its_sums = jax.tree.map(lambda x: x[i], (drawn, sums))
            return _sampled(pair, here, its_sums, _lam(run, steps[i]), run.task, run.alpha)

        count = jnp.minimum(length, end - run.step)
        pair = jax.lax.fori_loop(0, count, step, run.pair)
        return replace(run, step=run.step + count, pair=pair)

    return jax.lax.while_loop(lambda run: run.step < end, block, run)

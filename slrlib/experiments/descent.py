"""Runs of gradient descent in chunks: stopped at any time, they go on from the last chunk."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from tqdm import tqdm

from slrlib import checks
from slrlib.dynamics import Trajectory, advance, start, start_sgd
from slrlib.dynamics.devices import spread
from slrlib.dynamics.run import row
from slrlib.dynamics.scan import first_row
from slrlib.dynamics.schedules import as_pytree
from slrlib.experiments import kept
from slrlib.landscape import BASINS, basin
from slrlib.overlaps import Overlaps, random_overlaps
from slrlib.risk import oracle_excess_risk

_CHUNKS = 20  # at least that many, so that little is lost and progress is seen


class Descended(NamedTuple):
    """Rows of the runs: arrays (time, repetitions); ``step``, ``lam``, ``oracle`` are (time,).

    Row i stands before step ``step[i]``, which uses ``lam[i]``; ``oracle`` is the excess risk of
    the oracle pair at that lam. ``ends`` names the end of each run: see ``landscape.basin``.
    """

    step: np.ndarray
    lam: np.ndarray
    overlaps: Overlaps
    excess_risk: np.ndarray
    distance: np.ndarray
    oracle: np.ndarray
    ends: np.ndarray


def _first(experiment):
    """The runs before their first step."""
    e = experiment
    key_start, key_noise = jax.random.split(jax.random.key(e.seed))
    o = random_overlaps(key_start, e.task.d, (e.repetitions,), on_manifold=e.on_manifold)
    if e.batch is None:
        return start(o, e.task, e.schedule, e.alpha)
    return start_sgd(o, e.task, e.schedule, e.alpha, e.batch, key=key_noise)


def _leaves(run):
    """The arrays that change along a run, under names, and how to put others in their place."""
    leaves, tree = jax.tree.flatten(run)
    names = {i: f"run_{i}" for i, leaf in enumerate(leaves) if isinstance(leaf, jax.Array)}

    def with_these(stored):
        new = [
            jnp.asarray(stored[names[i]], leaf.dtype) if i in names else leaf
            for i, leaf in enumerate(leaves)
        ]
        return jax.tree.unflatten(tree, new)

    return {names[i]: np.asarray(leaves[i]) for i in names}, with_these


def _chunks(e):
    """The steps, those between two rows, and into how many equal chunks of rows the run goes.

    The chunks are the fewest that are ``_CHUNKS`` or more.
    """
    steps, every, rows = checks.spaced(e.steps, e.log_every, at_least=1)
    return steps, every, next(n for n in range(min(_CHUNKS, rows), rows + 1) if rows % n == 0)


def _packed(rows):
    return {"step": rows.step, "excess_risk": rows.excess_risk, **rows.overlaps._asdict()}


def _unpacked(arrays):
    o = Overlaps(*(arrays[name] for name in Overlaps._fields))
    return Trajectory(arrays["step"], o, arrays["excess_risk"])


def _joined(parts):
    return jax.tree.map(lambda *x: np.concatenate([np.asarray(a) for a in x]), *parts)


def descend(experiment, folder=None, progress=False):
    """The rows of ``experiment``; with a ``folder``, kept there after each chunk.

    A file of the same numbers is read instead of computed again, a part of it continued: the
    result is the same to the last bit on the same machine.
    """
    e = experiment
    steps, every, chunks = _chunks(e)
    run = _first(e)
    _, restored = _leaves(run)
    precision, there = str(run.pair[0].dtype), kept.find(e, folder)
    if there and there[1].get("float") == precision:
        arrays, found = there
        done, parts, run = found["chunks"], [_unpacked(arrays)], restored(arrays)
    else:
        done, parts = 0, [_start_row(run)]
    run, each = spread(run), steps // chunks
    for chunk in tqdm(range(done, chunks), e.name, disable=not progress):
        run, rows = advance(run, each, every)
        parts = [_joined([*parts, rows])]
        arrays = {**_packed(parts[0]), **_leaves(run)[0]}
        kept.keep(e, folder, arrays, float=precision, chunks=chunk + 1, of=chunks)
    return _described(e, parts[0])


def _start_row(run):
    """The row before the first step, as a trajectory of one row."""
    return jax.tree.map(lambda x: np.asarray(x)[None], first_row(run, row))


@jax.jit
def _by_step(schedule, step, task):
    """lam at each step, and the excess risk of the oracle there."""
    lam = jnp.broadcast_to(schedule(step), step.shape)
    return lam, oracle_excess_risk(lam, task)


def _described(e, rows):
    rows = jax.tree.map(np.asarray, rows)
    step = rows.step.astype(jnp.result_type(float))
    lam, oracle = map(np.asarray, _by_step(as_pytree(e.schedule), step, e.task))
    o = rows.overlaps
    codes = basin(Overlaps(*(x[-1] for x in o)), float(lam[-1]), e.task)
    return Descended(
        step=rows.step,
        lam=lam,
        overlaps=o,
        excess_risk=rows.excess_risk,
        distance=np.sqrt(o.theta**2 + o.eta**2 + o.rho**2),
        oracle=oracle,
        ends=np.array(BASINS)[np.asarray(codes)],
    )

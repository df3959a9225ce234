"""Several heads on several locations: stochastic PGD of the erf predictor (Figure 9)."""

from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from tqdm import tqdm

from slrlib import checks, heads, sphere
from slrlib.dynamics.scan import first_row
from slrlib.dynamics.schedules import as_pytree
from slrlib.experiments import kept
from slrlib.experiments.descent import _chunks, _joined, _leaves
from slrlib.experiments.kinds import Experiment
from slrlib.heads.sgd import row
from slrlib.task import random_teacher


@dataclass(frozen=True)
class Separation(Experiment):
    """Runs of ``heads`` heads on ``locations`` locations, each from its own start and teachers."""

    schedule: object
    alpha: float
    steps: int
    log_every: int
    repetitions: int = 20
    heads: int = 2
    locations: int = 2
    batch: int = 5
    shared_noise: bool = False
    seed: int = 0


class Separated(NamedTuple):
    """Rows of the runs: ``kappa`` and ``nu`` (time, repetitions, heads, locations) are signed.

    ``gram`` (repetitions, n, n) holds the inner products of k_1*, ..., v_1*, ..., k_1, ..., v_1,
    ... in this order after the last step, n = 2 locations + 2 heads. ``floor`` is the least excess
    risk that the model could reach, where it is known.
    """

    step: np.ndarray
    excess_risk: np.ndarray
    floor: np.ndarray | None
    kappa: np.ndarray
    nu: np.ndarray
    lam: np.ndarray | None = None
    gram: np.ndarray | None = None


@partial(jax.jit, static_argnames=("d", "heads", "locations"))
def _vectors(key, numbers, d, heads, locations):
    """Teachers and heads of the repetitions with these numbers, and the key of all draws."""
    key_vectors, key_draws = jax.random.split(key)

    def one(i):
        keys = jax.random.split(jax.random.fold_in(key_vectors, i), 3)
        pair = (sphere.uniform(d, (heads,), key=key) for key in keys[1:])
        return random_teacher(d, (locations,), key=keys[0]), *pair

    return jax.vmap(one)(numbers), key_draws


def _first(experiment):
    """The runs before their first step; repetition i is the same however many there are."""
    e = experiment
    numbers = np.arange(checks.count("repetitions", e.repetitions))
    d = checks.count("task.d", e.task.d, at_least=2)
    (teachers, K, V), key_draws = _vectors(jax.random.key(e.seed), numbers, d, e.heads, e.locations)
    return heads.start(
        K,
        V,
        teachers,
        e.task,
        e.schedule,
        e.alpha,
        e.batch,
        shared_noise=e.shared_noise,
        key=key_draws,
    )


def separate(experiment, folder=None, progress=False):
    """The rows of ``experiment``; with a ``folder``, kept there after each chunk."""
    e = experiment
    steps, every, chunks = _chunks(e)
    run = _first(e)
    _, restored = _leaves(run)
    precision, there = str(run.teachers.k_star.dtype), kept.find(e, folder)
    # A whole run is of use in either precision.
    if there and (kept.is_whole(there[1]) or there[1].get("float") == precision):
        arrays, found = there
        done, run = found["chunks"], restored(arrays)
        rows = heads.Trajectory(*(arrays[name] for name in heads.Trajectory._fields))
    else:
        done, rows = 0, jax.tree.map(lambda x: np.asarray(x)[None], first_row(run, row))
    for chunk in tqdm(range(done, chunks), e.name, disable=not progress):
        run, more = heads.advance(run, steps // chunks, every)
        rows = _joined([rows, more])
        rows = rows._replace(kappa=np.float32(rows.kappa), nu=np.float32(rows.nu))
        arrays = {**rows._asdict(), **_leaves(run)[0]}
        kept.keep(e, folder, arrays, float=precision, chunks=chunk + 1, of=chunks)
    return _described(e, run, rows)


@jax.jit
def _lam_at(schedule, step):
    return jnp.broadcast_to(jnp.asarray(schedule(step)), step.shape)


def _described(e, run, rows):
    lam = _lam_at(as_pytree(e.schedule), np.asarray(rows.step, float))
    axes = np.concatenate([*run.teachers, run.K, run.V], axis=1, dtype=float)
    return Separated(
        step=rows.step,
        excess_risk=rows.excess_risk,
        floor=None,
        kappa=rows.kappa,
        nu=rows.nu,
        lam=np.asarray(lam),
        gram=np.einsum("rid,rjd->rij", axes, axes),
    )

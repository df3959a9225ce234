"""Stochastic PGD of several heads on several locations, on the vectors themselves.

Each step draws ``batch`` fresh sequences, for each repetition from a key of its own. The draws of a
step depend on that key and on the step alone, so a run can stop after any row and go on with the
same bits.
"""

from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from slrlib import _door
from slrlib.dynamics._several_batch import _drawn, _sequences
from slrlib.dynamics.draws import _key_words
from slrlib.dynamics.schedules import _as_pytree
from slrlib.risk.several import several_excess_risk
from slrlib.special import erf, erf_prime
from slrlib.task import Teacher


class SeveralTrajectory(NamedTuple):
    """Rows of a run, time first: ``kappa`` and ``nu`` (time, R, H, m) are k_h.k_i* and v_h.v_i*.

    ``excess_risk`` (time, R) is exact, at lam = schedule(step).

    Book: {eq}`eq-several-sgd`.
    """

    step: jax.Array
    kappa: jax.Array
    nu: jax.Array
    excess_risk: jax.Array


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class SeveralRun:
    """Where R repetitions stand: ``K``, ``V`` (R, H, d), and all that their next steps need."""

    step: jax.Array
    K: jax.Array
    V: jax.Array
    teachers: Teacher
    task: object
    schedule: object
    alpha: jax.Array
    words: jax.Array  # two for each repetition, its key
    batch: int = field(metadata={"static": True})
    tokens: int = field(metadata={"static": True})
    shared_noise: bool = field(default=False, metadata={"static": True})


def several_start(K, V, teachers, task, schedule, alpha, batch, *, shared_noise=False, key=None):
    """R repetitions before their first step, from heads (R, H, d) and teachers (R, m, d).

    Book: {eq}`eq-several-sgd`.
    """
    teachers = Teacher(*_door.teacher(teachers))
    if teachers.k_star.ndim != 3:
        shape = teachers.k_star.shape
        raise ValueError(f"teachers must hold arrays of shape (R, m, d), got shape {shape}")
    R, m, d = teachers.k_star.shape
    _door.task(task, d=d)
    tokens = _door.count("task.L", task.L, at_least=m)
    K, V = (jnp.asarray(_door.ends_in(name, x, (R, None, d))) for name, x in (("K", K), ("V", V)))
    if K.shape != V.shape or K.ndim != 3:
        raise ValueError(f"K and V must have one shape (R, H, d), got {K.shape} and {V.shape}")
    return SeveralRun(
        step=jax.device_put(np.zeros((), int)),
        K=K,
        V=V,
        teachers=teachers,
        task=task,
        schedule=_as_pytree(schedule),
        alpha=_door.nonnegative("alpha", alpha),
        words=_words(_door.random_key(key), R),
        batch=_door.count("batch", batch),
        tokens=tokens,
        shared_noise=_door.flag("shared_noise", shared_noise),
    )


@partial(jax.jit, static_argnames="R")
def _words(key, R):
    """Two words for each repetition; those of the first ones do not depend on R."""
    return jax.vmap(lambda i: _key_words(jax.random.fold_in(key, i)))(jnp.arange(R))


def _stepped(run, normals):
    """The run one step later: the gradient of the mean square on the batch, projected."""
    X, y = _sequences(run, normals)
    lam = jnp.asarray(run.schedule(run.step), X.dtype)
    K, V = (x.astype(X.dtype) for x in (run.K, run.V))
    s, t = (jnp.einsum("rbld,rhd->rhbl", X, x) for x in (K, V))
    e, slope = erf(lam * s), lam * erf_prime(lam * s)
    error = 2.0 / run.batch * (jnp.sum(e * t, axis=(1, 3)) - y)
    weights = error[:, None, :, None] * jnp.concatenate([slope * t, e], axis=1)
    slopes = jnp.einsum("rhbl,rbld->rhd", weights, X).astype(run.K.dtype)
    H = run.K.shape[1]
    K, V = (_moved(x, g, run.alpha) for x, g in ((run.K, slopes[:, :H]), (run.V, slopes[:, H:])))
    return replace(run, step=run.step + 1, K=K, V=V)


def _moved(point, slope, alpha):
    """The tangent step against ``slope``, then back to the sphere."""
    along = jnp.sum(point * slope, axis=-1, keepdims=True)
    point = point - alpha * (slope - along * point)
    return point * jax.lax.rsqrt(jnp.sum(point * point, axis=-1, keepdims=True))


def _row(run):
    """All in the precision of the teachers."""
    k_star, v_star = run.teachers
    K, V = (x.astype(k_star.dtype) for x in (run.K, run.V))
    kappa, nu = (jnp.einsum("rhd,rmd->rhm", *x) for x in ((K, k_star), (V, v_star)))
    lam = jnp.asarray(run.schedule(run.step), K.dtype)
    risk = several_excess_risk(K, V, run.teachers, lam, run.task, shared_noise=run.shared_noise)
    return SeveralTrajectory(run.step, kappa, nu, risk)


def _block(run, every):
    """The run ``every`` steps later, and its row."""

    def step(_, state):
        """The draws of the next step are made beside this one, so that they are made once only."""
        run, normals = state
        return _stepped(run, normals), _drawn(run, run.step + 1)

    run = jax.lax.fori_loop(0, every, step, (run, _drawn(run, run.step)))[0]
    return run, _row(run)


@partial(jax.jit, static_argnames="rows")
def _scanned(run, every, rows):
    return jax.lax.scan(lambda run, _: _block(run, every), run, None, length=rows)


_compiled = jax.jit(_block)  # one program, so that chunks of any length give the same bits
first_row = jax.jit(_row)


def several_advance(run, steps, log_every):
    """``steps`` more steps: the run where it then stands, and the rows after each ``log_every``.

    Book: {eq}`eq-several-sgd`.
    """
    _, every, rows = _door.spaced(steps, log_every)
    if rows == 0 or any(_door.is_traced(x) for x in jax.tree.leaves(run)):
        return _scanned(run, every, rows)
    found = []
    for _ in range(rows):
        run, row = _compiled(run, every)
        found.append(jax.tree.map(np.asarray, row))
    return run, jax.tree.map(lambda *each: np.stack(each), *found)


def several_sgd(
    K, V, teachers, task, schedule, alpha, batch, steps, log_every, *, shared_noise=False, key=None
):
    """Stochastic PGD with ``batch`` fresh sequences a step; the first row stands before any step.

    Heads (R, H, d) and teachers (R, m, d) of R repetitions, each of which draws on its own.

    Book: {eq}`eq-several-sgd` (appendix E.3 of the paper).
    """
    run = several_start(
        K, V, teachers, task, schedule, alpha, batch, shared_noise=shared_noise, key=key
    )
    _, rest = several_advance(run, steps, log_every)
    return jax.tree.map(_below, first_row(run), rest)


def _below(first, rest):
    """The row ``first`` and then those of ``rest``; on the host, which compiles nothing."""
    if _door.is_traced(rest):
        return jnp.concatenate([first[None], rest])
    return jax.device_put(np.concatenate([np.asarray(first)[None], rest]))

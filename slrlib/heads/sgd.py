"""PGD and online SGD of several heads on several locations, on the vectors themselves.

Each step of SGD samples ``batch`` new sequences, and each repetition has its own key. The samples
of a step depend only on this key and on the step, so a run that was stopped after any row resumes
with bitwise identical results.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial, reduce
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from slrlib import checks, sphere
from slrlib.dynamics import scan
from slrlib.dynamics.chain import key_words, normals_from, threefry
from slrlib.dynamics.schedules import Schedule, as_pytree, lam_at
from slrlib.heads.risk import excess_risk_of
from slrlib.predictors import erf_attention
from slrlib.special import erf, erf_prime
from slrlib.task import Sample, Task, Teacher, draw, sizes


def sample(
    task: Task, teachers: Teacher, n: int, *, key: jax.Array, shared_noise: bool = False
) -> Sample:
    """Sample sequences with m informative tokens each, and their labels.

    Token J_i has mean sqrt(d/2) k_i*, and the label is the sum of X_{J_i}.v_i* over i plus noise.
    The locations J_i are distinct. They are sampled one after the other, from the remaining
    locations, with probabilities proportional to p.

    Parameters
    ----------
    task : Task
        The task; all its numbers enter.
    teachers : Teacher
        k_i* and v_i*, arrays of shape (m, d), m <= L.
    n : int
        Number of sequences.
    key : Array
        Random key.
    shared_noise : bool
        Whether the m informative tokens of a sequence have the same Gaussian noise.

    Returns
    -------
    Sample
        Tokens (n, L, d), labels (n,) and locations (n, m).

    Examples
    --------
    >>> e = jnp.eye(8)
    >>> sample(Task(d=8, L=5), Teacher(e[:2], e[2:4]), 3, key=jax.random.key(0))[0].shape
    (3, 5, 8)

    Book: {eq}`eq-several` (equation (30) of the paper).
    """
    k_star, v_star = checks.teacher(teachers, "teachers", ("m", "d"))
    shape, m = sizes(task, n, k_star.shape[-1]), k_star.shape[0]
    if m > shape[1]:
        raise ValueError(f"teachers must be at most L={shape[1]}, one a token, got {m}")
    if task.p is not None and not checks.is_traced(task.p):
        if np.count_nonzero(np.asarray(task.p)) < m:
            got = checks.shown(task.p)
            raise ValueError(f"p must be positive at {m} places or more, got {got}")
    shared_noise, key = checks.flag("shared_noise", shared_noise), checks.random_key(key)
    return draw(task, k_star, v_star, key, shape, shared_noise)


def normals_of_step(run: Any, step: ArrayLike) -> tuple[jax.Array, jax.Array]:
    """Sample the standard normal numbers of a step: tokens (R, batch * L, d) and labels (R, batch).

    The numbers of a repetition do not depend on the other repetitions. They are sampled in float32.
    Everything else has the precision of the heads, because the first steps at a large lam amplify
    rounding errors by a factor of a thousand.
    """
    R, _, d = run.K.shape
    rows = run.batch * run.tokens
    count = rows * d + run.batch
    place = jnp.arange((count + 1) // 2, dtype=jnp.uint32)[None, :]
    words = run.words[:, 0, None], run.words[:, 1, None]
    when = jnp.broadcast_to(jnp.asarray(step).astype(jnp.uint32), place.shape)
    flat = jnp.concatenate(normals_from(*threefry(words, place, when)), axis=-1)
    flat = flat.astype(run.K.dtype)
    return flat[:, : rows * d].reshape(R, rows, d), flat[:, rows * d : count]


def sequences(run: Any, normals: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
    """Return tokens (R, batch, L, d) and labels (R, batch); the first m tokens are informative.

    The predictor does not depend on the order of the tokens, so the distribution of the locations
    does not matter.
    """
    z, label_noise = normals
    R, _, d = z.shape
    k_star, v_star = (x.astype(z.dtype) for x in run.teachers)
    m = k_star.shape[1]
    z = z.reshape(R, run.batch, run.tokens, d)
    own = z[:, :, :1] if run.shared_noise else z[:, :, :m]
    numbers = run.task.signal, run.task.gamma, run.task.noise
    signal, gamma, noise = (jnp.asarray(x, z.dtype) for x in numbers)
    own = signal * k_star[:, None] + gamma * own
    y = jnp.sum(own * v_star[:, None], axis=(-2, -1)) + noise * label_noise
    return jnp.concatenate([own, z[:, :, m:]], axis=2), y


class Trajectory(NamedTuple):
    """The rows of R repetitions with H heads and m locations; the first axis is time.

    Parameters
    ----------
    step : ndarray
        Shape (time,): number of steps done.
    kappa, nu : ndarray
        Shape (time, R, H, m): k_h.k_i* and v_h.v_i*.
    excess_risk : ndarray
        Shape (time, R): the exact excess risk, at lam = schedule(step).

    Book: {eq}`eq-several-sgd`.
    """

    step: jax.Array
    kappa: jax.Array
    nu: jax.Array
    excess_risk: jax.Array


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Run:
    """The state of R repetitions, ``K`` and ``V`` (R, H, d), and what their next steps need."""

    step: jax.Array
    K: jax.Array
    V: jax.Array
    teachers: Teacher
    task: Task
    schedule: Schedule
    alpha: jax.Array
    words: jax.Array  # two for each repetition, its key
    batch: int | None = field(metadata={"static": True})  # None: the exact risk
    tokens: int = field(metadata={"static": True})
    shared_noise: bool = field(default=False, metadata={"static": True})


def start(
    K: ArrayLike,
    V: ArrayLike,
    teachers: Teacher,
    task: Task,
    schedule: Schedule,
    alpha: ArrayLike,
    batch: int | None,
    *,
    key: jax.Array,
    shared_noise: bool = False,
) -> Run:
    """Return R repetitions at step 0, from heads (R, H, d) and teachers (R, m, d).

    Each step uses ``batch`` new sequences, or the exact risk if ``batch`` is None.

    Book: {eq}`eq-several-sgd`.
    """
    teachers = Teacher(*checks.teacher(teachers, "teachers", ("R", "m", "d")))
    R, m, d = teachers.k_star.shape
    checks.task(task, d=d)
    tokens = checks.count("task.L", task.L, at_least=m)
    K = jnp.asarray(checks.ends_in("K", K, (R, None, d)))
    V = jnp.asarray(checks.ends_in("V", V, K.shape))
    return Run(
        step=jax.device_put(np.zeros((), int)),
        K=K,
        V=V,
        teachers=teachers,
        task=task,
        schedule=as_pytree(schedule),
        alpha=checks.nonnegative("alpha", alpha),
        words=_words(checks.random_key(key), R),
        batch=batch if batch is None else checks.count("batch", batch),
        tokens=tokens,
        shared_noise=checks.flag("shared_noise", shared_noise),
    )


@partial(jax.jit, static_argnames="R")
def _words(key, R):
    """Return two words for each repetition; the words of a repetition do not depend on R."""
    return jax.vmap(lambda i: key_words(jax.random.fold_in(key, i)))(jnp.arange(R))


def stepped(run: Run, normals: tuple[jax.Array, jax.Array]) -> Run:
    """Take one step: the gradient of the mean square on the batch, then the projection."""
    X, y = sequences(run, normals)
    lam = lam_at(run.schedule, run.step, X)
    K, V = (x.astype(X.dtype) for x in (run.K, run.V))
    s, t = (jnp.einsum("rbld,rhd->rhbl", X, x) for x in (K, V))
    e, slope = erf(lam * s), lam * erf_prime(lam * s)
    error = 2.0 / X.shape[1] * (jnp.sum(e * t, axis=(1, 3)) - y)
    weights = error[:, None, :, None] * jnp.concatenate([slope * t, e], axis=1)
    slopes = jnp.einsum("rhbl,rbld->rhd", weights, X).astype(run.K.dtype)
    H = run.K.shape[1]
    K, V = (_moved(x, g, run.alpha) for x, g in ((run.K, slopes[:, :H]), (run.V, slopes[:, H:])))
    return replace(run, step=run.step + 1, K=K, V=V)


def _moved(point, slope, alpha):
    """Take the tangent step against the gradient ``slope``, and project onto the sphere."""
    return sphere.retract(point, -alpha * sphere.tangent(point, slope))


def row(run: Run) -> Trajectory:
    """Return the row of a run at its current step, in the precision of the teachers."""
    k_star, v_star = run.teachers
    K, V = (x.astype(k_star.dtype) for x in (run.K, run.V))
    kappa, nu = (jnp.einsum("rhd,rmd->rhm", *x) for x in ((K, k_star), (V, v_star)))
    lam = lam_at(run.schedule, run.step, K)
    risk = excess_risk_of(K, V, run.teachers, lam, run.task, run.shared_noise)
    return Trajectory(run.step, kappa, nu, risk)


def _onward(run, every):
    """Advance a run by ``every`` steps of SGD."""

    def step(_, state):
        """Sample the numbers of the next step here, so that they are computed only once."""
        run, normals = state
        return stepped(run, normals), normals_of_step(run, run.step + 1)

    return jax.lax.fori_loop(0, every, step, (run, normals_of_step(run, run.step)))[0]


def _on_exact_risk(run, every):
    """Advance a run by ``every`` steps of PGD."""

    def risk(pair, lam):
        return jnp.sum(excess_risk_of(*pair, run.teachers, lam, run.task, run.shared_noise))

    def step(_, run):
        pair = run.K, run.V
        slopes = jax.grad(risk)(pair, lam_at(run.schedule, run.step, run.K))
        K, V = (_moved(x, g, run.alpha) for x, g in zip(pair, slopes, strict=True))
        return replace(run, step=run.step + 1, K=K, V=V)

    return jax.lax.fori_loop(0, every, step, run)


def followed(run: Run, steps: int, log_every: int) -> tuple[Run, Trajectory]:
    """Advance a run; return it, and rows at the start and every ``log_every`` steps.

    Book: {eq}`eq-several-sgd`.
    """
    onward = _on_exact_risk if run.batch is None else _onward
    return scan.advanced(onward, row, [run], steps, log_every)[0]


def predict(X: ArrayLike, K: ArrayLike, V: ArrayLike, lam: ArrayLike) -> jax.Array:
    """Predict the label of each sequence: the sum of erf attention over the heads.

    Parameters
    ----------
    X : array (..., L, d)
        Sequences of L tokens.
    K, V : array (H, d)
        One head per row.
    lam : float
        Inverse temperature, zero or more.

    Returns
    -------
    array (...)
        The predictions.

    Examples
    --------
    >>> X, e = jnp.ones((5, 3, 4)), jnp.eye(4)
    >>> y = predict(X, e[:2], e[2:], 0.5)

    Book: {eq}`eq-several-heads`.
    """
    K = checks.ends_in("K", K, (None, None))
    V = checks.ends_in("V", V, K.shape)
    return reduce(jnp.add, [erf_attention(X, k, v, lam) for k, v in zip(K, V, strict=True)])

"""Sequences with several informative tokens: a sample of them, and the batches of a run."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.dynamics.chain import normals_from, threefry
from slrlib.task import Sample, Task, Teacher, draw, sizes


def sample(
    task: Task, teachers: Teacher, n: int, *, key: jax.Array, shared_noise: bool = False
) -> Sample:
    """Sample sequences with m informative tokens each, and their labels.

    Token J_i has mean sqrt(d/2) k_i*, and the label is the sum of X_{J_i}.v_i* over i plus noise.
    The locations J_i are distinct, drawn one after the other with the probabilities p among those
    left.

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
    k_star, v_star = checks.teacher(teachers, "teachers")
    if k_star.ndim != 2:
        raise ValueError(f"teachers must hold arrays of shape (m, d), got shape {k_star.shape}")
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
    """Draw the standard normal numbers of a step: tokens (R, batch * L, d) and labels (R, batch).

    The numbers of a repetition do not depend on the other repetitions. They are drawn in float32.
    All else has the precision of the heads, because the first steps at a large lam magnify every
    rounding error a thousandfold.
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

    The predictor does not depend on the order of the tokens, so any distribution of the locations
    will do.
    """
    z, label_noise = normals
    R, _, d = z.shape
    k_star, v_star = (x.astype(z.dtype) for x in run.teachers)
    m = k_star.shape[1]
    z = z.reshape(R, run.batch, run.tokens, d)
    own = z[:, :, :1] if run.shared_noise else z[:, :, :m]
    signal, gamma, noise = (
        jnp.asarray(x, z.dtype) for x in (run.task.signal, run.task.gamma, run.task.noise)
    )
    own = signal * k_star[:, None] + gamma * own
    y = jnp.sum(own * v_star[:, None], axis=(-2, -1)) + noise * label_noise
    return jnp.concatenate([own, z[:, :, m:]], axis=2), y

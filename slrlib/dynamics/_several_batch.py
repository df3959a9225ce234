"""A batch of fresh sequences with several informative tokens, for each repetition of a run.

A repetition draws the same numbers in whatever company it runs. Normal numbers are drawn in
float32; all else has the precision of the heads, as the first steps at a large lam magnify every
rounding error a thousandfold.
"""

import jax.numpy as jnp

from slrlib.dynamics.draws import _normals, _threefry


def _drawn(run, step):
    """The standard normal numbers of a step: tokens (R, batch * L, d) and labels (R, batch)."""
    R, _, d = run.K.shape
    rows = run.batch * run.tokens
    count = rows * d + run.batch
    place = jnp.arange((count + 1) // 2, dtype=jnp.uint32)[None, :]
    words = run.words[:, 0, None], run.words[:, 1, None]
    when = jnp.broadcast_to(jnp.asarray(step).astype(jnp.uint32), place.shape)
    flat = jnp.concatenate(_normals(*_threefry(words, place, when)), axis=-1)
    flat = flat.astype(run.K.dtype)
    return flat[:, : rows * d].reshape(R, rows, d), flat[:, rows * d : count]


def _sequences(run, normals):
    """Tokens (R, batch, L, d) and labels (R, batch); the first m places carry the label.

    The predictor does not see the order of the tokens, so the law of the places is free.
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

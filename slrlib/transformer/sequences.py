"""Fresh sequences for training, at low cost.

The prediction is the register row, which does not change when tokens are permuted. So the
informative tokens always stand first here; predictions and gradients have the same distribution.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from math import sqrt

import jax
import jax.numpy as jnp

from slrlib.task import Task, Teacher


@contextlib.contextmanager
def single_precision() -> Iterator[None]:
    """Use float32, and random bits in the older and faster layout of the same generator."""
    with jax.enable_x64(False), jax.threefry_partitionable(False):
        yield


def draw(
    task: Task, teachers: Teacher, n: int, shared_noise: bool, key: jax.Array
) -> tuple[jax.Array, jax.Array]:
    """Tokens (n, L, d) and noiseless labels (n,); token i < m follows row i of ``teachers``."""
    k_star, v_star = teachers
    (m, d), L = k_star.shape, int(task.L)
    key_others, key_own = jax.random.split(key)
    own = task.gamma * jax.random.normal(key_own, (n, 1 if shared_noise else m, d))
    informative = sqrt(task.d / 2) * k_star[None] + own
    others = jax.random.normal(key_others, (n, L - m, d))
    X = jnp.concatenate([informative, others], axis=1)
    return X, jnp.einsum("nmd,md->n", informative, v_star)

"""The exact excess risk of any linear predictor, for fitted ones without a test set."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.task import Task, Teacher


def linear_rule_excess_risk(beta: ArrayLike, task: Task, teacher: Teacher) -> jax.Array:
    """Compute the exact excess risk of the linear predictor sum_l X_l.beta_l.

    Parameters
    ----------
    beta : array_like
        Directions beta_l, of shape (..., L, d).
    task : Task
        The task (d, L, gamma, p); L cannot be traced.
    teacher : Teacher
        One teacher (k*, v*), of shapes (d,).

    Returns
    -------
    jax.Array
        The excess risk R - noise^2, of shape (...).

    Examples
    --------
    >>> task, teacher = Task(d=3, L=2), Teacher([1.0, 0.0, 0.0], [0.0, 1.0, 0.0])
    >>> float(linear_rule_excess_risk([[0.0, 0.5, 0.0], [0.0, 0.5, 0.0]], task, teacher))
    0.375

    Book: {eq}`eq-risk-linear-rule` (from the proof of Proposition 3 of the paper).
    """
    k_star, v_star = checks.teacher(teacher)
    L = checks.count("task.L", checks.task(task, d=v_star.shape[-1]).L)
    beta = checks.ends_in("beta", beta, (L, v_star.shape[-1]))
    return _risk(beta, task, k_star, v_star)


@jax.jit
def _risk(beta, task, k_star, v_star):
    L = beta.shape[-2]
    p = jnp.full(L, 1.0 / L) if task.p is None else task.p
    power, signal = task.gamma**2, task.d / 2.0
    # Sums of squares, which cannot cancel: the error at the location, the output elsewhere.
    length = jnp.sum(beta**2, axis=-1)
    missed = jnp.sum((beta - jnp.broadcast_to(v_star, beta.shape)) ** 2, axis=-1)
    true = power * missed + signal * (beta @ k_star) ** 2
    return jnp.einsum("...l,l->...", true, p) + jnp.einsum("...l,l->...", length, 1.0 - p)

"""The excess risk of erf attention with vectors k and v of any norm."""

from __future__ import annotations

from typing import cast

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.overlaps import inner_products, safe_sqrt
from slrlib.risk.closed import terms
from slrlib.task import Task, Teacher


def excess_risk_of(
    k: ArrayLike, v: ArrayLike, teacher: Teacher, lam: ArrayLike, task: Task
) -> jax.Array:
    """Compute the excess risk of erf attention with vectors ``k`` and ``v`` of any norm.

    The predictor is sum_l erf(lam X_l.k) X_l.v. The closed form of ``excess_risk`` is used with
    three changes: inner products replace the overlaps, lam |k| replaces lam as the standard
    deviation of lam X_l.k for a noise token, and |v|^2 multiplies the variance of X_l.v.

    Parameters
    ----------
    k : array_like
        Vectors k, of shape (..., d).
    v : array_like
        Vectors v, of shape (..., d).
    teacher : Teacher
        The teacher (k*, v*), of shapes (..., d).
    lam : array_like
        Inverse temperature lambda >= 0, of a shape that broadcasts with (...).
    task : Task
        The task (d, L, gamma).

    Returns
    -------
    jax.Array
        The excess risk R - noise^2, of the broadcast shape.

    Examples
    --------
    >>> teacher, task = Teacher([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]), Task(d=3, L=2)
    >>> print(f"{excess_risk_of([2.0, 0.0, 0.0], [0.0, 1.0, 0.0], teacher, 0.3, task):.4f}")
    0.3867

    Book: {eq}`eq-risk` (Proposition 15 of the paper, which takes both lengths to be one).
    """
    k_star, v_star = checks.teacher(teacher)
    checks.task(task, d=k_star.shape[-1])
    k, v = (checks.ends_in(name, x, k_star.shape[-1:]) for name, x in (("k", k), ("v", v)))
    lam = checks.nonnegative("lam", lam)
    shapes = {"k": k.shape, "v": v.shape, "teacher": k_star.shape}
    checks.broadcasts(**{name: shape[:-1] for name, shape in shapes.items()}, lam=jnp.shape(lam))
    return _risk(k, v, k_star, v_star, lam, task)


@jax.jit
def _risk(k, v, k_star, v_star, lam, task):
    spread = lam * safe_sqrt(jnp.sum(k * k, axis=-1))
    o, power = inner_products(k, v, k_star, v_star), jnp.sum(v * v, axis=-1)
    return cast(jax.Array, sum(terms(o, lam, task, spread, power)))

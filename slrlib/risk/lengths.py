"""The excess risk of vectors of any length: what the five overlaps alone do not say."""

from __future__ import annotations

from typing import cast

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.overlaps.five import inner_products, safe_sqrt
from slrlib.risk.closed import terms
from slrlib.task import Task, Teacher


def excess_risk_of(
    k: ArrayLike, v: ArrayLike, teacher: Teacher, lam: ArrayLike, task: Task
) -> jax.Array:
    """R_lam - noise^2 of erf attention with vectors ``k`` and ``v`` of any length, zero included.

    A longer k is a larger lam, and a longer v a larger prediction: the closed form of the risk
    holds word for word with five inner products in place of the overlaps, with lam |k| where lam
    weighs a token of unit variance, and with |v|^2 times the variance of what v reads there.

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

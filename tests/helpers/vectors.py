"""The same steps on vectors of R^d: what the five overlaps replace, and are tested against."""

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.overlaps import overlaps_of
from slrlib.predictors import erf_attention
from slrlib.risk import excess_risk
from slrlib.sphere import retract, tangent
from slrlib.task import Task, Teacher, sample


def _moved(risk, k, v, alpha):
    """(k, v) after the tangent gradient step of ``risk`` and the projection on the spheres."""
    slopes = jax.grad(risk, argnums=(0, 1))(k, v)
    k, v = (
        retract(point, -alpha * tangent(point, slope))
        for point, slope in zip((k, v), slopes, strict=True)
    )
    return k, v


def _pair(k, v, teacher, task):
    k_star, _ = checks.teacher(teacher)
    checks.task(task, d=k_star.shape[-1])
    k, v = (jnp.asarray(checks.unit(n, x, k_star.shape[-1])) for n, x in (("k", k), ("v", v)))
    checks.broadcasts(k=k.shape, v=v.shape, teacher=k_star.shape)
    return k, v


def pgd_vector_step(
    k: ArrayLike, v: ArrayLike, teacher: Teacher, lam: ArrayLike, task: Task, alpha: ArrayLike
) -> tuple[jax.Array, jax.Array]:
    """One step of PGD on vectors, by automatic differentiation of the risk."""
    k, v = _pair(k, v, teacher, task)
    lam, alpha = checks.nonnegative("lam", lam), checks.nonnegative("alpha", alpha)
    checks.one("alpha", alpha)
    return _pgd(k, v, teacher, lam, task, alpha)


@jax.jit
def _pgd(k, v, teacher, lam, task, alpha):
    def risk(k, v):
        return jnp.sum(excess_risk(overlaps_of(k, v, teacher), lam, task))

    return _moved(risk, k, v, alpha)


def sgd_vector_step(
    k: ArrayLike,
    v: ArrayLike,
    teacher: Teacher,
    lam: ArrayLike,
    task: Task,
    alpha: ArrayLike,
    batch: int,
    *,
    key: jax.Array,
) -> tuple[jax.Array, jax.Array]:
    """One step of online SGD on one pair of vectors, with ``batch`` sequences drawn in R^d."""
    k, v = _pair(k, v, teacher, task)
    lam, alpha = checks.nonnegative("lam", lam), checks.nonnegative("alpha", alpha)
    checks.one("alpha", alpha)
    X, y, _ = sample(task, teacher, batch, key=key)
    return _moved(lambda k, v: jnp.mean((y - erf_attention(X, k, v, lam)) ** 2), k, v, alpha)

"""The same steps on vectors of R^d, with which the five-overlap steps are compared."""

import jax
import jax.numpy as jnp

from slrlib.overlaps import overlaps_of
from slrlib.predictors import erf_attention
from slrlib.risk import excess_risk
from slrlib.sphere import retract, tangent
from slrlib.task import sample


def moved(risk, k, v, alpha):
    """(k, v) after a step along the tangent gradient of ``risk``, projected onto the spheres."""
    slopes = jax.grad(risk, argnums=(0, 1))(k, v)
    pairs = zip((k, v), slopes, strict=True)
    return tuple(retract(point, -alpha * tangent(point, slope)) for point, slope in pairs)


@jax.jit
def pgd_vector_step(k, v, teacher, lam, task, alpha):
    """One step of PGD on vectors, by automatic differentiation of the risk."""

    def risk(k, v):
        return jnp.sum(excess_risk(overlaps_of(k, v, teacher), lam, task))

    return moved(risk, k, v, alpha)


def sgd_vector_step(k, v, teacher, lam, task, alpha, batch, *, key):
    """One step of online SGD on one pair of vectors, with ``batch`` sequences drawn in R^d."""
    X, y, _ = sample(task, teacher, batch, key=key)
    return moved(lambda k, v: jnp.mean((y - erf_attention(X, k, v, lam)) ** 2), k, v, alpha)

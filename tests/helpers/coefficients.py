"""The vectors of a PGD run in R^d from eight numbers, since they stay in span(k*, v*, k_0, v_0)."""

from functools import partial

import jax
import jax.numpy as jnp

from slrlib.overlaps import Overlaps, overlaps_of
from slrlib.risk import excess_risk_gradient


def gram(o):
    """The Gram matrix of (k*, v*, k, v), of shape (..., 4, 4)."""
    kappa, nu, theta, eta, rho = jnp.broadcast_arrays(*map(jnp.asarray, o))
    one, zero = jnp.ones_like(kappa), jnp.zeros_like(kappa)
    rows = (
        (one, zero, kappa, theta),
        (zero, one, eta, nu),
        (kappa, eta, one, rho),
        (theta, nu, rho, one),
    )
    return jnp.stack([jnp.stack(row, axis=-1) for row in rows], axis=-2)


def _step(coefficients, products, lam, task, alpha):
    """One step on the coefficients of k and v in (k*, v*, k_0, v_0), whose Gram matrix is given."""
    k, v = coefficients
    k_seen, v_seen = (jnp.einsum("...ij,...j->...i", products, c) for c in (k, v))
    rho = jnp.sum(k * v_seen, axis=-1)
    o = Overlaps(k_seen[..., 0], v_seen[..., 1], v_seen[..., 0], k_seen[..., 1], rho)
    g = Overlaps(*(x[..., None] for x in excess_risk_gradient(o, lam, task)))
    e1, e2 = (jnp.eye(4, dtype=k.dtype)[i].reshape((1,) * (k.ndim - 1) + (4,)) for i in range(2))
    k_slope = g.kappa * e1 + g.eta * e2 + g.rho * v
    v_slope = g.theta * e1 + g.nu * e2 + g.rho * k

    def moved(point, seen, slope):
        along = jnp.sum(seen * slope, axis=-1, keepdims=True)
        point = point - alpha * (slope - along * point)
        square = jnp.einsum("...i,...ij,...j->...", point, products, point)
        return point / jnp.sqrt(square)[..., None]

    return moved(k, k_seen, k_slope), moved(v, v_seen, v_slope)


@partial(jax.jit, static_argnames="steps")
def _coefficients(o, task, schedule, alpha, steps):
    products = gram(o)
    k, v = (jnp.zeros_like(products[..., 0]).at[..., i].set(1.0) for i in (2, 3))

    def step(pair, t):
        lam = jnp.asarray(schedule(t), k.dtype)
        return _step(pair, products, lam, task, alpha), None

    return jax.lax.scan(step, (k, v), jnp.arange(steps))[0]


def pgd_vectors(k, v, teacher, task, schedule, alpha, steps):
    """The vectors (k, v) of R^d after ``steps`` steps of PGD, without a step in R^d.

    Every gradient lies in span(k*, v*, k, v).
    """
    o = overlaps_of(k, v, teacher)
    axes = jnp.stack(jnp.broadcast_arrays(*teacher, k, v), axis=-2)
    found = _coefficients(o, task, schedule, alpha, steps)
    return tuple(jnp.einsum("...i,...ij->...j", c, axes) for c in found)

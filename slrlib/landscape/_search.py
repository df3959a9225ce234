"""Searches on S^3 x S^3: for stationary points of any kind, and for minima."""

import jax
import jax.numpy as jnp

from slrlib.overlaps import Overlaps
from slrlib.risk import excess_risk, excess_risk_gradient
from slrlib.sphere import project

_STEPS, _NEWTON = 200, 10


def _overlaps(x):
    """The overlaps of k = x[:4] and v = x[4:], the first two axes being k* and v*."""
    return Overlaps(x[0], x[5], x[4], x[1], jnp.dot(x[:4], x[4:]))


def _slope(x, lam, task):
    """The gradient in R^8 of the risk, not yet tangent."""
    g, k, v = excess_risk_gradient(_overlaps(x), lam, task), x[:4], x[4:]
    first, second = jnp.eye(4, dtype=x.dtype)[:2]
    by_k = g.kappa * first + g.eta * second + g.rho * v
    by_v = g.theta * first + g.nu * second + g.rho * k
    return jnp.concatenate([by_k, by_v])


def _normal(x):
    """The projection of R^8 on k and v, the normals of the two spheres."""
    k, v = (jnp.where(jnp.arange(8) < 4, x, 0.0), jnp.where(jnp.arange(8) < 4, 0.0, x))
    return jnp.outer(k, k) + jnp.outer(v, v)


def _riemannian(x, lam, task):
    """The gradient and the Hessian on the two spheres, as a vector and a matrix of R^8."""
    slope, flat = _slope(x, lam, task), jnp.eye(8, dtype=x.dtype) - _normal(x)
    outward = slope * x  # its sums are k . slope and v . slope
    turn = jnp.repeat(jnp.stack([jnp.sum(outward[:4]), jnp.sum(outward[4:])]), 4)
    bend = jax.jacfwd(_slope)(x, lam, task) - jnp.diag(turn)
    return flat @ slope, flat @ bend @ flat


def _renewed(x):
    return jnp.concatenate([project(x[:4]), project(x[4:])])


@jax.jit
def _descend(x, lam, task):
    """Levenberg and Marquardt on the length of the gradient: it stops at every kind of point.

    The last steps are Newton's, on all directions that are not flat: they also end slow descents.
    """
    eye = jnp.eye(8, dtype=x.dtype)

    def step(i, state):
        x, slope, bend, damping = state
        values, axes = jnp.linalg.eigh(bend)
        scale = jnp.max(jnp.abs(values))
        newton = jnp.where(jnp.abs(values) > 1e-12 * scale, 1 / (values + 1e-300), 0.0)
        slow = values / (values**2 + damping * scale**2)
        shift = axes @ (jnp.where(i < _STEPS, slow, newton) * (axes.T @ slope))
        new = _renewed(x - (eye - _normal(x)) @ shift)
        new_slope, new_bend = _riemannian(new, lam, task)
        shorter = jnp.linalg.norm(new_slope) < jnp.linalg.norm(slope)
        damping = jnp.clip(jnp.where(shorter, damping / 4, damping * 4), 1e-14, 1e8)
        x, slope, bend = (
            jnp.where(shorter, a, b) for a, b in ((new, x), (new_slope, slope), (new_bend, bend))
        )
        return x, slope, bend, damping

    start = (x, *_riemannian(x, lam, task), jnp.asarray(1e-2, x.dtype))
    return jax.lax.fori_loop(0, _STEPS + _NEWTON, step, start)[0]


@jax.jit
def _minimise(x, lam, task):
    """Newton's descent of the risk, negative curvatures turned over: it stops at minima only."""

    def step(_, state):
        x, risk, damping = state
        slope, bend = _riemannian(x, lam, task)
        values, axes = jnp.linalg.eigh(bend)
        sizes = jnp.abs(values) + damping * jnp.max(jnp.abs(values))
        new = _renewed(x - axes @ ((axes.T @ slope) / sizes))
        new_risk = excess_risk(_overlaps(new), lam, task)
        lower = new_risk < risk
        damping = jnp.clip(jnp.where(lower, damping / 4, damping * 4), 1e-10, 1e8)
        return jnp.where(lower, new, x), jnp.where(lower, new_risk, risk), damping

    start = x, excess_risk(_overlaps(x), lam, task), jnp.asarray(1e-2, x.dtype)
    return jax.lax.fori_loop(0, _STEPS, step, start)[0]

"""The five overlaps of a pair (k, v) with a teacher (k*, v*): which exist, how far from M."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from slrlib import checks

Floating = jax.Array | Any  # may be a float


class Overlaps(NamedTuple):
    """kappa = k.k*, nu = v.v*, theta = v.k*, eta = k.v*, rho = k.v, in any batch shape.

    Slopes and steps have this form too, so any five numbers may be held: each function that needs
    those of unit vectors checks them.

    Book: {eq}`eq-overlaps`.
    """

    kappa: Floating
    nu: Floating
    theta: Floating
    eta: Floating
    rho: Floating


_ROUNDING = 1e-5  # by which an eigenvalue may fall short of zero, also in float32
#: The overlaps of the teacher itself, (k, v) = (k*, v*).
ORACLE = Overlaps(1.0, 1.0, 0.0, 0.0, 0.0)


def overlaps_of(k: ArrayLike, v: ArrayLike, teacher: Any) -> Overlaps:
    """The five overlaps of unit vectors ``k`` and ``v``, whose last axis is d.

    Vectors of another length are refused, unless they are traced: the overlaps say nothing of a
    length, and ``slrlib.risk.excess_risk_of`` is for any.

    Book: {eq}`eq-overlaps`.
    """
    k_star, v_star = checks.teacher(teacher)
    k, v = (checks.unit(name, x, k_star.shape[-1]) for name, x in (("k", k), ("v", v)))
    checks.broadcasts(k=jnp.shape(k), v=jnp.shape(v), teacher=k_star.shape)
    return inner_products(k, v, k_star, v_star)


@jax.jit
def inner_products(k: ArrayLike, v: ArrayLike, k_star: jax.Array, v_star: jax.Array) -> Overlaps:
    """The five inner products, of vectors of any length."""
    pairs = (k, k_star), (v, v_star), (v, k_star), (k, v_star), (k, v)
    return Overlaps(*(jnp.einsum("...i,...i->...", x, y) for x, y in pairs))


def _five(_, o):
    """Five floating numbers, whether or not unit vectors have them."""
    _refuse_unless_five(o)
    return Overlaps(*(checks.floating(n, x) for n, x in zip(Overlaps._fields, o, strict=True)))


def broadcast(o: Overlaps) -> Overlaps:
    """The five overlaps as arrays of one shape and type."""
    dtype = jnp.result_type(*o)
    return Overlaps(*jnp.broadcast_arrays(*(jnp.asarray(x, dtype) for x in o)))


def rest_of_gram(o: Sequence[Any]) -> tuple[Any, Any, Any]:
    """What (k*, v*) leave of the Gram matrix of (k, v): |k'|^2, |v'|^2, k'.v'."""
    kappa, nu, theta, eta, rho = o
    k_rest = (1.0 - kappa) * (1.0 + kappa) - eta * eta
    v_rest = (1.0 - nu) * (1.0 + nu) - theta * theta
    return k_rest, v_rest, rho - kappa * theta - eta * nu


def _shortfall(o, hypot):
    """How far the smallest eigenvalue of what (k*, v*) leave of the Gram matrix is below zero."""
    k_rest, v_rest, both = rest_of_gram(o)
    return hypot((k_rest - v_rest) / 2.0, both) - (k_rest + v_rest) / 2.0


@checks.compiled(o=_five, tolerance=checks.nonnegative)
def is_feasible(o: Overlaps, tolerance: float = _ROUNDING) -> jax.Array:
    """Whether unit vectors with these overlaps exist: the Gram matrix has no negative eigenvalue.

    The smallest eigenvalue of its Schur complement may fall short of zero by ``tolerance``.

    Book: {eq}`eq-gram`.
    """
    return _shortfall(broadcast(o), jnp.hypot) <= tolerance


def check_overlaps(o: Overlaps) -> Overlaps:
    """``o`` made floating and of one batch shape; refused unless some unit vectors have it.

    Traced overlaps are let through, and plain scalars stay plain.

    Book: {eq}`eq-gram`.
    """
    _refuse_unless_five(o)
    o = Overlaps(*(checks.finite(name, x) for name, x in zip(Overlaps._fields, o, strict=True)))
    shapes = [jnp.shape(x) for x in o]
    try:
        shape = np.broadcast_shapes(*shapes)
    except ValueError:
        raise ValueError(f"overlaps must have shapes that broadcast, got {shapes}") from None
    if not any(checks.is_traced(x) for x in o):
        _refuse_unless_feasible([np.asarray(x, np.float64) for x in o])
    return Overlaps(*(x if jnp.shape(x) in ((), shape) else _spread_out(x, shape) for x in o))


def _refuse_unless_five(o):
    if not (isinstance(o, tuple) and len(o) == 5):
        raise ValueError(
            f"overlaps must be Overlaps(kappa, nu, theta, eta, rho), got {checks.shown(o)}"
        )


def _spread_out(x, shape):
    """``x`` broadcast, in NumPy if it is known: no program of its own."""
    if checks.is_traced(x):
        return jnp.broadcast_to(x, shape)
    return jnp.asarray(np.broadcast_to(np.asarray(x), shape))


def possible(_: str, o: Overlaps) -> Overlaps:
    """The door of ``compiled`` for overlaps of unit vectors."""
    return check_overlaps(o)


def _refuse_unless_feasible(values):
    """In NumPy, which also runs while JAX traces something else."""
    short = _shortfall(values, np.hypot)
    if np.any(short > _ROUNDING):
        worst = np.unravel_index(np.argmax(short), short.shape)
        got = [np.broadcast_to(x, short.shape)[worst] for x in values]
        shown = ", ".join(f"{n}={x:.4g}" for n, x in zip(Overlaps._fields, got, strict=True))
        raise ValueError(
            "overlaps must be those of unit vectors "
            f"(Gram matrix without a negative eigenvalue), got {shown}"
        )


def safe_sqrt(x: jax.Array) -> jax.Array:
    """The square root of max(x, 0), with slope zero instead of infinity at 0."""
    positive = x > 0
    return jnp.where(positive, jnp.sqrt(jnp.where(positive, x, 1.0)), 0.0)


def safe_ratio(x: jax.Array, y: jax.Array) -> jax.Array:
    """x / y for y >= 0, or zero where y is zero."""
    return jnp.where(y > 0, x / jnp.where(y > 0, y, 1.0), 0.0)


@checks.compiled(o=possible)
def distance_to_manifold(o: Overlaps) -> jax.Array:
    """sqrt(theta^2 + eta^2 + rho^2), the paper's distance from (k, v) to M.

    In float32 it cannot be trusted below about 1e-7.

    Book: {eq}`eq-manifold` (equation (11) of the paper).
    """
    o = broadcast(o)
    return safe_sqrt(o.theta**2 + o.eta**2 + o.rho**2)

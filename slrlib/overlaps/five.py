"""The five overlaps of (k, v) with a teacher (k*, v*): their feasible set and the distance to M."""

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
    """Hold the five overlaps of unit vectors (k, v) with a teacher (k*, v*).

    Gradients and steps have the same form, so any five numbers are accepted here. Each function
    that needs the overlaps of unit vectors checks them.

    Parameters
    ----------
    kappa : array_like
        k.k*, in [-1, 1]; the five shapes must broadcast.
    nu : array_like
        v.v*, in [-1, 1].
    theta : array_like
        v.k*, in [-1, 1].
    eta : array_like
        k.v*, in [-1, 1].
    rho : array_like
        k.v, in [-1, 1].

    Examples
    --------
    >>> Overlaps(kappa=0.5, nu=0.9, theta=0.0, eta=0.0, rho=0.1).nu
    0.9

    Book: {eq}`eq-overlaps`.
    """

    kappa: Floating
    nu: Floating
    theta: Floating
    eta: Floating
    rho: Floating


_ROUNDING = 1e-5  # an eigenvalue may be this far below zero, also in float32
#: The overlaps of the teacher itself, (k, v) = (k*, v*).
ORACLE = Overlaps(1.0, 1.0, 0.0, 0.0, 0.0)


def overlaps_of(k: ArrayLike, v: ArrayLike, teacher: Any) -> Overlaps:
    """Compute the five overlaps of unit vectors ``k`` and ``v`` with a teacher.

    Vectors of another norm are refused, because the overlaps do not determine their norms; for them
    use ``slrlib.risk.excess_risk_of``. Traced vectors are not checked.

    Parameters
    ----------
    k : array_like
        Unit vectors k, of shape (..., d).
    v : array_like
        Unit vectors v, of shape (..., d).
    teacher : Teacher
        The teacher (k*, v*), of shapes (..., d).

    Returns
    -------
    Overlaps
        kappa = k.k*, nu = v.v*, theta = v.k*, eta = k.v*, rho = k.v, each of shape (...).

    Examples
    --------
    >>> from slrlib import Teacher
    >>> o = overlaps_of([0.6, 0.8, 0.0], [0.0, 0.0, 1.0], Teacher([1, 0, 0], [0, 0, 1]))
    >>> round(float(o.kappa), 4), round(float(o.nu), 4)
    (0.6, 1.0)

    Book: {eq}`eq-overlaps`.
    """
    k_star, v_star = checks.teacher(teacher)
    k, v = (checks.unit(name, x, k_star.shape[-1]) for name, x in (("k", k), ("v", v)))
    checks.broadcasts(k=jnp.shape(k), v=jnp.shape(v), teacher=k_star.shape)
    return inner_products(k, v, k_star, v_star)


@jax.jit
def inner_products(k: ArrayLike, v: ArrayLike, k_star: jax.Array, v_star: jax.Array) -> Overlaps:
    """Compute the five inner products, of vectors of any norm."""
    pairs = (k, k_star), (v, v_star), (v, k_star), (k, v_star), (k, v)
    return Overlaps(*(jnp.einsum("...i,...i->...", x, y) for x, y in pairs))


def _five(_, o):
    """Convert to five floating numbers, without asking whether unit vectors have them."""
    _refuse_unless_five(o)
    return Overlaps(*(checks.floating(n, x) for n, x in zip(Overlaps._fields, o, strict=True)))


def broadcast(o: Overlaps) -> Overlaps:
    """Convert the five overlaps to arrays of one shape and type."""
    dtype = jnp.result_type(*o)
    return Overlaps(*jnp.broadcast_arrays(*(jnp.asarray(x, dtype) for x in o)))


def rest_of_gram(o: Sequence[Any]) -> tuple[Any, Any, Any]:
    """Compute |k'|^2, |v'|^2, k'.v' for k', v', the parts of k, v orthogonal to k* and v*."""
    kappa, nu, theta, eta, rho = o
    k_rest = (1.0 - kappa) * (1.0 + kappa) - eta * eta
    v_rest = (1.0 - nu) * (1.0 + nu) - theta * theta
    return k_rest, v_rest, rho - kappa * theta - eta * nu


def _shortfall(o, hypot):
    """Compute minus the smallest eigenvalue of the Gram matrix of k', v' of ``rest_of_gram``."""
    k_rest, v_rest, both = rest_of_gram(o)
    return hypot((k_rest - v_rest) / 2.0, both) - (k_rest + v_rest) / 2.0


@checks.compiled(o=_five, tolerance=checks.nonnegative)
def is_feasible(o: Overlaps, tolerance: float = _ROUNDING) -> jax.Array:
    """Decide whether unit vectors with these overlaps exist.

    They exist in R^d, d >= 4, if and only if the 4 x 4 Gram matrix of (k*, v*, k, v) has no
    negative eigenvalue. The code checks the 2 x 2 Schur complement of its block of (k*, v*).

    Parameters
    ----------
    o : Overlaps
        Any five numbers, each of shape (...).
    tolerance : float
        The smallest eigenvalue of the Schur complement may be as low as -tolerance.

    Returns
    -------
    jax.Array
        Booleans, of shape (...).

    Examples
    --------
    >>> bool(is_feasible(Overlaps(0.6, 1.0, 0.0, 0.8, 0.8)))
    True
    >>> bool(is_feasible(Overlaps(1.0, 1.0, 0.0, 0.0, 0.5)))
    False

    Book: {eq}`eq-gram`.
    """
    return _shortfall(broadcast(o), jnp.hypot) <= tolerance


def check_overlaps(o: Overlaps) -> Overlaps:
    """Convert ``o`` to floating numbers of one batch shape; refuse it unless unit vectors have it.

    Traced overlaps are not checked, and plain scalars are not broadcast.

    Book: {eq}`eq-gram`.
    """
    _refuse_unless_five(o)
    o = Overlaps(*(checks.finite(name, x) for name, x in zip(Overlaps._fields, o, strict=True)))
    if all(type(x) is float for x in o):
        _refuse_unless_feasible(o)
        return o
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
    """Broadcast ``x``, in NumPy if it is known, so that JAX compiles nothing for it."""
    if checks.is_traced(x):
        return jnp.broadcast_to(x, shape)
    return jnp.asarray(np.broadcast_to(np.asarray(x), shape))


def possible(_: str, o: Overlaps) -> Overlaps:
    """Check an argument of ``compiled`` that must be the overlaps of unit vectors."""
    return check_overlaps(o)


def _refuse_unless_feasible(values):
    """Refuse infeasible overlaps, in NumPy, which also runs while JAX traces something else."""
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
    """Compute the square root of max(x, 0), with derivative zero instead of infinity at 0."""
    positive = x > 0
    return jnp.where(positive, jnp.sqrt(jnp.where(positive, x, 1.0)), 0.0)


def safe_ratio(x: jax.Array, y: jax.Array) -> jax.Array:
    """Compute x / y for y >= 0, or zero where y is zero."""
    return jnp.where(y > 0, x / jnp.where(y > 0, y, 1.0), 0.0)


@checks.compiled(o=possible)
def distance_to_manifold(o: Overlaps) -> jax.Array:
    """Compute sqrt(theta^2 + eta^2 + rho^2), the paper's distance from (k, v) to M.

    M is the invariant manifold, on which theta = eta = rho = 0. In single precision the result is
    not reliable below about 1e-7.

    Parameters
    ----------
    o : Overlaps
        The overlaps of unit vectors, each of shape (...).

    Returns
    -------
    jax.Array
        The distance, of shape (...).

    Examples
    --------
    >>> round(float(distance_to_manifold(Overlaps(0.5, 0.5, 0.3, 0.4, 0.0))), 4)
    0.5

    Book: {eq}`eq-manifold` (equation (11) of the paper).
    """
    o = broadcast(o)
    return safe_sqrt(o.theta**2 + o.eta**2 + o.rho**2)

"""The five overlaps of vectors (k, v) with a teacher (k*, v*), and an orthonormal frame for them.

The risk and the dynamics depend on k, v, k* and v* only through these five numbers. The dimension d
enters only random starts, as the number of degrees of freedom of a chi-square.

Book: {doc}`notation` (symbols, names in code, units).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from slrlib import checks, sphere

__all__ = [
    "ORACLE",
    "Frame",
    "Overlaps",
    "distance_to_manifold",
    "from_frame",
    "is_feasible",
    "overlaps_of",
    "random_overlaps",
    "to_frame",
    "vectors_of",
]


Floating = jax.Array | Any  # may be a float


class Overlaps(NamedTuple):
    """The five overlaps of unit vectors (k, v) with a teacher (k*, v*).

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

    Other norms raise an error, because the overlaps do not determine the norms; use
    ``slrlib.risk.excess_risk_of`` for such vectors. Traced vectors are not checked.

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
    return inner_products(k, v, k_star, v_star)


@jax.jit
def inner_products(k: ArrayLike, v: ArrayLike, k_star: jax.Array, v_star: jax.Array) -> Overlaps:
    """Compute the five inner products, of vectors of any norm."""
    pairs = (k, k_star), (v, v_star), (v, k_star), (k, v_star), (k, v)
    return Overlaps(*(jnp.einsum("...i,...i->...", x, y) for x, y in pairs))


def _five(_, o):
    """Convert to five finite numbers, without checking whether unit vectors have them."""
    if not (isinstance(o, tuple) and len(o) == 5):
        raise ValueError(
            f"overlaps must be Overlaps(kappa, nu, theta, eta, rho), got {checks.shown(o)}"
        )
    return Overlaps(*map(checks.finite, Overlaps._fields, o))


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
    """Return whether unit vectors with these overlaps exist.

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


def possible(name: str, o: Overlaps) -> Overlaps:
    """Convert ``o`` to one batch shape; raise an error unless unit vectors have these overlaps.

    ``compiled`` also uses it to check an argument. Traced overlaps are not checked, and plain
    scalars are not broadcast.

    Book: {eq}`eq-gram`.
    """
    o = _five(name, o)
    shape = jnp.broadcast_shapes(*map(jnp.shape, o))
    if not checks.any_traced(o):
        values = [np.asarray(x, np.float64) for x in o]  # NumPy also works during tracing
        short = _shortfall(values, np.hypot)
        if np.any(short > _ROUNDING):
            worst = np.unravel_index(np.argmax(short), short.shape)
            got = [np.broadcast_to(x, short.shape)[worst] for x in values]
            shown = ", ".join(f"{n}={x:.4g}" for n, x in zip(Overlaps._fields, got, strict=True))
            raise ValueError(
                "overlaps must be those of unit vectors "
                f"(Gram matrix without a negative eigenvalue), got {shown}"
            )
    return Overlaps(*(x if jnp.shape(x) in ((), shape) else jnp.broadcast_to(x, shape) for x in o))


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


class Frame(NamedTuple):
    """The coordinates of k = (kappa, eta, a, 0) and v = (theta, nu, b, c) on orthonormal axes.

    The first two axes are k* and v*, the third completes k, and the fourth completes v.

    Parameters
    ----------
    k : array_like
        (kappa, eta, a) with a >= 0, of shape (..., 3).
    v : array_like
        (theta, nu, b, c) with c >= 0, of shape (..., 4).

    Examples
    --------
    >>> Frame(k=jnp.array([1.0, 0.0, 0.0]), v=jnp.array([0.0, 1.0, 0.0, 0.0])).v.shape
    (4,)

    Book: {eq}`eq-frame`.
    """

    k: jax.Array
    v: jax.Array


@checks.compiled(o=possible)
def to_frame(o: Overlaps) -> Frame:
    """Compute the frame of vectors (k, v) with overlaps ``o``; ``from_frame`` is the inverse.

    Parameters
    ----------
    o : Overlaps
        The overlaps of unit vectors, each of shape (...).

    Returns
    -------
    Frame
        k = (kappa, eta, a), of shape (..., 3), and v = (theta, nu, b, c), of shape (..., 4).

    Examples
    --------
    >>> frame = to_frame(Overlaps(0.6, 1.0, 0.0, 0.0, 0.0))
    >>> [round(float(x), 4) for x in frame.k]
    [0.6, 0.0, 0.8]

    Book: {eq}`eq-frame`.
    """
    o = broadcast(o)
    k_rest, v_rest, both = rest_of_gram(o)
    a, room = safe_sqrt(k_rest), safe_sqrt(v_rest)
    # Rounding can make |a b| slightly smaller than |k'.v'|. Then we increase the smaller of the two
    # norms, by at most a few units of rounding, so that the norm of k or v hardly changes.
    units = 16.0 * jnp.finfo(both.dtype).eps
    a_most = jnp.sqrt(jnp.maximum(k_rest, 0.0) + units)
    b_most = jnp.sqrt(jnp.maximum(v_rest, 0.0) + units)
    a = jnp.where(room >= a, jnp.clip(safe_ratio(jnp.abs(both), room), a, a_most), a)
    b = jnp.clip(safe_ratio(both, a), -b_most, b_most)
    c = safe_sqrt(v_rest - b * b)
    return Frame(jnp.stack([o.kappa, o.eta, a], -1), jnp.stack([o.theta, o.nu, b, c], -1))


def checked_frame(_: str, frame: Frame) -> Frame:
    """Check an argument of ``compiled`` that must be a frame."""
    if not (isinstance(frame, tuple) and len(frame) == 2):
        raise ValueError(f"frame must be a Frame(k, v), got {checks.shown(frame)}")
    k, v = frame
    return Frame(checks.ends_in("frame.k", k, (3,)), checks.ends_in("frame.v", v, (4,)))


@checks.compiled(frame=checked_frame)
def from_frame(frame: Frame) -> Overlaps:
    """Compute the overlaps of a frame; ``to_frame`` is the inverse.

    Parameters
    ----------
    frame : Frame
        k = (kappa, eta, a), of shape (..., 3), and v = (theta, nu, b, c), of shape (..., 4).

    Returns
    -------
    Overlaps
        The five overlaps, each of shape (...).

    Examples
    --------
    >>> o = from_frame(Frame(jnp.array([0.6, 0.0, 0.8]), jnp.array([0.0, 0.0, 1.0, 0.0])))
    >>> round(float(o.rho), 4)
    0.8

    Book: {eq}`eq-frame`.
    """
    k, v = frame
    rho = jnp.sum(k * v[..., :3], axis=-1)
    return Overlaps(k[..., 0], v[..., 1], v[..., 0], k[..., 1], rho)


def _direction(key, shape, axes):
    """Sample a uniform direction orthogonal to the orthonormal ``axes``."""
    x = sphere.in_a_row(jax.random.normal, key, shape)
    for _ in range(2):  # the second pass removes the rounding error of the first
        for axis in axes:
            x = x - jnp.sum(x * axis, axis=-1, keepdims=True) * axis
        x = sphere.project(x)
    return x


@checks.compiled(o=possible)
def vectors_of(o: Overlaps, teacher: Any, *, key: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Sample unit vectors (k, v) of R^d with given overlaps, otherwise uniform.

    Parameters
    ----------
    o : Overlaps
        The overlaps of unit vectors, each of shape (...).
    teacher : Teacher
        One teacher (k*, v*), of shapes (d,), with d >= 4.
    key : jax.Array
        Random key.

    Returns
    -------
    tuple of jax.Array
        k and v, each of shape (..., d).

    Examples
    --------
    >>> from slrlib import Teacher
    >>> o, teacher = Overlaps(0.5, 0.5, 0.1, 0.0, 0.2), Teacher([1, 0, 0, 0, 0], [0, 1, 0, 0, 0])
    >>> k, v = vectors_of(o, teacher, key=jax.random.key(0))
    >>> round(float(k @ v), 4)
    0.2

    Book: {eq}`eq-frame`.
    """
    k_star, v_star = teacher
    if k_star.ndim != 1 or k_star.shape[-1] < 4:
        raise ValueError(
            f"teacher must be one pair in dimension 4 or more, got shape {k_star.shape}"
        )
    key_third, key_fourth = jax.random.split(key)
    k, v = to_frame(o)
    shape = (*k.shape[:-1], k_star.shape[-1])
    k_star, v_star = jnp.broadcast_to(k_star, shape), jnp.broadcast_to(v_star, shape)
    third = _direction(key_third, shape, (k_star, v_star))
    fourth = _direction(key_fourth, shape, (k_star, v_star, third))
    axes = jnp.stack([k_star, v_star, third, fourth], -2)
    k = jnp.einsum("...i,...ij->...j", k, axes[..., :3, :])
    v = jnp.einsum("...i,...ij->...j", v, axes)
    return sphere.project(k), sphere.project(v)


_COUNTS = 1024, 4096  # numbers of norms that are sampled, even if fewer are needed


@partial(jax.jit, static_argnames="count")
def _lengths(key, d, count):
    """Sample the norms of standard Gaussian vectors of R^(d-2) and of R^(d-3), zero if none.

    The first ones do not depend on ``count``. One loop samples both, because the gamma distribution
    takes most of the compile time.
    """
    half = jnp.stack([jnp.broadcast_to((d - less) / 2.0, count) for less in (2.0, 3.0)])
    drawn = jax.vmap(jax.random.gamma)(jax.random.split(key, 3)[1:], jnp.maximum(half, 0.5))
    return jnp.where(half > 0, jnp.sqrt(2.0 * drawn), 0.0)


def random_overlaps(
    key: jax.Array, d: ArrayLike, shape: tuple[int, ...] = (), on_manifold: bool = False
) -> Overlaps:
    """Sample overlaps of random starts (k, v) in R^d, with their exact distribution.

    No vector of length d is created, so d can be 1e9. Off M, k and v are independent and uniform on
    the unit sphere. On M they are sampled as in the paper's experiments: k is uniform among the
    unit vectors orthogonal to v*, then v is uniform among those orthogonal to k* and k. So kappa is
    a coordinate of a uniform point of the unit sphere of R^(d-1), nu one of R^(d-2), and the two
    are independent.

    Parameters
    ----------
    key : jax.Array
        Random key.
    d : array_like
        Dimension, a whole number >= 2; a shape that broadcasts with ``shape``.
    shape : tuple of int
        Shape of the batch.
    on_manifold : bool
        Whether to start on M, where theta = eta = rho = 0.

    Returns
    -------
    Overlaps
        The five overlaps, each of shape ``shape``.

    Examples
    --------
    >>> o = random_overlaps(jax.random.key(0), 400, (3,), on_manifold=True)
    >>> o.kappa.shape, float(o.rho[0])
    ((3,), 0.0)

    Book: {eq}`eq-start`.
    """
    key, shape = checks.random_key(key), checks.shape("shape", shape)
    d = jnp.asarray(checks.whole("d", d, at_least=2), float)
    on_manifold, count = checks.flag("on_manifold", on_manifold), math.prod(shape)
    if d.ndim:
        d = jnp.broadcast_to(d, shape).ravel()
    elif not (checks.is_traced(key) or checks.is_traced(d)):  # few programs serve all shapes
        count = next((size for size in _COUNTS if count <= size), count)
    return _random_overlaps(key, d, _lengths(key, d, count), shape, on_manifold)


@partial(jax.jit, static_argnames="shape")
def _random_overlaps(key, d, lengths, shape, on_manifold):
    g = sphere.in_a_row(jax.random.normal, jax.random.split(key, 3)[0], (*shape, 5))
    chi_k, chi_v = lengths[:, : math.prod(shape)].reshape(2, *shape)
    third = jnp.where(jnp.reshape(d > 2, shape if d.ndim else ()), g[..., 4], 0.0)  # R^2 has none
    k = jnp.stack([g[..., 0], g[..., 1], chi_k], -1)
    v = jnp.stack([g[..., 2], g[..., 3], third, chi_v], -1)
    off = from_frame(Frame(sphere.project(k), sphere.project(v)))
    kappa, nu = g[..., 0] / jnp.hypot(g[..., 0], chi_k), g[..., 1] / jnp.hypot(g[..., 1], chi_v)
    on = kappa, nu, 0.0, 0.0, 0.0
    return Overlaps(*(jnp.where(on_manifold, x, y) for x, y in zip(on, off, strict=True)))

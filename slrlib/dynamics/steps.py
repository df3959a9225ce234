"""Steps of PGD: in the frame of the pair, and on the manifold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, cast

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.overlaps import Frame, Overlaps, checked_frame
from slrlib.risk import excess_risk_gradient
from slrlib.task import Task

__all__ = ["inverse_manifold_step", "manifold_step", "pgd_step"]


class Pair(NamedTuple):
    """The coordinates of k = (kappa, eta, a, 0) and v = (theta, nu, b, c), one array each."""

    kappa: jax.Array
    eta: jax.Array
    a: jax.Array
    theta: jax.Array
    nu: jax.Array
    b: jax.Array
    c: jax.Array


def pair_of(frame: Frame) -> Pair:
    k, v = frame
    return Pair(*(k[..., i] for i in range(3)), *(v[..., i] for i in range(4)))


def overlaps_of_pair(p: Pair) -> Overlaps:
    rho = p.kappa * p.theta + p.eta * p.nu + p.a * p.b
    return Overlaps(p.kappa, p.nu, p.theta, p.eta, rho)


def inner(x: Iterable[jax.Array], y: Iterable[jax.Array]) -> jax.Array:
    return cast(jax.Array, sum(a * b for a, b in zip(x, y, strict=True)))


def framed(k: Sequence[jax.Array], v: Sequence[jax.Array]) -> Pair:
    """Convert two vectors of R^n, n >= 3, on axes that begin with k* and v*, to a ``Pair``.

    The vectors are normalized. The third axis is chosen along the rest of k, and the fourth along
    what then remains of v. The result is feasible despite rounding.
    """
    k_scale, v_scale = jax.lax.rsqrt(inner(k, k)), jax.lax.rsqrt(inner(v, v))
    side = jnp.sqrt(inner(k[2:], k[2:]))
    turns = side > 0
    safe = jnp.where(turns, side, 1.0)
    third = [jnp.where(turns, x, float(i == 0)) / safe for i, x in enumerate(k[2:])]
    b = inner(third, v[2:])
    left = [y - b * x for x, y in zip(third, v[2:], strict=True)]
    return Pair(
        kappa=k_scale * k[0],
        eta=k_scale * k[1],
        a=k_scale * side,
        theta=v_scale * v[0],
        nu=v_scale * v[1],
        b=v_scale * b,
        c=v_scale * jnp.sqrt(inner(left, left)),
    )


def against(
    point: Sequence[jax.Array], slope: Sequence[jax.Array], alpha: jax.Array | float
) -> list[jax.Array]:
    """Take a tangent gradient step from a unit ``point``, without the projection."""
    along = inner(point, slope)
    return [x - alpha * (s - along * x) for x, s in zip(point, slope, strict=True)]


def descend(p: Pair, lam: jax.Array, task: Task, alpha: jax.Array) -> Pair:
    """Take one PGD step in the frame. The gradient in k is g_kappa k* + g_eta v* + g_rho v."""
    return descend_along(p, excess_risk_gradient(overlaps_of_pair(p), lam, task), alpha)


def descend_along(p: Pair, g: Overlaps, alpha: jax.Array | float) -> Pair:
    """Take one projected gradient step of size ``alpha``; ``g`` is the gradient in the overlaps."""
    zero = jnp.zeros_like(p.a)
    k, v = (p.kappa, p.eta, p.a, zero), (p.theta, p.nu, p.b, p.c)
    k_slope = [g.rho * x + y for x, y in zip(v, (g.kappa, g.eta, zero, zero), strict=True)]
    v_slope = [g.rho * x + y for x, y in zip(k, (g.theta, g.nu, zero, zero), strict=True)]
    return framed(against(k, k_slope, alpha), against(v, v_slope, alpha))


@checks.in_double  # gradients for many tokens exceed the range of single precision
@checks.compiled(frame=checked_frame, lam=checks.nonnegative, alpha=checks.nonnegative)
def pgd_step(frame: Frame, lam: ArrayLike, task: Task, alpha: ArrayLike) -> Frame:
    """Take one PGD step of (k, v): the tangent gradient step, then the projection on the spheres.

    Parameters
    ----------
    frame : Frame
        The coordinates of k (..., 3) and v (..., 4) on axes that begin with k*, v*; see
        ``overlaps.to_frame``.
    lam : array_like
        Inverse temperature lambda, zero or more.
    task : Task
        The task; d, L and gamma enter. Its numbers may be arrays.
    alpha : array_like
        Step size, zero or more.

    Returns
    -------
    Frame
        The coordinates after the step; both vectors have length one.

    Examples
    --------
    >>> from slrlib.overlaps import from_frame, to_frame
    >>> start = to_frame(Overlaps(0.1, 0.1, 0.0, 0.0, 0.0))
    >>> after = from_frame(pgd_step(start, 0.1, Task(d=400, L=10), 0.004))
    >>> round(float(after.nu), 4)
    0.1006

    Book: {eq}`eq-pgd` (Definition 1 of the paper) in the coordinates of {eq}`eq-frame`.
    """
    pair = descend(pair_of(frame), jnp.asarray(lam), task, jnp.asarray(alpha))
    return Frame(jnp.stack(pair[:3], axis=-1), jnp.stack(pair[3:], axis=-1))


NEWTON_STEPS = 12  # the step in angles is a small perturbation of the identity


def sphere_coordinate(x: jax.Array, slope: jax.Array, alpha: ArrayLike) -> jax.Array:
    """Take one PGD step of a coordinate x = cos(angle); ``slope`` is the derivative of the risk.

    On M, kappa and nu each take this step, for any attention weights.

    Book: {eq}`eq-manifold-map` (Lemma 7 of the paper).
    """
    tangent = (1 - x) * (1 + x) * slope
    return (x - alpha * tangent) / jnp.sqrt(1 + alpha**2 * tangent * slope)


@checks.compiled(
    kappa=checks.cosine, nu=checks.cosine, lam=checks.nonnegative, alpha=checks.nonnegative
)
def manifold_step(
    kappa: ArrayLike, nu: ArrayLike, lam: ArrayLike, task: Task, alpha: ArrayLike
) -> tuple[jax.Array, jax.Array]:
    """Take one PGD step on M, from (kappa, nu) to (kappa', nu').

    M is the set of pairs with theta = v.k* = 0, eta = k.v* = 0 and rho = k.v = 0, which PGD never
    leaves.

    Parameters
    ----------
    kappa, nu : array_like
        The overlaps kappa = k.k* and nu = v.v*, from -1 to 1.
    lam : array_like
        Inverse temperature lambda, zero or more.
    task : Task
        The task; d, L and gamma enter. Its numbers may be arrays.
    alpha : array_like
        Step size, zero or more.

    Returns
    -------
    kappa, nu : Array
        The two overlaps after the step, of the broadcast shape.

    Examples
    --------
    >>> from slrlib import Task
    >>> [round(float(x), 4) for x in manifold_step(0.1, 0.1, 0.1, Task(d=400, L=10), 0.004)]
    [0.0997, 0.1006]

    Book: {eq}`eq-manifold-map` (Lemma 7 of the paper).
    """
    slope = excess_risk_gradient(Overlaps(kappa, nu, 0.0, 0.0, 0.0), lam, task)
    kappa, nu = jnp.asarray(kappa), jnp.asarray(nu)
    return sphere_coordinate(kappa, slope.kappa, alpha), sphere_coordinate(nu, slope.nu, alpha)


_at_angles = checks.compiled(
    phi=checks.finite, psi=checks.finite, lam=checks.nonnegative, alpha=checks.nonnegative
)


@_at_angles
def manifold_angle_step(
    phi: ArrayLike, psi: ArrayLike, lam: ArrayLike, task: Task, alpha: ArrayLike
) -> tuple[jax.Array, jax.Array]:
    """Take one PGD step on M in the angles phi, psi, where kappa = cos(phi), nu = cos(psi).

    Book: {eq}`eq-angle-map`.
    """
    phi, psi = jnp.broadcast_arrays(jnp.asarray(phi), jnp.asarray(psi))
    kappa, nu = jnp.cos(phi), jnp.cos(psi)
    slope = excess_risk_gradient(Overlaps(kappa, nu, 0.0, 0.0, 0.0), lam, task)
    turn_k = jnp.arctan(alpha * jnp.sin(phi) * slope.kappa)
    turn_v = jnp.arctan(alpha * jnp.sin(psi) * slope.nu)
    return phi + turn_k, psi + turn_v


@_at_angles
def inverse_manifold_step(
    phi: ArrayLike, psi: ArrayLike, lam: ArrayLike, task: Task, alpha: ArrayLike
) -> tuple[jax.Array, jax.Array]:
    """Find the angles from which one PGD step on M leads to (phi, psi), by Newton's method.

    The solution is unique if ``alpha`` is at most ``landscape.certified_step``; for longer steps
    the result may be wrong.

    Parameters
    ----------
    phi, psi : array_like
        Angles after the step, in radians: kappa = k.k* = cos(phi), nu = v.v* = cos(psi).
    lam : array_like
        Inverse temperature lambda, zero or more.
    task : Task
        The task; d, L and gamma enter. Its numbers may be arrays.
    alpha : array_like
        Step size, zero or more.

    Returns
    -------
    phi, psi : Array
        Angles before the step, in radians, of the broadcast shape.

    Examples
    --------
    >>> from slrlib import Task
    >>> [round(float(x), 4) for x in inverse_manifold_step(1.4, 1.3, 0.1, Task(d=400, L=10), 0.001)]
    [1.4, 1.3003]

    Book: {eq}`eq-angle-map`.
    """
    phi, psi, *_ = jnp.broadcast_arrays(phi, psi, lam, alpha)

    def newton(_, guess):
        def step(phi, psi):
            return manifold_angle_step(phi, psi, lam, task, alpha)

        one, zero = jnp.ones_like(phi), jnp.zeros_like(phi)
        here, (a, c) = jax.jvp(step, guess, (one, zero))
        _, (b, d) = jax.jvp(step, guess, (zero, one))
        gap = here[0] - phi, here[1] - psi
        area = a * d - b * c
        return (
            guess[0] - (d * gap[0] - b * gap[1]) / area,
            guess[1] - (a * gap[1] - c * gap[0]) / area,
        )

    return jax.lax.fori_loop(0, NEWTON_STEPS, newton, (phi, psi))

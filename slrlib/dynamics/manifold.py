"""Projected gradient descent on the manifold M: the map of (kappa, nu), and its inverse."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.overlaps import Overlaps
from slrlib.risk import excess_risk_gradient
from slrlib.task import Task

NEWTON_STEPS = 12  # the step in angles is a small perturbation of the identity


def sphere_coordinate(x: jax.Array, slope: jax.Array, alpha: ArrayLike) -> jax.Array:
    """Take one PGD step of a coordinate x = cos(angle); ``slope`` is the derivative of the risk.

    On M this is the step of kappa and of nu, for any weights.

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
    return (
        sphere_coordinate(jnp.asarray(kappa), slope.kappa, alpha),
        sphere_coordinate(jnp.asarray(nu), slope.nu, alpha),
    )


_at_angles = checks.compiled(
    phi=checks.finite, psi=checks.finite, lam=checks.nonnegative, alpha=checks.nonnegative
)


@_at_angles
def manifold_angle_step(
    phi: ArrayLike, psi: ArrayLike, lam: ArrayLike, task: Task, alpha: ArrayLike
) -> tuple[jax.Array, jax.Array]:
    """Take the same step in the angles phi, psi with kappa = cos(phi), nu = cos(psi).

    Book: {eq}`eq-angle-map`.
    """
    phi, psi = jnp.broadcast_arrays(jnp.asarray(phi), jnp.asarray(psi))
    kappa, nu = jnp.cos(phi), jnp.cos(psi)
    slope = excess_risk_gradient(Overlaps(kappa, nu, 0.0, 0.0, 0.0), lam, task)
    return (
        phi + jnp.arctan(alpha * jnp.sin(phi) * slope.kappa),
        psi + jnp.arctan(alpha * jnp.sin(psi) * slope.nu),
    )


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
    shape = jnp.broadcast_shapes(*(jnp.shape(x) for x in (phi, psi, lam, alpha)))
    phi, psi = (jnp.broadcast_to(jnp.asarray(x), shape) for x in (phi, psi))

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

"""Projected gradient descent on the manifold M: two numbers to two numbers, and back again."""

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
    """Move x = cos(angle) against ``slope`` on the sphere: the tangent step, then back.

    On M this is one step of kappa, and of nu, whatever the weights are.

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
    """One PGD step on M: (kappa, nu) to (kappa', nu').

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
    """The same step for kappa = cos(phi), nu = cos(psi): each angle turns by an arctangent.

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
    """The angles from which one step leads to (phi, psi), by Newton's method.

    They are unique when alpha is below the certified step size, and only then is the answer safe.

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

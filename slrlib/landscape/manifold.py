"""The landscape on M: two angles, one saddle, and the rates at which it is left and M's end met."""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from slrlib.landscape.tools import at_lam, matrix
from slrlib.overlaps import Overlaps
from slrlib.risk import excess_risk_gradient
from slrlib.risk.closed import on_manifold, shorthand
from slrlib.special import erf, erf_prime, erfc
from slrlib.task import Task


@on_manifold
def manifold_hessian(kappa: ArrayLike, nu: ArrayLike, lam: ArrayLike, task: Task) -> jax.Array:
    """The Hessian (..., 2, 2) of the risk on M in the angles phi = acos kappa, psi = acos nu.

    Book: {eq}`eq-manifold-hessian`.
    """
    s = shorthand(kappa, lam, task)
    g_kappa = excess_risk_gradient(Overlaps(kappa, nu, 0.0, 0.0, 0.0), lam, task).kappa
    bend = 2 * s.gg * s.A**2 * (s.E1 * s.F1 - 2 * s.x * s.E1 * (s.F - nu))
    sin2 = (1 - kappa) * (1 + kappa)
    both = -2 * s.gg * s.A * s.E1 * jnp.sqrt(sin2 * (1 - nu) * (1 + nu))
    rows = [[sin2 * bend - kappa * g_kappa, both], [both, 2 * s.gg * nu * s.E0]]
    return matrix(rows)


def rates(diagonal: jax.Array, beta: jax.Array) -> tuple[jax.Array, jax.Array]:
    """The eigenvalues of [[diagonal, -beta], [-beta, 0]], the negative one without cancellation."""
    root = jnp.hypot(diagonal, 2 * beta)
    return -2 * beta * (beta / (diagonal + root)), (diagonal + root) / 2


def saddle(lam: ArrayLike, task: Task) -> tuple[jax.Array, jax.Array]:
    """a and beta of the Hessian [[a, -beta], [-beta, 0]] in (kappa, nu) at kappa = nu = 0."""
    s = shorthand(jnp.zeros_like(lam), lam, task)
    return 2 * s.gg * s.A**2 * s.E1 * s.F1, 2 * s.gg * s.A * s.E1


@at_lam
def saddle_rates(lam: ArrayLike, task: Task) -> tuple[jax.Array, jax.Array]:
    """(h_minus, h_plus): the curvatures of the risk along M at its saddle kappa = nu = 0.

    A step alpha multiplies the unstable direction by 1 - alpha h_minus > 1.

    Book: {eq}`eq-saddle` (Proposition 10 of the paper for the signs).
    """
    return rates(*saddle(lam, task))


@at_lam
def local_slopes(lam: ArrayLike, task: Task) -> tuple[jax.Array, jax.Array]:
    """(g_kappa, g_nu): the slopes of the risk at kappa = nu = 1, both negative.

    A step alpha multiplies 1 - kappa and 1 - nu by (1 + alpha g)^2, close to there.
    g_kappa is written with erfc, so it keeps its digits down to exp(-lam^2 d).

    Book: {eq}`eq-local-rate`.
    """
    s = shorthand(jnp.ones_like(lam), lam, task)
    return -2 * s.gg * s.A * erf_prime(s.x) * erfc(s.y), -2 * s.gg * erf(s.x)


@at_lam
def certified_step(lam: ArrayLike, task: Task) -> jax.Array:
    """A step size for which PGD on M descends and its map is one-to-one.

    It is 1 over a bound of the largest curvature in the two angles; twice as long still descends.

    Book: {eq}`eq-certified-step` (an explicit constant for Theorem 5 of the paper).
    """
    s = shorthand(jnp.ones_like(lam), lam, task)
    A2 = s.A**2
    by_kappa = 8 * math.sqrt(2 / math.pi) * math.exp(-0.5) * A2
    by_kappa = by_kappa + 8 / math.pi * A2 / jnp.sqrt(s.w) + 8 / math.sqrt(2 * math.pi * math.e)
    mixed, by_nu = 4 / math.sqrt(math.pi) * s.A, 2 * s.E0
    middle, spread = (by_kappa + by_nu) / 2, (by_kappa - by_nu) / 2
    return 1 / (s.gg * (middle + jnp.hypot(spread, mixed)))

"""The risk on M as a function of two angles: its Hessian, its saddle, the rates near both ends."""

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
    """Compute the Hessian of the risk on M in the angles phi = acos(kappa), psi = acos(nu).

    Parameters
    ----------
    kappa, nu : array_like
        The overlaps kappa = k.k* and nu = v.v*, from -1 to 1.
    lam : array_like
        Inverse temperature lambda > 0, of a shape that broadcasts with the task.
    task : Task
        The task; d, L and gamma enter. Its numbers may be arrays.

    Returns
    -------
    Array
        Shape (..., 2, 2), rows and columns in the order phi, psi.

    Examples
    --------
    >>> [round(float(x), 3) for x in manifold_hessian(0.5, 0.5, 0.1, Task(d=400, L=10)).ravel()]
    [0.365, -0.726, -0.726, 0.34]

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
    """Return the eigenvalues of [[diagonal, -beta], [-beta, 0]], without cancellation."""
    root = jnp.hypot(diagonal, 2 * beta)
    return -2 * beta * (beta / (diagonal + root)), (diagonal + root) / 2


def saddle(lam: ArrayLike, task: Task) -> tuple[jax.Array, jax.Array]:
    """Return a, beta of the Hessian [[a, -beta], [-beta, 0]] in (kappa, nu) at the saddle."""
    s = shorthand(jnp.zeros_like(lam), lam, task)
    return 2 * s.gg * s.A**2 * s.E1 * s.F1, 2 * s.gg * s.A * s.E1


@at_lam
def saddle_rates(lam: ArrayLike, task: Task) -> tuple[jax.Array, jax.Array]:
    """Compute the two curvatures of the risk along M at its saddle kappa = nu = 0.

    A step of size alpha multiplies the unstable direction by 1 - alpha h_minus > 1.

    Parameters
    ----------
    lam : array_like
        Inverse temperature lambda > 0, of a shape that broadcasts with the task.
    task : Task
        The task; d, L and gamma enter. Its numbers may be arrays.

    Returns
    -------
    h_minus, h_plus : Array
        The negative and the positive eigenvalue of the Hessian.

    Examples
    --------
    >>> [round(float(h), 3) for h in saddle_rates(0.1, Task(d=400, L=10))]
    [-0.772, 3.268]

    Book: {eq}`eq-saddle` (Proposition 10 of the paper for the signs).
    """
    return rates(*saddle(lam, task))


@at_lam
def local_slopes(lam: ArrayLike, task: Task) -> tuple[jax.Array, jax.Array]:
    """Compute the derivatives of the risk in kappa and nu at the minimum kappa = nu = 1.

    Both are negative. Close to the minimum, a step of size alpha multiplies 1 - kappa by (1 + alpha
    g_kappa)^2 and 1 - nu by (1 + alpha g_nu)^2. g_kappa is written with erfc and keeps its digits
    down to exp(-lam^2 d).

    Parameters
    ----------
    lam : array_like
        Inverse temperature lambda > 0, of a shape that broadcasts with the task.
    task : Task
        The task; d, L and gamma enter. Its numbers may be arrays.

    Returns
    -------
    g_kappa, g_nu : Array
        The two derivatives.

    Examples
    --------
    >>> [round(float(g), 3) for g in local_slopes(0.1, Task(d=400, L=10))]
    [-0.011, -0.953]

    Book: {eq}`eq-local-rate`.
    """
    s = shorthand(jnp.ones_like(lam), lam, task)
    return -2 * s.gg * s.A * erf_prime(s.x) * erfc(s.y), -2 * s.gg * erf(s.x)


@at_lam
def certified_step(lam: ArrayLike, task: Task) -> jax.Array:
    """Compute a step size for which PGD on M decreases the risk and its map is one-to-one.

    It is 1 over an upper bound of the largest curvature in the two angles. Steps up to twice as
    long still decrease the risk.

    Parameters
    ----------
    lam : array_like
        Inverse temperature lambda > 0, of a shape that broadcasts with the task.
    task : Task
        The task; d, L and gamma enter. Its numbers may be arrays.

    Returns
    -------
    Array
        The step size alpha.

    Examples
    --------
    >>> round(float(certified_step(0.1, Task(d=400, L=10))), 4)
    0.1303

    Book: {eq}`eq-certified-step` (an explicit constant for Theorem 5 of the paper).
    """
    s = shorthand(jnp.ones_like(lam), lam, task)
    A2 = s.A**2
    by_kappa = 8 * math.sqrt(2 / math.pi) * math.exp(-0.5) * A2
    by_kappa = by_kappa + 8 / math.pi * A2 / jnp.sqrt(s.w) + 8 / math.sqrt(2 * math.pi * math.e)
    mixed, by_nu = 4 / math.sqrt(math.pi) * s.A, 2 * s.E0
    middle, spread = (by_kappa + by_nu) / 2, (by_kappa - by_nu) / 2
    return 1 / (s.gg * (middle + jnp.hypot(spread, mixed)))

"""The best lam, and the shape of the risk on M."""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.landscape.tools import at_lam, each_task, matrix
from slrlib.overlaps import ORACLE, Overlaps
from slrlib.risk import excess_risk_gradient, oracle_excess_risk
from slrlib.risk.closed import on_manifold, shorthand, stability_limit
from slrlib.risk.reference import Best
from slrlib.special import mean_erf, zeta, zeta_zero
from slrlib.task import Task

__all__ = [
    "best_lam",
    "certified_step",
    "explicit_lam",
    "local_slopes",
    "manifold_hessian",
    "saddle_rates",
    "suggested_alpha",
]

_GRID, _HALVINGS = 128, 46


@checks.compiled()
def explicit_lam(task: Task) -> jax.Array:
    """Compute (d L)^(-1/4), a lambda at which the oracle pair (k*, v*) predicts well if L << d.

    It meets both conditions of Corollary 2 of the paper if L = o(d): the excess risk of (k*, v*)
    then tends to 0.

    Parameters
    ----------
    task : Task
        The task; d and L enter. Its numbers may be arrays.

    Returns
    -------
    Array
        The inverse temperature lambda.

    Examples
    --------
    >>> round(float(explicit_lam(Task(d=400, L=10))), 4)
    0.1257

    Book: {prf:ref}`Corollary 2 of the paper <paper-cor-2>` (the conditions; the choice is ours).
    """
    return jnp.multiply(task.d, task.L) ** -0.25


def _more(lam, task, m):
    """Return the terms of m - 1 further heads in the risk of the first one, from all tokens."""
    return (m - 1) * (task.gamma**2 * zeta_zero(lam * task.gamma) - zeta_zero(lam))


def _gain(lam, task, m):
    """Return the excess risk minus gamma^2, its value at lam = 0, accurate where it is small."""
    signal, spread = lam * task.signal, lam * task.gamma
    own = zeta(signal, spread) - 2 * mean_erf(signal, spread)
    return task.gamma**2 * own + (task.L - 1) * zeta_zero(lam) + _more(lam, task, m)


def _root(rises, low, high):
    """Find where ``rises`` changes its sign, by bisection and one Newton step.

    The Newton step also propagates the derivative with respect to the task.
    """

    def halve(_, ends):
        low, high = ends
        half = (low + high) / 2
        above = rises(half) > 0
        return jnp.where(above, low, half), jnp.where(above, half, high)

    ends = jax.lax.fori_loop(0, _HALVINGS, halve, (low, high))
    root = jax.lax.stop_gradient(sum(ends) / 2)
    return root - rises(root) / jax.lax.stop_gradient(jax.grad(rises)(root))


def _best(d, L, gamma, m):
    """Find the best lam of one head among m, each at its own pair."""
    task = Task(d, L, gamma, 0.0)

    def risk(lam):
        return oracle_excess_risk(lam, task) + _more(lam, task, m)

    slope = jax.grad(lambda log_lam: risk(jnp.exp(log_lam)))
    # A grid around the best lam of linear attention locates the lowest minimum.
    r, gg = jnp.sqrt(d / 2), gamma**2
    middle = jnp.log(math.sqrt(math.pi) / 2 * gg * r / (gg * (r**2 + m * gg) + L - m))
    grid = middle + jnp.linspace(-3.0, 5.0, _GRID, dtype=d.dtype)
    lowest = jnp.argmin(_gain(jnp.exp(grid), task, m))
    step = 8.0 / (_GRID - 1)

    root = _root(slope, grid[lowest] - step, grid[lowest] + step)
    return Best(jnp.exp(root), risk(jnp.exp(root)))


def best_lam(task: Task) -> Best:
    """Find the lam at which the oracle pair (k*, v*) has its lowest excess risk, and that risk.

    The computation uses double precision regardless of the JAX setting.

    Parameters
    ----------
    task : Task
        The task (d, L, gamma), with L >= 2; its numbers may be arrays.

    Returns
    -------
    Best
        ``lam`` and ``excess_risk``, of the shape of the task.

    Examples
    --------
    >>> print(f"{best_lam(Task(d=400, L=10)).lam:.4f}")
    0.0638

    Book: {eq}`eq-best-lam` (not in the paper).
    """
    return best_of_each(checks.several_tokens("task", task), 1.0)


@checks.in_double
@checks.compiled()
def best_of_each(task: Task, m: ArrayLike) -> Best:
    """Find the best lam of m orthonormal pairs with one head each, and the risk divided by m.

    Book: {eq}`eq-several-oracle` (not in the paper).
    """
    return each_task(_best, task, m)


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
    g_kappa)^2 and 1 - nu by (1 + alpha g_nu)^2. g_kappa is accurate even where it is as small as
    exp(-lam^2 d).

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
    slope = excess_risk_gradient(ORACLE, lam, task)
    return slope.kappa, slope.nu


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


def suggested_alpha(task: Task, lam: ArrayLike) -> jax.Array:
    """Return a step size for PGD at ``lam``: half of the stability limit 2 / curvature.

    The curvature is the largest eigenvalue of the Hessian at (k*, v*). On the plateau nu = 1 the
    curvature is not larger if gamma <= sqrt(d / 2) / 2. For larger gamma it can be about 13%
    larger, which the factor of one half covers. For a run with a schedule, take the smallest value
    over its lam. Values are not checked inside ``jit``.

    Parameters
    ----------
    task : Task
        The task; its numbers may be arrays.
    lam : array_like
        Inverse temperature lambda > 0, of any shape that broadcasts with the task.

    Returns
    -------
    jax.Array
        The step size alpha, of the broadcast shape.

    Examples
    --------
    >>> print(f"{suggested_alpha(Task(d=400, L=10), 0.1):.4f}")
    0.0024

    Book: {eq}`eq-edge` (not in the paper).
    """
    return stability_limit(lam, task) / 2

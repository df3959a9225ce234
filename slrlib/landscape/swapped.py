"""The Hessians at (k*, v*) and at the swapped pair, and where each is a minimum."""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.landscape.tools import at_lam, first_crossing, matrix, plain
from slrlib.overlaps import Overlaps
from slrlib.risk import excess_risk_gradient, oracle_excess_risk
from slrlib.risk.closed import minimizer_entries, noise_in_rho, of_informative_token, shorthand
from slrlib.special import variance_erf, zeta_zero
from slrlib.task import Task

__all__ = [
    "edge_of_stability",
    "lambda_c",
    "lambda_c_exact",
    "lambda_eq",
    "lambda_sw",
    "minimizer_hessian",
    "swapped_excess_risk",
    "swapped_overlaps",
]


def second_derivatives(kappa: ArrayLike, lam: ArrayLike, task: Task) -> tuple[jax.Array, ...]:
    """Compute second derivatives of the risk in (theta, eta, rho) on M, for any nu."""
    s = shorthand(kappa, lam, task)
    theta_eta = -2 * s.gg * s.A * s.E1
    theta_rho = 4 * s.gg * s.A * s.E1 * s.F + 2 * (task.L - 1) * s.C * s.r * s.E0
    eta_rho = 4 * s.gg * s.b * s.x * s.E1
    rho_rho = 4 * s.gg * s.b * s.E1 * (s.F1 - 2 * s.x * s.F) + noise_in_rho(s, task)
    return 2 * s.r**2 * s.z, theta_eta, theta_rho, eta_rho, rho_rho


@at_lam
def minimizer_determinant(lam: ArrayLike, task: Task) -> jax.Array:
    """Compute a c - b^2 of ``minimizer_hessian``: positive where (k*, v*) is a minimum of the risk.

    The terms that cancel for many tokens are removed analytically. With one token the determinant
    is divided by the common factor of a and b, which underflows.

    Book: {eq}`eq-transverse` (not in the paper).
    """
    s, others = shorthand(jnp.ones_like(lam), lam, task), task.L - 1
    (own_a, own_b, own_c), scale = of_informative_token(s, lam), s.gg * s.E1
    alone = jnp.where(scale > 0, own_a * own_c - scale * own_b**2, 1.0)
    extra = 4 * s.C * task.gamma * s.root_b * s.E1
    noise, both = noise_in_rho(s, task), 2 * s.C * s.r * s.E0
    # Per other token: noise (own_c + 2 both) - both^2 without the squares of L that cancel.
    falls = s.C**2 * (2 / jnp.sqrt(1 + 4 * lam**2) - 1)  # h - C^2
    spare = own_c - 2 * s.r**2 * s.z + 2 * s.r**2 * variance_erf(lam * s.r, lam * task.gamma)
    several = (2 * falls + extra) * own_c + 2 * others * s.C**2 * spare
    with_own = own_a * (own_c + noise + 2 * others * both) - 2 * own_b * (noise + others * both)
    several = others * several + scale * (with_own - scale * own_b**2)
    return jnp.where(task.L > 1, several, alone)


@at_lam
def minimizer_hessian(lam: ArrayLike, task: Task) -> jax.Array:
    """Compute the Hessian of the risk across M at (k*, v*), in the overlaps (eta, theta).

    Parameters
    ----------
    lam : array_like
        Inverse temperature lambda > 0, of a shape that broadcasts with the task.
    task : Task
        The task; d, L and gamma enter. Its numbers may be arrays.

    Returns
    -------
    Array
        Shape (..., 2, 2): [[a, b], [b, c]], rows and columns in the order eta = k.v*, theta = v.k*.
        At first order rho = k.v is eta + theta.

    Examples
    --------
    >>> [round(float(x), 2) for x in minimizer_hessian(0.1, Task(d=400, L=10)).ravel()]
    [2.28, 29.58, 29.58, 421.94]

    Book: {eq}`eq-transverse` (not in the paper).
    """
    a, b, c = minimizer_entries(lam, task)
    return matrix([[a, b], [b, c]])


@checks.compiled()
def lambda_c(task: Task) -> jax.Array:
    """Approximate ``lambda_c_exact`` for large d, in closed form; it can be traced.

    It neglects the terms with exp(-A^2), where A^2 = lam^2 d / (2 u) and u = 1 + 2 lam^2 gamma^2.
    At gamma^2 = 1/2 the relative error is 3e-8 at d = 80 and at the level of rounding from d = 200
    on. For a small d or a large gamma these terms matter: at d = 100, L = 2, gamma = 2 the result
    is 0.957 instead of 1.174, and at d = 7 it is 2.08 although there is no threshold. It tends to
    sqrt(3) / 2 as d grows.

    Parameters
    ----------
    task : Task
        The task; d, L and gamma enter. Its numbers may be arrays.

    Returns
    -------
    Array
        The threshold lambda_c; infinite if (L - 1) gamma^2 >= d / 2 + gamma^2, and for L = 1.

    Examples
    --------
    >>> round(float(lambda_c(Task(d=400, L=10))), 4)
    0.8924

    Book: {eq}`eq-lambda-c` (not in the paper).
    """
    gg = jnp.square(task.gamma)
    room = (task.d / 2 - (task.L - 2) * gg) / (task.d / 2 + gg)
    finite = jnp.where(task.L > 1, room, 0.0) > 0
    root = jnp.sqrt((2 / jnp.where(finite, room, 1.0)) ** 2 - 1)
    return jnp.where(finite, root / 2, jnp.inf)


def lambda_c_exact(task: Task) -> float:
    """Find the first lambda at which (k*, v*) is not a local minimum of the risk.

    The function searches for a sign change of the determinant of ``minimizer_hessian``, in double
    precision regardless of the JAX setting.

    Parameters
    ----------
    task : Task
        The task, of plain numbers (not arrays, not traced); d, L and gamma enter.

    Returns
    -------
    float
        The threshold; infinity if (k*, v*) is a minimum at every lambda, as with L = 1.

    Examples
    --------
    >>> round(lambda_c_exact(Task(d=100, L=2, gamma=2.0)), 4)
    1.1741

    Book: {eq}`eq-lambda-c` (not in the paper).
    """
    return first_crossing(minimizer_determinant, plain(task))


_at_kappa = checks.compiled(kappa=checks.cosine, lam=checks.nonnegative)


@_at_kappa
def edge_hessian(kappa: ArrayLike, lam: ArrayLike, task: Task) -> jax.Array:
    """Compute the Hessian (..., 3, 3) across M at nu = 1, in (dk.v*, dv.k*, dv.e).

    e is the direction of the part of k that is orthogonal to k*.

    Book: {eq}`eq-edge` (not in the paper).
    """
    tt, te, tr, er, rr = second_derivatives(kappa, lam, task)
    slope = excess_risk_gradient(Overlaps(kappa, 1.0, 0.0, 0.0, 0.0), lam, task)
    rest = jnp.sqrt((1 - kappa) * (1 + kappa))
    # The change of rho is q = (1, kappa, rest); rotating k and v reduces kappa, nu at second order.
    k_theta = te + tr + kappa * er + kappa * rr
    k_rest = rest * (er + rr)
    theta_rest = rest * (tr + kappa * rr)
    by_k = 2 * er + rr - kappa * slope.kappa, k_theta, k_rest
    by_theta = k_theta, tt + 2 * kappa * tr + kappa**2 * rr - slope.nu, theta_rest
    by_rest = k_rest, theta_rest, rest**2 * rr - slope.nu
    return matrix([by_k, by_theta, by_rest])


@_at_kappa
def edge_of_stability(kappa: ArrayLike, lam: ArrayLike, task: Task) -> jax.Array:
    """Compute h_max, the largest curvature across M on the plateau nu = 1.

    PGD stays near M there if alpha h_max < 2.

    Parameters
    ----------
    kappa : array_like
        The overlap kappa = k.k*, from -1 to 1.
    lam : array_like
        Inverse temperature lambda, zero or more.
    task : Task
        The task; d, L and gamma enter. Its numbers may be arrays.

    Returns
    -------
    Array
        h_max, of the broadcast shape.

    Examples
    --------
    >>> round(float(edge_of_stability(0.5, 0.1, Task(d=400, L=10))), 2)
    211.81

    Book: {eq}`eq-edge` (not in the paper).
    """
    return jnp.linalg.eigvalsh(edge_hessian(kappa, lam, task))[..., -1]


@at_lam
def free_theta(lam: ArrayLike, task: Task) -> jax.Array:
    """Compute theta of the swapped family without the constraint theta <= 1.

    Book: {eq}`eq-swapped` (not in the paper).
    """
    return jnp.divide(1.0, _one_over_theta(lam, task))


def _one_over_theta(lam, task):
    """Return 1 over the theta of ``free_theta``."""
    g, signal = lam * task.gamma, lam * jnp.sqrt(task.d / 2)
    half, least = math.sqrt(math.pi) / 2, jnp.maximum(g, 1e-15)
    ratio = zeta_zero(least) / jnp.square(least)  # it tends to 4 / pi as g tends to 0
    return half * signal * jnp.sqrt(1 + 2 * jnp.square(g)) * ratio


@at_lam
def swapped_overlaps(lam: ArrayLike, task: Task) -> Overlaps:
    """Compute the overlaps of the swapped family, k = v* and v = theta k* + sqrt(1 - theta^2) e.

    Here e is any unit vector orthogonal to k* and v*. The constraint theta <= 1 is active below
    a lambda of about sqrt(pi / (2 d)); the family is then the single pair (v*, k*). The pair with
    (-theta, -eta) in place of (theta, eta) is swapped too.

    Parameters
    ----------
    lam : array_like
        Inverse temperature lambda > 0, of a shape that broadcasts with the task.
    task : Task
        The task; d, L and gamma enter. Its numbers may be arrays.

    Returns
    -------
    Overlaps
        (kappa, nu, theta, eta, rho) = (0, 0, theta, 1, 0).

    Examples
    --------
    >>> round(float(swapped_overlaps(0.2, Task(d=400, L=10)).theta), 4)
    0.3195

    Book: {eq}`eq-swapped` (not in the paper).
    """
    theta = jnp.minimum(free_theta(lam, task), 1.0)
    zero = jnp.zeros_like(theta)
    return Overlaps(zero, zero, theta, jnp.ones_like(theta), zero)


def _not_linear(g):
    """Compute the fraction of E erf(g G)^2, G normal, that no linear function of G explains.

    That is t / (1 + t) with 1 + t = arcsin(s) / s, s = 2 g^2 / (1 + 2 g^2); a series for small s.
    """
    s = 2 * jnp.square(g) / (1 + 2 * jnp.square(g))
    small, p = s < 0.02, jnp.square(jnp.minimum(s, 0.02))
    series = p * (1 / 6 + p * (3 / 40 + p * 15 / 336))
    arcsine = math.pi / 2 * zeta_zero(g)
    t = jnp.where(small, series, arcsine / jnp.where(small, 1.0, s) - 1)
    return t / (1 + t)


@at_lam
def swapped_excess_risk(lam: ArrayLike, task: Task) -> jax.Array:
    """Compute the excess risk of the swapped family, as a sum of nonnegative terms.

    Parameters
    ----------
    lam : array_like
        Inverse temperature lambda > 0, of a shape that broadcasts with the task.
    task : Task
        The task; d, L and gamma enter. Its numbers may be arrays.

    Returns
    -------
    Array
        The excess risk R - noise^2, of the broadcast shape.

    Examples
    --------
    >>> round(float(swapped_excess_risk(0.1, Task(d=400, L=10))), 4)
    0.1155

    Book: {eq}`eq-swapped` (not in the paper).
    """
    g = lam * task.gamma
    missed = _not_linear(g)
    clipped = (1 - missed) * jnp.square(1 - jnp.minimum(_one_over_theta(lam, task), 1.0))
    own = jnp.square(task.gamma) * (zeta_zero(g) + missed + clipped)
    return own + (task.L - 1) * zeta_zero(lam)


def _parts(lam, task):
    """Return the terms of ``swapped_hessian``: from rotations, from curvature, and from rho."""
    s = shorthand(jnp.zeros_like(lam), lam, task)
    others, theta = task.L - 1, swapped_overlaps(lam, task).theta
    pull = 2 * s.gg * s.A * s.E1
    z = zeta_zero(lam * task.gamma)
    turn_k, turn_v = pull * theta, jnp.maximum(pull - 2 * s.r**2 * z, 0.0)
    size = (s.r * theta) ** 2 + s.gg
    kk = s.A**2 * (4 * s.gg * s.A * theta * s.E1 + 2 * size * s.E1 * s.F1)
    kn = -pull
    informative = 4 * s.gg * s.b + 4 * s.gg * s.A * theta * s.F1
    kr = s.A * s.E1 * (informative + 2 * others * s.C * s.r * theta)
    rr = 4 * s.gg * s.b * s.E1 * s.F1 + noise_in_rho(s, task)
    rest = jnp.sqrt((1 - theta) * (1 + theta))
    return theta, rest, turn_k, turn_v, kk, kn, kr, rr


def _rows(lam, task):
    """Return the rows of ``swapped_hessian``, entry by entry."""
    theta, rest, turn_k, turn_v, kk, kn, kr, rr = _parts(lam, task)
    # The change of rho is q = (theta, rest, 1).
    with_e, with_v = rest * (kr + theta * rr), kn + kr + theta * rr
    return (
        (kk + turn_k + theta * (2 * kr + theta * rr), with_e, with_v),
        (with_e, turn_k + rest**2 * rr, rest * rr),
        (with_v, rest * rr, turn_v + rr),
    )


@at_lam
def swapped_hessian(lam: ArrayLike, task: Task) -> jax.Array:
    """Compute the Hessian (..., 3, 3) at the swapped family in (dk.k*, dk.e, dv.v*).

    The other directions are flat (the choice of e) or curve upward, so the family is a local
    minimum if and only if this matrix has no negative eigenvalue. At theta = 1 the middle row has
    only its diagonal entry.

    Book: {eq}`eq-swapped` (not in the paper).
    """
    return matrix(_rows(lam, task))


@at_lam
def swapped_determinant(lam: ArrayLike, task: Task) -> jax.Array:
    """Compute the determinant of ``swapped_hessian`` divided by the product of its diagonal.

    It is at most 1 and changes sign at ``lambda_sw``. With many tokens rr dominates, so it is
    factored out first: the matrix is rr p p^T, p = (theta + kr / rr, rest, 1), plus a sparse
    matrix.

    Book: {eq}`eq-lambda-sw` (not in the paper).
    """
    theta, rest, turn_k, turn_v, kk, kn, kr, rr = _parts(lam, task)
    (a, *_), (_, e, _), (_, _, i) = _rows(lam, task)
    first, bend = theta + kr / rr, kk + turn_k - kr * (kr / rr)
    block = bend * turn_v - kn * kn
    across = (first * turn_v - 2 * kn) * first + bend
    along_e = turn_k / e * (rr / i) * (across / a)
    return block / (a * i) * ((turn_k + rr * rest * rest) / e) + along_e


@checks.in_double
@at_lam
def swapped_is_minimum(lam: ArrayLike, task: Task) -> jax.Array:
    """Return whether the swapped family is a local minimum of the risk.

    The diagonal of ``swapped_hessian`` is positive; the other two leading minors must be positive
    too.

    Book: {eq}`eq-lambda-sw` (not in the paper).
    """
    (a, b, _), (_, e, _), _ = _rows(lam, task)
    return (a * e > b * b) & (swapped_determinant(lam, task) > 0)


def lambda_sw(task: Task) -> float:
    """Find the first lambda at which the swapped family is not a local minimum of the risk.

    The function searches for a sign change of the determinant of the Hessian, in double precision
    regardless of the JAX setting. For few tokens in few dimensions, such as d = 20, L = 2, gamma =
    2, the family is a minimum at every lambda.

    Parameters
    ----------
    task : Task
        The task, of plain numbers (not arrays, not traced); d, L and gamma enter.

    Returns
    -------
    float
        The threshold lambda_sw; infinity if there is none.

    Examples
    --------
    >>> round(lambda_sw(Task(d=400, L=10)), 4)
    0.9207

    Book: {eq}`eq-lambda-sw` (not in the paper).
    """
    return first_crossing(swapped_determinant, plain(task))


def lambda_eq(task: Task) -> float:
    """Find the lambda below which the swapped family has a lower risk than (k*, v*).

    Above it, (k*, v*) has the lower risk. For gamma much larger than sqrt(d), the threshold tends
    to sqrt(pi d / 72) / gamma^2. There the two risks agree in many digits, and the root is less
    accurate: its error is 1e-6 up to gamma = 10 sqrt(d); a larger gamma raises an error. The search
    uses double precision regardless of the JAX setting.

    Parameters
    ----------
    task : Task
        The task, of plain numbers (not arrays, not traced); d and gamma enter.

    Returns
    -------
    float
        The threshold lambda_eq.

    Examples
    --------
    >>> round(lambda_eq(Task(d=400, L=10)), 4)
    0.0907

    Book: {eq}`eq-lambda-sw` (not in the paper).
    """
    task = plain(task)
    most = 10 * task.d**0.5
    if task.gamma > most:
        raise ValueError(f"task.gamma must be at most 10 sqrt(d)={most:.4g}, got {task.gamma}")
    low = float(min(1.0, task.d**0.5 / task.gamma))
    return first_crossing(_below_oracle, Task(task.d, 1, task.gamma), low=low)


def _below_oracle(lam, task):
    return oracle_excess_risk(lam, task) - swapped_excess_risk(lam, task)

"""The swapped pair: k lies along v* and v leans on k*.

For small lam erf is linear and the predictor is symmetric in k and v. There the swapped pair is
nearly as good as the true one, and for small enough lam better.
"""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.landscape.tools import (
    at_lam,
    first_crossing,
    matrix,
    not_linear,
    plain,
    zeta_zero_over_square,
)
from slrlib.overlaps import Overlaps
from slrlib.risk import oracle_excess_risk
from slrlib.risk.closed import shorthand
from slrlib.special import zeta_zero
from slrlib.task import Task


def _at_zero(lam, task):
    return shorthand(jnp.zeros_like(lam), lam, task)


@at_lam
def free_theta(lam: ArrayLike, task: Task) -> jax.Array:
    """Compute theta of the swapped family without the constraint theta <= 1.

    Book: {eq}`eq-swapped` (not in the paper).
    """
    return jnp.divide(1.0, _one_over_theta(lam, task))


def _one_over_theta(lam, task):
    """Return 1 over the theta of ``free_theta``."""
    g, signal = lam * task.gamma, lam * jnp.sqrt(task.d / 2)
    half = math.sqrt(math.pi) / 2
    return half * signal * jnp.sqrt(1 + 2 * jnp.square(g)) * zeta_zero_over_square(g)


@at_lam
def swapped_overlaps(lam: ArrayLike, task: Task) -> Overlaps:
    """Compute the overlaps of the swapped family, k = v* and v = theta k* + sqrt(1 - theta^2) e.

    Here e is any unit vector orthogonal to k* and v*. The constraint theta = 1 is active below
    ``lambda_clip``; the family is then the single pair (v*, k*). The pair with (-theta, -eta) in
    place of (theta, eta) is swapped too.

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
    missed = not_linear(g)
    clipped = (1 - missed) * jnp.square(1 - jnp.minimum(_one_over_theta(lam, task), 1.0))
    own = jnp.square(task.gamma) * (zeta_zero(g) + missed + clipped)
    return own + (task.L - 1) * zeta_zero(lam)


def _parts(lam, task):
    """Return the terms of ``swapped_hessian``: of turns, of bends, and of rho."""
    s = _at_zero(lam, task)
    others, theta = task.L - 1, swapped_overlaps(lam, task).theta
    pull = 2 * s.gg * s.A * s.E1
    z = zeta_zero(lam * task.gamma)
    turn_k, turn_v = pull * theta, jnp.maximum(pull - 2 * s.r**2 * z, 0.0)
    size = (s.r * theta) ** 2 + s.gg
    kk = s.A**2 * (4 * s.gg * s.A * theta * s.E1 + 2 * size * s.E1 * s.F1)
    kn = -pull
    informative = 4 * s.gg * s.b + 4 * s.gg * s.A * theta * s.F1
    kr = s.A * s.E1 * (informative + 2 * others * s.C * s.r * theta)
    noise = 2 * (s.h + (task.L - 2) * s.C**2) + 4 * s.C * task.gamma * s.root_b * s.E1
    rr = 4 * s.gg * s.b * s.E1 * s.F1 + others * noise
    rest = jnp.sqrt((1 - theta) * (1 + theta))
    return theta, rest, turn_k, turn_v, kk, kn, kr, rr


def _rows(lam, task):
    """The rows of ``swapped_hessian``, entry by entry."""
    theta, rest, turn_k, turn_v, kk, kn, kr, rr = _parts(lam, task)
    # rho moves by q = (theta, rest, 1).
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
    """Compute the determinant of ``swapped_hessian`` over the product of its positive diagonal.

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
    return block / (a * i) * ((turn_k + rr * rest * rest) / e) + turn_k / e * (rr / i) * (
        across / a
    )


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

    The search, for a sign change of the determinant of the Hessian, uses double precision whatever
    is set. For few tokens in few dimensions, such as d = 20, L = 2, gamma = 2, the family is a
    minimum at every lambda.

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


def lambda_clip(task: Task) -> float:
    """Find the lambda below which the swapped family is the single pair (v*, k*).

    It is about sqrt(pi / (2 d)). The search uses double precision whatever is set.

    Parameters
    ----------
    task : Task
        The task, of plain numbers (not arrays, not traced); d, L and gamma enter.

    Returns
    -------
    float
        The threshold; infinity if the family is that pair at every lambda.

    Examples
    --------
    >>> round(lambda_clip(Task(d=400, L=10)), 4)
    0.0628

    Book: {eq}`eq-swapped` (not in the paper).
    """
    return first_crossing(_over_one, plain(task))


def _over_one(lam, task):
    return free_theta(lam, task) - 1


def lambda_eq(task: Task) -> float:
    """Find the lambda below which the swapped family has a lower risk than (k*, v*).

    Above it the risk of (k*, v*) is the lower one. For gamma far above sqrt(d) it tends to sqrt(pi
    d / 72) / gamma^2. There the two risks agree in many digits, and the root is less accurate: 1e-6
    up to gamma = 10 sqrt(d), above which gamma is refused. The search uses double precision
    whatever is set.

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

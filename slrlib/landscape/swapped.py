"""The swapped pair: k looks where v* points and v reads where k* points, the other way to predict.

For small lam erf is linear and the predictor is symmetric in k and v, so the swapped pair is
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
    """The theta of the swapped family before it is clipped at 1: signal and square in balance.

    Book: {eq}`eq-swapped` (not in the paper).
    """
    return jnp.divide(1.0, _one_over_theta(lam, task))


def _one_over_theta(lam, task):
    """1 over the theta that is not yet clipped."""
    g, signal = lam * task.gamma, lam * jnp.sqrt(task.d / 2)
    half = math.sqrt(math.pi) / 2
    return half * signal * jnp.sqrt(1 + 2 * jnp.square(g)) * zeta_zero_over_square(g)


@at_lam
def swapped_overlaps(lam: ArrayLike, task: Task) -> Overlaps:
    """The overlaps of the swapped family: k = v*, v = theta k* + sqrt(1 - theta^2) e, any e.

    theta is clipped at 1, where the family is the single pair (v*, k*). The sign pair
    (theta, eta) to (-theta, -eta) is swapped too.

    Book: {eq}`eq-swapped` (not in the paper).
    """
    theta = jnp.minimum(free_theta(lam, task), 1.0)
    zero = jnp.zeros_like(theta)
    return Overlaps(zero, zero, theta, jnp.ones_like(theta), zero)


@at_lam
def swapped_excess_risk(lam: ArrayLike, task: Task) -> jax.Array:
    """The excess risk of the swapped family, as a sum of terms that are never negative.

    Book: {eq}`eq-swapped` (not in the paper).
    """
    g = lam * task.gamma
    missed = not_linear(g)
    clipped = (1 - missed) * jnp.square(1 - jnp.minimum(_one_over_theta(lam, task), 1.0))
    own = jnp.square(task.gamma) * (zeta_zero(g) + missed + clipped)
    return own + (task.L - 1) * zeta_zero(lam)


def _parts(lam, task):
    """What ``swapped_hessian`` is made of: turns, bends, and what comes in through rho."""
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
    """The Hessian (..., 3, 3) at the swapped family in (dk.k*, dk.e, dv.v*).

    The other directions are flat (the orbit of e) or curve upwards, so the family is a local
    minimum if and only if this matrix has no negative eigenvalue. At theta = 1 the middle row
    stands alone.

    Book: {eq}`eq-swapped` (not in the paper).
    """
    return matrix(_rows(lam, task))


@at_lam
def swapped_determinant(lam: ArrayLike, task: Task) -> jax.Array:
    """The determinant of ``swapped_hessian`` over the product of its diagonal, which is positive.

    At most 1; it changes sign at ``lambda_sw``. With many tokens rr exceeds all else, so it is
    taken out first: the matrix is rr p p^T, p = (theta + kr / rr, rest, 1), and a sparse rest.

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
    """Whether the swapped family is a local minimum of the risk.

    The diagonal of ``swapped_hessian`` is positive; so must be its two other leading minors.

    Book: {eq}`eq-lambda-sw` (not in the paper).
    """
    (a, b, _), (_, e, _), _ = _rows(lam, task)
    return (a * e > b * b) & (swapped_determinant(lam, task) > 0)


def lambda_sw(task: Task) -> float:
    """The first lam at which the swapped family is no local minimum; infinity if there is none.

    A root of the determinant of ``swapped_hessian``, found on plain numbers (not traceable) and
    in double precision whatever is set. There is none for few tokens in few dimensions, such as
    d = 20, L = 2, gamma = 2: the family is a minimum at every lam.

    Book: {eq}`eq-lambda-sw` (not in the paper).
    """
    return first_crossing(swapped_determinant, plain(task))


def lambda_clip(task: Task) -> float:
    """Below this lam the swapped family is the single pair (v*, k*); about sqrt(pi / (2 d)).

    Infinity if the family is that pair at every lam. A root found on plain numbers (not
    traceable), in double precision whatever is set.

    Book: {eq}`eq-swapped` (not in the paper).
    """
    return first_crossing(_over_one, plain(task))


def _over_one(lam, task):
    return free_theta(lam, task) - 1


def lambda_eq(task: Task) -> float:
    """Below this lam the swapped family has the lower risk, above it the oracle pair has.

    It does not depend on L. For gamma far above sqrt(d) it tends to sqrt(pi d / 72) / gamma^2,
    where the two risks agree in so many digits that the root has few: to 1e-6 up to
    gamma = 10 sqrt(d), and what is above is refused. A root found on plain numbers (not
    traceable), in double precision whatever is set.

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

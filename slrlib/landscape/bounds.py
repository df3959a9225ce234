"""Bounds for whole runs (arrival, plateaus), for the swapped pair and for the best lam.

One start lies above another if both its kappa and its nu are at least as large. A step of at most
``certified_step`` preserves this order, because the mixed derivative of the risk in the two angles
is never positive: a larger kappa increases the step of nu, and vice versa.

Near the saddle two ordered starts separate at a rate of at least mu. So, on each vertical line of
the (kappa, nu) square, the starts that are still undecided after T steps fill an interval of length
exp(-mu T). After that, first kappa increases, then nu, then kappa along the plateau.

A search in ``swapped`` computes the thresholds themselves.
"""

from __future__ import annotations

import math
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.special import erfinv, gammaln
from jax.typing import ArrayLike
from scipy.special import lambertw

from slrlib import checks
from slrlib.landscape.tools import each_task
from slrlib.risk.closed import shorthand
from slrlib.special import erf, erf_prime, erfc, legendre, new_axis, rule
from slrlib.task import Task

__all__ = [
    "arrival_bound",
    "best_excess_bounds",
    "plateau_bounds",
    "swapped_lower_until",
]


def best_excess_bounds(task: Task) -> tuple[np.ndarray, np.ndarray]:
    """Bound the excess risk of the oracle pair (k*, v*) at its best lambda, from both sides.

    Parameters
    ----------
    task : Task
        The task, with L >= 2; d, L and gamma enter. Its numbers may be arrays.

    Returns
    -------
    lower, upper : Array
        The bounds. The upper one is infinite unless 4 gamma^2 W < d, with W the Lambert function of
        d gamma^2 / (2 (L - 1)).

    Examples
    --------
    >>> [round(float(x), 4) for x in best_excess_bounds(Task(d=400, L=10))]
    [0.0557, 0.0812]

    Book: {eq}`eq-oracle-bounds` (not in the paper).
    """
    checks.several_tokens("task", task)
    d, L, gamma = (np.asarray(x, np.float64) for x in (task.d, task.L, task.gamma))
    gg, others = gamma**2, L - 1
    size = d * gg / (2 * others)
    W, higher = lambertw(size).real, lambertw(math.e**2 * size).real
    unit = 4 / math.pi * others / d
    low = unit * (higher + higher / (1 + higher) - 2) / (1 + 4 * (W + 1) / d)
    short = 1 - 4 * gg * W / d
    wide = 1 / np.where(short > 0, short, 1.0)
    high = unit * (wide * W + np.sqrt(wide))
    return np.maximum(low, 0.0), np.where(short > 0, high, np.inf)


_NODES = 200  # for the integrals over artanh(kappa), whose integrands are smooth


def _steepest(low, lam, task):
    """Bound the curvature in k along nu = 1 for kappa >= ``low``, maximizing each factor."""
    s = shorthand(low, lam, task)
    flat = (1 - low) * (1 + low)
    bend = s.A * s.F1 * flat + erfc(s.y) * (2 * s.A**2 * flat + 1)
    return 2 * s.gg * s.A * s.E1 * bend


@checks.in_double  # gradients on a plateau can underflow in single precision
@checks.compiled(
    low=checks.below_one, high=checks.below_one, lam=checks.positive, alpha=checks.positive
)
def plateau_bounds(
    low: ArrayLike, high: ArrayLike, lam: ArrayLike, task: Task, alpha: ArrayLike
) -> tuple[jax.Array, jax.Array]:
    """Bound the number of PGD steps from kappa = ``low`` to ``high`` along nu = 1, from both sides.

    The lower bound holds for every start on M with |kappa| <= ``low``, for any nu.

    Parameters
    ----------
    low, high : array_like
        The overlap kappa = k.k* at the beginning and at the end, in (0, 1).
    lam : array_like
        Inverse temperature lambda > 0, of a shape that broadcasts with the task.
    task : Task
        The task; d, L and gamma enter. Its numbers may be arrays.
    alpha : array_like
        Step size, at most ``certified_step``.

    Returns
    -------
    fewest, most : Array
        The two bounds, of the broadcast shape.

    Examples
    --------
    >>> bounds = plateau_bounds(0.1, 0.99, 0.1, Task(d=400, L=10), 0.002)
    >>> [round(float(x)) for x in bounds]
    [47973, 48839]

    Book: {eq}`eq-plateau` (not in the paper).
    """
    numbers = low, high, lam, alpha, task.d, task.L, task.gamma
    low, high, lam, alpha, *sizes = jnp.broadcast_arrays(*(jnp.asarray(x, float) for x in numbers))
    first, length = jnp.arctanh(low), jnp.arctanh(high) - jnp.arctanh(low)
    nodes, weights = rule(*legendre(_NODES), first)
    kappa = jnp.tanh(new_axis(first) + new_axis(length) * nodes)
    s = shorthand(kappa, new_axis(lam), Task(*map(new_axis, sizes)))
    moved = new_axis(alpha) * 2 * s.gg * s.A * s.E1 * erfc(s.y)

    def over_the_way(values):
        return jnp.where(length > 0, length * jnp.sum(weights * values, -1), 0.0)

    shorter = 1 - alpha * _steepest(low, lam, task)
    fewest = jnp.where(shorter > 0, shorter * over_the_way(1 / moved), 0.0)
    return fewest, 1 + over_the_way(1 / jnp.log1p(moved))


SIZES = np.geomspace(0.03, 1.5, 40)  # of the box around the saddle, in A kappa
_SPARE = 0.1  # the plateau phase begins when 1 - nu is below this times erfc(A / sqrt(w))
_SLOPE = 2 / math.sqrt(math.pi)
_probability = partial(checks.below_one, door=checks.positive)


def _box(s, d, missed, size):
    """Return the box around the saddle to leave: |kappa| <= kappa and |nu| <= nu or <= far."""
    kappa = jnp.minimum(0.5, size / s.A)
    nu = erf(s.A * kappa / jnp.sqrt(s.w))
    beyond = jnp.sqrt(-jnp.expm1(2 / (d - 3) * jnp.log(missed / 2)))  # P(|nu_0| > it) <= missed / 2
    return kappa, nu, jnp.maximum(nu, beyond)


def _leaving(s, d, alpha, missed, box):
    """Bound the steps until at most a fraction ``missed`` is undecided, or return infinity."""
    pull, gg = 2 * s.gg * _SLOPE * s.A, s.gg
    a_m, (kappa, nu, far) = pull * _SLOPE * s.A / jnp.sqrt(s.w), box
    read = erf(s.A * kappa)
    angles, low = (jnp.arcsin(kappa), jnp.arcsin(nu)), jnp.arcsin(far)
    turn = jnp.arctan(2 * alpha * gg * jnp.sqrt(1 - far**2) * read)  # least change of nu in a step
    crossing = jnp.ceil((low + angles[1]) / turn)
    by_kappa = alpha * (a_m + pull * kappa * nu * (1 + 2 * s.A**2) / 4)
    by_nu, steep = 2 * alpha * gg * nu * read, jnp.maximum(pull * (nu + far), 2 * gg * read)
    mixed = alpha * pull * jnp.exp(-((s.A * kappa) ** 2)) / (1 + (alpha * steep) ** 2)
    mixed = mixed * jnp.sqrt((1 - kappa**2) * (1 - far**2))
    mu = (jnp.hypot(by_kappa - by_nu, 2 * mixed) - by_kappa - by_nu) / 2
    shrinks = 2 * alpha * gg * nu
    possible = (mu > 0) & (shrinks < 1) & (alpha * pull * far <= kappa)
    mu, shrinks = jnp.where(possible, mu, 1.0), jnp.where(possible, shrinks, 0.0)
    length = jnp.log(2 * angles[0] * mixed / (mu + by_kappa) + low + angles[1])
    length = length - crossing * jnp.log1p(-shrinks)
    # The density of nu at zero, where it is largest, for a uniform start on M.
    log_density = gammaln((d - 2) / 2) - gammaln((d - 3) / 2) - math.log(math.pi) / 2
    parting = jnp.ceil((math.log(2) + log_density + length - jnp.log(missed)) / jnp.log1p(mu))
    return jnp.where(possible, crossing + jnp.maximum(parting, 0.0), jnp.inf)


def _climbing(s, lam, task, alpha, short, nu):
    """Bound the steps of a decided run from ``nu`` of the box to kappa, nu >= 1 - ``short``."""
    root_w = jnp.sqrt(s.w)
    barrier = root_w * erfinv(nu / 2) / s.A  # kappa stays above it
    pull = alpha * s.gg * s.A * erf_prime(s.A * barrier) * nu
    first = jnp.ceil(jnp.arctanh(barrier) / jnp.log1p(pull))
    missing = jnp.minimum(1 - nu, _SPARE * erfc(s.A / root_w))  # 1 - nu on the plateau
    reached = (jnp.log(2 - missing) - jnp.log(missing)) / 2
    reading = jnp.log1p(2 * alpha * s.gg * erf(s.A * barrier))
    second = jnp.ceil((reached - jnp.arctanh(nu)) / reading)
    plateau = plateau_bounds(barrier, 1 - short, lam, task, (1 - _SPARE) * alpha)[1]
    rest = jnp.maximum(jnp.arctanh(1 - short) - reached, 0.0) / reading
    return first + second + jnp.maximum(jnp.ceil(plateau), jnp.ceil(rest))


@checks.in_double
@checks.compiled(
    lam=checks.positive, alpha=checks.positive, missed=_probability, short=_probability
)
def arrival_bound(
    lam: ArrayLike,
    task: Task,
    alpha: ArrayLike,
    missed: ArrayLike = 0.05,
    short: ArrayLike = 0.01,
) -> jax.Array:
    """Bound the steps after which |kappa| and |nu| exceed 1 - ``short``, at a constant lambda.

    The bound is proved for uniform starts on M, except for a fraction ``missed`` of them. It does
    not depend on L.

    Parameters
    ----------
    lam : array_like
        Inverse temperature lambda > 0, of a shape that broadcasts with the task.
    task : Task
        The task; d and gamma enter. It needs d >= 4.
    alpha : array_like
        Step size, at most ``certified_step``.
    missed : array_like
        Fraction of the starts that may need longer, in (0, 1).
    short : array_like
        1 minus the value that |kappa| and |nu| reach, in (0, 1).

    Returns
    -------
    Array
        Number of steps; infinite where the proof does not apply, for example if both d and
        ``missed`` are small.

    Examples
    --------
    >>> print(f"{arrival_bound(0.1, Task(d=400, L=10), 0.002):.3g}")
    7.03e+04

    Book: {eq}`eq-arrival` (not in the paper).
    """
    return each_task(_fewest, task, lam, alpha, missed, short)


def _fewest(d, L, gamma, lam, alpha, missed, short):
    """Return the bound for one task: the minimum over the sizes of the box."""
    task = Task(d, L, gamma)
    s = shorthand(jnp.ones_like(lam), lam, task)

    def steps(size):
        box = _box(s, d, missed, size)
        leaving = _leaving(s, d, alpha, missed, box)
        return leaving + _climbing(s, lam, task, alpha, short, box[1])

    return jnp.where(d >= 4, jnp.min(jax.vmap(steps)(SIZES.astype(lam.dtype))), jnp.inf)


@checks.compiled()
def swapped_lower_until(task: Task) -> jax.Array:
    """Compute a lambda up to which the swapped family has a lower risk than (k*, v*), for any L.

    Parameters
    ----------
    task : Task
        The task; d and gamma enter. Its numbers may be arrays.

    Returns
    -------
    Array
        0.73 r / (r^2 + 3 gamma^2) with r = sqrt(d/2), a lower bound of ``lambda_eq``.

    Examples
    --------
    >>> round(float(swapped_lower_until(Task(d=400, L=10))), 4)
    0.0512

    Book: {eq}`eq-swapped-lower` (not in the paper).
    """
    r = jnp.sqrt(task.d / 2)
    return 0.73 * r / (task.d / 2 + 3 * jnp.square(task.gamma))

"""Upper bounds of the number of steps that a uniform start on M needs.

Near the saddle two ordered starts separate at a rate of at least mu. So on each vertical line of
the square, the starts that are still undecided after T steps fill an interval of length exp(-mu T).
From then on a start climbs: kappa first, then nu, then kappa along the plateau.
"""

from __future__ import annotations

import math
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.special import erfinv, gammaln
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.landscape.plateau import plateau_bounds
from slrlib.landscape.tools import each_task
from slrlib.risk.closed import shorthand
from slrlib.special import erf, erf_prime, erfc
from slrlib.task import Task

SIZES = np.geomspace(0.03, 1.5, 40)  # of the box about the saddle, in A kappa; the best one counts
_SPARE = 0.1  # how far 1 - nu is below the gap that is left to kappa, before the plateau is counted
_SLOPE = 2 / math.sqrt(math.pi)
_chance = partial(checks.below_one, door=checks.positive)


class _Box(NamedTuple):
    """The box about the saddle that a run must leave: |kappa| <= kappa, |nu| <= nu or <= far."""

    kappa: jax.Array
    nu: jax.Array
    far: jax.Array
    read: jax.Array  # erf(A kappa)


def _log_density(d):
    """Return log of the density of nu at zero, its largest value, for a uniform start on M."""
    return gammaln((d - 2) / 2) - gammaln((d - 3) / 2) - math.log(math.pi) / 2


def _box(s, d, missed, size):
    kappa = jnp.minimum(0.5, size / s.A)
    nu = erf(s.A * kappa / jnp.sqrt(s.w))
    beyond = jnp.sqrt(-jnp.expm1(2 / (d - 3) * jnp.log(missed / 2)))  # P(|nu_0| > it) <= missed / 2
    return _Box(kappa, nu, jnp.maximum(nu, beyond), erf(s.A * kappa))


def _leaving(s, d, alpha, missed, box):
    """Bound the steps until at most a fraction ``missed`` is undecided; infinite if void."""
    pull, gg = 2 * s.gg * _SLOPE * s.A, s.gg
    a_m, (kappa, nu, far, read) = pull * _SLOPE * s.A / jnp.sqrt(s.w), box
    angles, low = (jnp.arcsin(kappa), jnp.arcsin(nu)), jnp.arcsin(far)
    crossing = jnp.ceil(
        (low + angles[1]) / jnp.arctan(2 * alpha * gg * jnp.sqrt(1 - far**2) * read)
    )
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
    parting = jnp.ceil((math.log(2) + _log_density(d) + length - jnp.log(missed)) / jnp.log1p(mu))
    return jnp.where(possible, crossing + jnp.maximum(parting, 0.0), jnp.inf)


def _climbing(s, lam, task, alpha, short, box):
    """Bound the steps of a decided run, from the nu of the box, to 1 - ``short`` in both."""
    root_w = jnp.sqrt(s.w)
    barrier = root_w * erfinv(box.nu / 2) / s.A  # kappa stays above it
    pull = alpha * s.gg * s.A * erf_prime(s.A * barrier) * box.nu
    first = jnp.ceil(jnp.arctanh(barrier) / jnp.log1p(pull))
    missing = jnp.minimum(1 - box.nu, _SPARE * erfc(s.A / root_w))  # 1 - nu on the plateau
    reached = (jnp.log(2 - missing) - jnp.log(missing)) / 2
    reading = jnp.log1p(2 * alpha * s.gg * erf(s.A * barrier))
    second = jnp.ceil((reached - jnp.arctanh(box.nu)) / reading)
    plateau = plateau_bounds(barrier, 1 - short, lam, task, (1 - _SPARE) * alpha)[1]
    rest = jnp.maximum(jnp.arctanh(1 - short) - reached, 0.0) / reading
    return first + second + jnp.maximum(jnp.ceil(plateau), jnp.ceil(rest))


@checks.in_double
@checks.compiled(lam=checks.positive, alpha=checks.positive, missed=_chance, short=_chance)
def arrival_bound(
    lam: ArrayLike,
    task: Task,
    alpha: ArrayLike,
    missed: ArrayLike = 0.05,
    short: ArrayLike = 0.01,
) -> jax.Array:
    """Bound the steps after which |kappa| and |nu| exceed 1 - ``short``, at a constant lambda.

    The bound is proved for starts drawn uniformly on M, except for a fraction ``missed`` of them. L
    plays no role.

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
        Number of steps; infinite where the proof does not apply, as for few dimensions and a tiny
        ``missed``.

    Examples
    --------
    >>> print(f"{arrival_bound(0.1, Task(d=400, L=10), 0.002):.3g}")
    7.03e+04

    Book: {eq}`eq-arrival` (not in the paper).
    """
    return each_task(_fewest, task, lam, alpha, missed, short)


def _fewest(d, L, gamma, lam, alpha, missed, short):
    """The bound for one task: the least over the sizes of the box."""
    task = Task(d, L, gamma)
    s = shorthand(jnp.ones_like(lam), lam, task)

    def steps(size):
        box = _box(s, d, missed, size)
        leaving = _leaving(s, d, alpha, missed, box)
        return leaving + _climbing(s, lam, task, alpha, short, box)

    return jnp.where(d >= 4, jnp.min(jax.vmap(steps)(SIZES.astype(lam.dtype))), jnp.inf)


@checks.in_double
@checks.compiled(
    lam0=checks.positive,
    decay=checks.positive,
    alpha=checks.positive,
    missed=_chance,
    short=_chance,
)
def schedule_arrival_bound(
    lam0: ArrayLike,
    decay: ArrayLike,
    task: Task,
    alpha: ArrayLike,
    missed: ArrayLike = 0.05,
    short: ArrayLike = 0.01,
) -> jax.Array:
    """Bound the steps after which |kappa| and |nu| exceed 1 - ``short``, at a decreasing lambda.

    The schedule is lam_t = lam0 / (1 + decay t). The bound is proved for starts drawn uniformly on
    M, except for a fraction ``missed`` of them, and grows like a power of d.

    Parameters
    ----------
    lam0 : array_like
        Inverse temperature of the first step, positive.
    decay : array_like
        Rate of the decay in each step, positive.
    task : Task
        The task; d and gamma enter. It needs d >= 4.
    alpha : array_like
        Step size, at most ``certified_step`` at every lam_t.
    missed : array_like
        Fraction of the starts that may need longer, in (0, 1).
    short : array_like
        1 minus the value that |kappa| and |nu| reach, in (0, 1).

    Returns
    -------
    Array
        Number of steps; infinite where the proof does not apply, as for few dimensions and a tiny
        ``missed``.

    Examples
    --------
    >>> print(f"{schedule_arrival_bound(1.0, 1e-4, Task(d=400, L=10), 0.001):.3g}")
    6.96e+05

    Book: {eq}`eq-schedule-arrival` (not in the paper).
    """
    gg, d = jnp.square(task.gamma), jnp.asarray(task.d, float)
    u = 1 / (1 - gg / (4 * d))  # of the lam at which A is 1/4
    power = decay * jnp.sqrt(u) / (2 * _SLOPE * alpha * gg * jnp.sqrt(d / 2) * lam0)
    clock = (
        9 + 2.44 * (math.log(4.8) + _log_density(d) - jnp.log(missed)) + 1.5 * jnp.log(2 / short)
    )
    first = jnp.maximum(lam0 * jnp.sqrt(8 * d / u), 1.0) / decay + 1
    possible = (d >= 4) & (gg < 4 * d) & ((d - 3) / 2 * math.log(0.75) <= jnp.log(missed / 2))
    return jnp.where(possible, first * jnp.exp(power * clock), jnp.inf)

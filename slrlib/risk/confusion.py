"""The Bayes risk from pairs of tokens: exact for two tokens, and two bounds for more.

With two equally likely locations, the Bayes risk is one integral over the overlap of two Gaussian
distributions. With more tokens the risk is at most L - 1 times that of a pair. It is smaller only
because three tokens can be confused at once, which is exponentially rarer. All numbers are
logarithms, because at d = 10,000 the risk is below the smallest double.
"""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp
import numpy as np

from slrlib import checks
from slrlib.risk.bayes import log_overlap
from slrlib.special import new_axis
from slrlib.task import Task

_STEPS = np.linspace(0.0, 1.0, 401)  # half of the even integrand


def uniform_location(name: str, task: Task) -> Task:
    """Check an argument of ``compiled`` that must be a task with a uniform location."""
    if checks.task(task).p is not None:
        raise ValueError(
            f"{name}.p must be None here, a uniform location, got {checks.shown(task.p)}"
        )
    return task


def _log_pair(task):
    """Compute log K, with K = E[(t_1 - t_2)^2 / (2 cosh)] as in eq-pair-integral, B^2 included."""
    d, gg = jnp.asarray(task.d, float), jnp.square(jnp.asarray(task.gamma, float))
    d, gg = jnp.broadcast_arrays(d, gg)
    power = 2 * gg / (1 + gg)
    aa, bb = (2 * (gg - 1) / (1 + gg)) ** 2, 4 * gg * d / (1 + gg) ** 3
    # xi = width sinh(u) follows the bell near zero and the slow tail far out; in u the
    # trapezoidal rule is exact to rounding.
    width = 1 / jnp.sqrt(1 + d / 2 * aa + bb)
    reach = jnp.arcsinh(14 / width)
    u = new_axis(reach) * jnp.asarray(_STEPS.reshape((1,) * d.ndim + (-1,)), dtype=d.dtype)
    xi = new_axis(width) * jnp.sinh(u)
    wide = 1 + new_axis(aa) * xi**2
    log_bell = -new_axis(bb) * xi**2 / wide - (1 + new_axis(d) / 2) * jnp.log(wide)
    log_sech = math.log(2) - math.pi * xi - jnp.log1p(jnp.exp(-2 * math.pi * xi))
    values = jnp.exp(log_bell + log_sech) * new_axis(width) * jnp.cosh(u)
    whole = 2 * jnp.sum(values, axis=-1) - values[..., 0]
    return log_overlap(task) + jnp.log(power * whole * reach / (len(_STEPS) - 1))


@checks.compiled(task=uniform_location)
def bayes_log_ceiling(task: Task) -> jax.Array:
    """Compute the logarithm of an upper bound of the Bayes excess risk, exact for L = 2.

    The bound is (L - 1) K / 2, with K / 2 the excess risk of the Bayes predictor for two tokens.

    Parameters
    ----------
    task : Task
        The task (d, L, gamma) with a uniform location; its numbers may be arrays that broadcast.

    Returns
    -------
    jax.Array
        The natural logarithm of the bound, of the broadcast shape.

    Examples
    --------
    >>> print(f"{bayes_log_ceiling(Task(d=400, L=10)):.2f}")
    -91.45

    Book: {eq}`eq-pair-integral` (not in the paper).
    """
    return jnp.log((task.L - 1) / 2) + _log_pair(task)


def _several_locations(name, task):
    return checks.several_tokens(name, uniform_location(name, task))


@checks.compiled(task=_several_locations)
def bayes_log_gap(task: Task) -> jax.Array:
    """Compute log delta: the Bayes excess risk is at least 1 - delta times its upper bound.

    The upper bound is exp(``bayes_log_ceiling``).

    Parameters
    ----------
    task : Task
        The task (d, L, gamma) with L >= 2 and a uniform location; its numbers may be arrays that
        broadcast.

    Returns
    -------
    jax.Array
        The natural logarithm of delta, of the broadcast shape; minus infinity for L = 2.

    Examples
    --------
    >>> print(f"{bayes_log_gap(Task(d=400, L=10)):.2f}")
    -39.46

    Book: {eq}`eq-bayes-gap` (not in the paper).
    """
    d, gg = jnp.asarray(task.d, float), jnp.square(jnp.asarray(task.gamma, float))
    power = 3 * gg / (1 + 2 * gg)
    mixed = (1 + 2 * gg) / 3  # s + (1 - s) gamma^2 at s = 1/3
    triple = -d * (jnp.log(gg) / 6 + 0.5 * jnp.log(mixed / gg)) - d / 18 / mixed
    rivals = jnp.log((task.L - 2) * power) - math.log(2) / 3
    return jnp.where(task.L > 2, rivals + 3 * triple - _log_pair(task), -jnp.inf)

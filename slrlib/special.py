"""Gaussian expectations of erf, of its square and of its derivatives, in closed form.

Everywhere u = 1 + 2 gamma^2, w = 1 + 4 gamma^2, a = 1/sqrt(w), x = t/sqrt(u), y = x/sqrt(w), and
G is a standard normal variable. All functions that are not elementary are integrals of

    q(s) = (4/pi) exp(-x^2 (1 + s^2)) / (1 + s^2).

Its integral over [0, a] is 1 - E[erf^2] (Owen's T function), over [a, 1] the variance of erf, and
over [0, 1] 1 - erf(x)^2. Because q is positive, sums of these integrals do not cancel.

Book: {doc}`notation` (symbols, names in code, units).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.special import erf as erf
from jax.scipy.special import erfc as erfc
from jax.typing import ArrayLike

from slrlib import checks

# Names that are not in __all__ are internal to slrlib.


__all__ = [
    "erf_prime",
    "erf_second",
    "mean_erf",
    "mean_erf_prime",
    "mean_erfc_squared",
    "zeta",
    "zeta_zero",
]


def legendre(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Compute nodes and weights of the Gauss-Legendre rule on [0, 1]."""
    nodes, weights = np.polynomial.legendre.leggauss(count)
    return (1 + nodes) / 2, weights / np.sum(weights)


def bell(reach: float, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Compute nodes and weights of the trapezoidal rule for a standard normal variable."""
    nodes = np.linspace(-reach, reach, count)
    return nodes, np.exp(-(nodes**2) / 2) * (nodes[1] - nodes[0]) / math.sqrt(2 * math.pi)


def new_axis(value: jax.Array) -> jax.Array:
    """Add a last axis for the nodes of a rule; a scalar needs none."""
    return value[..., None] if value.ndim else value


def rule(nodes: np.ndarray, weights: np.ndarray, like: jax.Array) -> Iterator[jax.Array]:
    """Yield nodes and weights as arrays that broadcast with ``new_axis(like)``."""
    shape = (1,) * like.ndim + (-1,)
    return (jnp.asarray(v.reshape(shape), dtype=like.dtype) for v in (nodes, weights))


def wilson(hits: int, runs: int) -> tuple[float, float]:
    """Return the 95% Wilson interval of the fraction ``hits / runs``.

    Parameters
    ----------
    hits, runs : int
        Number of successful runs and number of all runs.

    Returns
    -------
    tuple of float
        The lower and the upper end.

    Examples
    --------
    >>> [round(x, 2) for x in wilson(9, 10)]
    [0.6, 0.98]
    """
    if not 0 <= hits <= runs or runs < 1:
        raise ValueError(f"hits must be from 0 to runs, and runs at least 1, got {hits} of {runs}")
    z = 1.959963984540054  # the 97.5% quantile of the standard normal distribution
    middle, half = hits + z * z / 2, z * (hits * (runs - hits) / runs + z * z / 4) ** 0.5
    low, high = (float(x / (runs + z * z)) for x in (middle - half, middle + half))
    return max(low, 0.0), min(high, 1.0)


def counted(words: Iterable[str]) -> str:
    """Return each word with its count, fraction and 95% Wilson interval, the most frequent first.

    For a single run, return the count and the word.
    """
    found = Counter(map(str, words))
    runs = found.total()
    if runs == 1:
        return f"1 {next(iter(found))}"
    parts = []
    for word, n in found.most_common():
        low, high = wilson(n, runs)
        parts.append(f"{n:,} {word} ({n / runs:.1%}, {low:.1%} to {high:.1%})")
    return ", ".join(parts)


@checks.compiled(x=checks.finite)
def erf_prime(x: ArrayLike) -> jax.Array:
    """Compute erf'(x) = 2/sqrt(pi) exp(-x^2), the derivative of the error function.

    Parameters
    ----------
    x : array_like
        Argument, of any shape.

    Returns
    -------
    jax.Array
        The derivative, of the shape of ``x``.

    Examples
    --------
    >>> round(float(erf_prime(0.5)), 4)
    0.8788

    Book: {eq}`eq-erf-derivatives` (Lemma 17 of the paper).
    """
    return 2 / math.sqrt(math.pi) * jnp.exp(-jnp.square(x))


@checks.compiled(x=checks.finite)
def erf_second(x: ArrayLike) -> jax.Array:
    """Compute erf''(x) = -2 x erf'(x), the second derivative of the error function.

    Parameters
    ----------
    x : array_like
        Argument, of any shape.

    Returns
    -------
    jax.Array
        The second derivative, of the shape of ``x``.

    Examples
    --------
    >>> round(float(erf_second(1.0)), 4)
    -0.8302

    Book: {eq}`eq-erf-derivatives` (Lemma 17 of the paper).
    """
    return -2 * jnp.asarray(x) * erf_prime(x)


of_t_and_gamma = checks.compiled(t=checks.finite, gamma=checks.nonnegative)


def scales(t: ArrayLike, gamma: ArrayLike) -> tuple[jax.Array, jax.Array, jax.Array, jax.Array]:
    """Compute (x, y, sqrt(u), sqrt(w)), as defined in ``slrlib.special``."""
    root_u = jnp.sqrt(1 + 2 * gamma**2)
    root_w = jnp.sqrt(1 + 4 * gamma**2)
    x = jnp.divide(t, root_u)
    return x, x / root_w, root_u, root_w


@of_t_and_gamma
def mean_erf(t: ArrayLike, gamma: ArrayLike) -> jax.Array:
    """Compute E[erf(t + gamma G)] for a standard normal variable G.

    Parameters
    ----------
    t : array_like
        Mean of the argument.
    gamma : array_like
        Standard deviation of the argument, gamma >= 0, of a shape that broadcasts with ``t``.

    Returns
    -------
    jax.Array
        The expectation, of the broadcast shape.

    Examples
    --------
    >>> round(float(mean_erf(1.0, 0.5)), 4)
    0.7518

    Book: {eq}`eq-mean-erf` (Lemma 18 of the paper).
    """
    return erf(scales(t, gamma)[0])


@of_t_and_gamma
def mean_erf_prime(t: ArrayLike, gamma: ArrayLike) -> jax.Array:
    """Compute E[erf'(t + gamma G)] for a standard normal variable G.

    Parameters
    ----------
    t : array_like
        Mean of the argument.
    gamma : array_like
        Standard deviation of the argument, gamma >= 0, of a shape that broadcasts with ``t``.

    Returns
    -------
    jax.Array
        The expectation, of the broadcast shape.

    Examples
    --------
    >>> round(float(mean_erf_prime(1.0, 0.5)), 4)
    0.473

    Book: {eq}`eq-mean-erf-prime` (Lemma 18 of the paper).
    """
    x, _, root_u, _ = scales(t, gamma)
    return erf_prime(x) / root_u


_NODES, _WEIGHTS = legendre(32)
_DROP = 41.0  # an integrand is followed until it has fallen by exp(-41), below 1e-17


@of_t_and_gamma
def variance_erf(t: ArrayLike, gamma: ArrayLike) -> jax.Array:
    """Compute the variance of erf(t + gamma G) for a standard normal variable G.

    Book: {eq}`eq-zeta-stable`.
    """
    x, y, _, root_w = scales(t, gamma)
    a = 1 / root_w
    gap = 4 * gamma**2 / (root_w * (1 + root_w))  # 1 - a
    reach = _DROP / jnp.maximum(x**2, 1.0)
    length = jnp.minimum(gap, reach / (a + jnp.sqrt(a**2 + reach)))
    nodes, weights = rule(_NODES, _WEIGHTS, length)
    s, x2, a = nodes * new_axis(length), new_axis(x**2), new_axis(a)
    q = jnp.exp(-x2 * s * (2 * a + s)) / (1 + (a + s) ** 2)  # over its largest value, q(a)
    area = length * jnp.sum(weights * q, axis=-1)
    return 4 / math.pi * jnp.exp(-(x**2)) * jnp.exp(-(y**2)) * area


@of_t_and_gamma
def zeta(t: ArrayLike, gamma: ArrayLike) -> jax.Array:
    """Compute zeta(t, gamma) = E[erf(t + gamma G)^2] for a standard normal variable G.

    It is computed as erf(x)^2 plus the variance of erf, with x = t / sqrt(1 + 2 gamma^2).

    Parameters
    ----------
    t : array_like
        Mean of the argument.
    gamma : array_like
        Standard deviation of the argument, gamma >= 0, of a shape that broadcasts with ``t``.

    Returns
    -------
    jax.Array
        The expectation, of the broadcast shape.

    Examples
    --------
    >>> round(float(zeta(1.0, 0.5)), 4)
    0.6341

    Book: {eq}`eq-zeta`, its stable form {eq}`eq-zeta-stable`, its derivatives
    {eq}`eq-zeta-derivatives` (Lemma 18 of the paper).
    """
    return erf(scales(t, gamma)[0]) ** 2 + variance_erf(t, gamma)


@of_t_and_gamma
def mean_erfc_squared(t: ArrayLike, gamma: ArrayLike) -> jax.Array:
    """Compute E[(1 - erf(t + gamma G))^2] for a standard normal variable G.

    It is computed as erfc(x)^2 plus the variance of erf, with x = t / sqrt(1 + 2 gamma^2).

    Parameters
    ----------
    t : array_like
        Mean of the argument.
    gamma : array_like
        Standard deviation of the argument, gamma >= 0, of a shape that broadcasts with ``t``.

    Returns
    -------
    jax.Array
        The expectation, of the broadcast shape.

    Examples
    --------
    >>> round(float(mean_erfc_squared(1.0, 0.5)), 4)
    0.1305

    Book: {eq}`eq-mean-erfc-squared`.
    """
    return erfc(scales(t, gamma)[0]) ** 2 + variance_erf(t, gamma)


@checks.compiled(gamma=checks.nonnegative)
def zeta_zero(gamma: ArrayLike) -> jax.Array:
    """Compute zeta(0, gamma) = E[erf(gamma G)^2] for a standard normal variable G.

    It is (2/pi) arcsin(2 gamma^2 / (1 + 2 gamma^2)), computed as an arctangent.

    Parameters
    ----------
    gamma : array_like
        Standard deviation of the argument, gamma >= 0, of any shape.

    Returns
    -------
    jax.Array
        The expectation, of the shape of ``gamma``.

    Examples
    --------
    >>> round(float(zeta_zero(0.5)), 4)
    0.2163

    Book: {eq}`eq-zeta-zero`.
    """
    return 2 / math.pi * jnp.arctan(2 * gamma**2 / jnp.sqrt(1 + 4 * gamma**2))

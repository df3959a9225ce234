"""erf, its derivatives, and their elementary Gaussian means."""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp
from jax.scipy.special import erf
from jax.typing import ArrayLike

from slrlib import checks


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
    x, _, _, _ = scales(t, gamma)
    return erf(x)


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


@of_t_and_gamma
def mean_erf_second(t: ArrayLike, gamma: ArrayLike) -> jax.Array:
    """Compute E[erf''(t + gamma G)] for a standard normal variable G.

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
    >>> round(float(mean_erf_second(1.0, 0.5)), 4)
    -0.6307

    Book: {eq}`eq-mean-erf-second` (Lemma 18 of the paper).
    """
    x, _, root_u, _ = scales(t, gamma)
    return erf_second(x) / root_u**2


@of_t_and_gamma
def mean_erf_prime_squared(t: ArrayLike, gamma: ArrayLike) -> jax.Array:
    """Compute E[erf'(t + gamma G)^2] for a standard normal variable G.

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
    >>> round(float(mean_erf_prime_squared(1.0, 0.5)), 4)
    0.3312

    Book: {eq}`eq-mean-erf-prime-squared` (Lemma 18 of the paper).
    """
    x, y, _, root_w = scales(t, gamma)
    return erf_prime(x) * erf_prime(y) / root_w


@of_t_and_gamma
def mean_erf_erf_prime(t: ArrayLike, gamma: ArrayLike) -> jax.Array:
    """Compute E[erf(t + gamma G) erf'(t + gamma G)] for a standard normal variable G.

    This is half the derivative of zeta(t, gamma) in t.

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
    >>> round(float(mean_erf_erf_prime(1.0, 0.5)), 4)
    0.2771

    Book: {eq}`eq-mean-erf-erf-prime` (Lemma 18 of the paper).
    """
    x, y, root_u, _ = scales(t, gamma)
    return erf_prime(x) * erf(y) / root_u


@of_t_and_gamma
def mean_erf_erf_second(t: ArrayLike, gamma: ArrayLike) -> jax.Array:
    """Compute E[erf(t + gamma G) erf''(t + gamma G)] for a standard normal variable G.

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
    >>> round(float(mean_erf_erf_second(1.0, 0.5)), 4)
    -0.4799

    Book: {eq}`eq-mean-erf-erf-second` (Lemma 18 of the paper).
    """
    x, y, root_u, root_w = scales(t, gamma)
    by_mean = erf_second(x) * erf(y)
    by_spread = 2 * gamma**2 / root_w * erf_prime(x) * erf_prime(y)
    return (by_mean - by_spread) / root_u**2

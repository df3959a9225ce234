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
    """The derivative of erf.

    Book: {eq}`eq-erf-derivatives` (Lemma 17 of the paper).
    """
    return 2 / math.sqrt(math.pi) * jnp.exp(-jnp.square(x))


@checks.compiled(x=checks.finite)
def erf_second(x: ArrayLike) -> jax.Array:
    """The second derivative of erf.

    Book: {eq}`eq-erf-derivatives` (Lemma 17 of the paper).
    """
    return -2 * jnp.asarray(x) * erf_prime(x)


of_t_and_gamma = checks.compiled(t=checks.finite, gamma=checks.nonnegative)


def scales(t: ArrayLike, gamma: ArrayLike) -> tuple[jax.Array, jax.Array, jax.Array, jax.Array]:
    """(x, y, sqrt(u), sqrt(w)) as the package names them."""
    root_u = jnp.sqrt(1 + 2 * gamma**2)
    root_w = jnp.sqrt(1 + 4 * gamma**2)
    x = jnp.divide(t, root_u)
    return x, x / root_w, root_u, root_w


@of_t_and_gamma
def mean_erf(t: ArrayLike, gamma: ArrayLike) -> jax.Array:
    """E[erf(t + gamma G)].

    Book: {eq}`eq-mean-erf` (Lemma 18 of the paper).
    """
    x, _, _, _ = scales(t, gamma)
    return erf(x)


@of_t_and_gamma
def mean_erf_prime(t: ArrayLike, gamma: ArrayLike) -> jax.Array:
    """E[erf'(t + gamma G)].

    Book: {eq}`eq-mean-erf-prime` (Lemma 18 of the paper).
    """
    x, _, root_u, _ = scales(t, gamma)
    return erf_prime(x) / root_u


@of_t_and_gamma
def mean_erf_second(t: ArrayLike, gamma: ArrayLike) -> jax.Array:
    """E[erf''(t + gamma G)].

    Book: {eq}`eq-mean-erf-second` (Lemma 18 of the paper).
    """
    x, _, root_u, _ = scales(t, gamma)
    return erf_second(x) / root_u**2


@of_t_and_gamma
def mean_erf_prime_squared(t: ArrayLike, gamma: ArrayLike) -> jax.Array:
    """E[erf'(t + gamma G)^2].

    Book: {eq}`eq-mean-erf-prime-squared` (Lemma 18 of the paper).
    """
    x, y, _, root_w = scales(t, gamma)
    return erf_prime(x) * erf_prime(y) / root_w


@of_t_and_gamma
def mean_erf_erf_prime(t: ArrayLike, gamma: ArrayLike) -> jax.Array:
    """E[erf(t + gamma G) erf'(t + gamma G)], half the slope of zeta in t.

    Book: {eq}`eq-mean-erf-erf-prime` (Lemma 18 of the paper).
    """
    x, y, root_u, _ = scales(t, gamma)
    return erf_prime(x) * erf(y) / root_u


@of_t_and_gamma
def mean_erf_erf_second(t: ArrayLike, gamma: ArrayLike) -> jax.Array:
    """E[erf(t + gamma G) erf''(t + gamma G)].

    Book: {eq}`eq-mean-erf-erf-second` (Lemma 18 of the paper).
    """
    x, y, root_u, root_w = scales(t, gamma)
    by_mean = erf_second(x) * erf(y)
    by_spread = 2 * gamma**2 / root_w * erf_prime(x) * erf_prime(y)
    return (by_mean - by_spread) / root_u**2

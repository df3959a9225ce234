"""zeta(t, gamma) = E[erf(t + gamma G)^2], the variance of erf, and 1 - zeta without cancellation.

The derivatives are closed forms, not derivatives of a quadrature: Lemma 18 of the paper gives the
one in t, and the heat equation, d/d gamma = gamma d^2/dt^2, the one in gamma. JAX can
differentiate them again.
"""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp
from jax.scipy.special import erf, erfc
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.special.means import erf_prime, of_t_and_gamma, scales
from slrlib.special.quadrature import legendre, new_axis, rule

_NODES, _WEIGHTS = legendre(32)
_DROP = 41.0  # an integrand is followed until it has fallen by exp(-41), below 1e-17


def _integrate(f, length):
    """Integrate f over [0, length]."""
    nodes, weights = rule(_NODES, _WEIGHTS, length)
    return length * jnp.sum(weights * f(nodes * new_axis(length)), axis=-1)


@jax.jit
def _variance(t, gamma):
    """Integrate q over [a, 1] for Var erf(t + gamma G), with its largest value q(a) as a factor."""
    x, y, _, root_w = scales(t, gamma)
    a = 1 / root_w
    gap = 4 * gamma**2 / (root_w * (1 + root_w))  # 1 - a
    reach = _DROP / jnp.maximum(x**2, 1.0)
    length = jnp.minimum(gap, reach / (a + jnp.sqrt(a**2 + reach)))
    x2, a_ = new_axis(x**2), new_axis(a)

    def q(s):
        return jnp.exp(-x2 * s * (2 * a_ + s)) / (1 + (a_ + s) ** 2)

    return 4 / math.pi * jnp.exp(-(x**2)) * jnp.exp(-(y**2)) * _integrate(q, length)


@jax.jit
def _zeta_slopes(t, gamma):
    x, y, root_u, root_w = scales(t, gamma)
    slope = erf_prime(x) * erf(y)
    bend = erf_prime(x) * erf_prime(y) / root_w - 2 * x * slope
    return 2 / root_u * slope, 2 * gamma / root_u**2 * bend


@jax.jit
def _erfc_slopes(t, gamma):
    x, y, root_u, root_w = scales(t, gamma)
    slope = erf_prime(x) * erfc(y)
    bend = erf_prime(x) * erf_prime(y) / root_w + 2 * x * slope
    return -2 / root_u * slope, 2 * gamma / root_u**2 * bend


@jax.custom_jvp
@jax.jit
def _zeta(t, gamma):
    x, _, _, _ = scales(t, gamma)
    return erf(x) ** 2 + _variance(t, gamma)


@jax.custom_jvp
@jax.jit
def _one_minus_zeta(t, gamma):
    x, _, _, root_w = scales(t, gamma)
    x = jnp.abs(x)
    length = jnp.minimum(1 / root_w, math.sqrt(_DROP) / jnp.maximum(x, 1.0))
    x2 = new_axis(x**2)
    area = _integrate(lambda s: jnp.exp(-x2 * s**2) / (1 + s**2), length)
    return 4 / math.pi * jnp.exp(-(x**2)) * area


@jax.custom_jvp
@jax.jit
def _mean_erfc_squared(t, gamma):
    x, _, _, _ = scales(t, gamma)
    return erfc(x) ** 2 + _variance(t, gamma)


@jax.custom_jvp
@jax.jit
def _zeta_zero(gamma):
    return 4 / math.pi * jnp.arctan((2 * gamma / (1 + jnp.sqrt(1 + 4 * gamma**2))) ** 2)


def _has_slopes(f, slopes):
    """Let JAX differentiate ``f`` by ``slopes``, its derivatives in the two arguments."""

    @f.defjvp
    def rule(primals, tangents):
        pairs = zip(slopes(*primals), tangents, strict=True)
        return f(*primals), sum(slope * tangent for slope, tangent in pairs)


_has_slopes(_zeta, _zeta_slopes)
_has_slopes(_one_minus_zeta, lambda t, gamma: [-slope for slope in _zeta_slopes(t, gamma)])
_has_slopes(_mean_erfc_squared, _erfc_slopes)


@_zeta_zero.defjvp
def _zeta_zero_rule(primals, tangents):
    (gamma,), (tangent,) = primals, tangents
    slope = 8 / math.pi * gamma / ((1 + 2 * gamma**2) * jnp.sqrt(1 + 4 * gamma**2))
    return _zeta_zero(gamma), slope * tangent


@of_t_and_gamma
def zeta(t: ArrayLike, gamma: ArrayLike) -> jax.Array:
    """Compute zeta(t, gamma) = E[erf(t + gamma G)^2] for a standard normal variable G.

    It is computed as erf(x)^2 plus the variance of erf, with x = t / sqrt(1 + 2 gamma^2). Its
    derivatives are computed in closed form too.

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
    return _zeta(t, gamma)


@of_t_and_gamma
def one_minus_zeta(t: ArrayLike, gamma: ArrayLike) -> jax.Array:
    """Compute 1 - E[erf(t + gamma G)^2] to full relative precision, also where zeta rounds to 1.

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
    >>> print(f"{one_minus_zeta(20.0, 0.5):.4e}")
    1.0636e-117

    Book: {eq}`eq-one-minus-zeta`.
    """
    return _one_minus_zeta(t, gamma)


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
    return _mean_erfc_squared(t, gamma)


@of_t_and_gamma
def variance_erf(t: ArrayLike, gamma: ArrayLike) -> jax.Array:
    """Compute the variance of erf(t + gamma G) for a standard normal variable G.

    Book: {eq}`eq-zeta-stable`.
    """
    return _variance(t, gamma)


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
    return _zeta_zero(gamma)

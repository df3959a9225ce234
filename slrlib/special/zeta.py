"""zeta(t, gamma) = E[erf(t + gamma G)^2], the variance of erf, and the tails of both.

The derivatives are closed forms, not derivatives of a quadrature: in t by Lemma 18, in gamma by
the heat equation, d/d gamma = gamma d^2/dt^2. They can be differentiated again.
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
    """The integral of f over [0, length]."""
    nodes, weights = rule(_NODES, _WEIGHTS, length)
    return length * jnp.sum(weights * f(nodes * new_axis(length)), axis=-1)


@jax.jit
def _variance(t, gamma):
    """Var erf(t + gamma G), the integral of q over [a, 1], written from its largest value at a."""
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
    """Let ``f`` be differentiated by ``slopes``, one for each argument."""

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
    """E[erf(t + gamma G)^2], as erf(x)^2 plus the variance.

    Its derivatives are closed forms too.

    Book: {eq}`eq-zeta`, its stable form {eq}`eq-zeta-stable`, its derivatives
    {eq}`eq-zeta-derivatives` (Lemma 18 of the paper).
    """
    return _zeta(t, gamma)


@of_t_and_gamma
def one_minus_zeta(t: ArrayLike, gamma: ArrayLike) -> jax.Array:
    """1 - E[erf(t + gamma G)^2] with all its digits, also where zeta rounds to 1.

    Book: {eq}`eq-one-minus-zeta`.
    """
    return _one_minus_zeta(t, gamma)


@of_t_and_gamma
def mean_erfc_squared(t: ArrayLike, gamma: ArrayLike) -> jax.Array:
    """E[(1 - erf(t + gamma G))^2], as erfc(x)^2 plus the variance.

    Book: {eq}`eq-mean-erfc-squared`.
    """
    return _mean_erfc_squared(t, gamma)


@of_t_and_gamma
def variance_erf(t: ArrayLike, gamma: ArrayLike) -> jax.Array:
    """The variance of erf(t + gamma G).

    Book: {eq}`eq-zeta-stable`.
    """
    return _variance(t, gamma)


@checks.compiled(gamma=checks.nonnegative)
def zeta_zero(gamma: ArrayLike) -> jax.Array:
    """E[erf(gamma G)^2] = zeta(0, gamma), an arcsine (computed as an arctangent).

    Book: {eq}`eq-zeta-zero`.
    """
    return _zeta_zero(gamma)

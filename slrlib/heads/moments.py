"""Means and covariances of the terms that one token adds to the outputs of two heads.

The first functions compute the Gaussian mean of erf(x1) erf(x2) for two correlated numbers, and its
derivatives, with u_i = 1 + 2 Var x_i and D = u_1 u_2 - 4 Cov(x1, x2)^2. As D >= u_1 + u_2 - 1, no
case is singular, not even x1 = x2.

A token X adds erf(lam k.X) v.X to the output of head (k, v). X is Gaussian with covariance
``variance`` times the identity. ``s`` and ``t`` are the means of k.X and v.X; ``kk``, ``kv``, ...
are inner products.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.special import erf, erf_prime, erf_second, legendre, new_axis, rule

_NODES, _WEIGHTS = legendre(32)
# Closer together where the correlation is largest: there the integrand falls off fastest.
_WEIGHTS, _NODES = 2 * (1 - _NODES) * _WEIGHTS, 1 - (1 - _NODES) ** 2


Number = jax.Array | float


class PairMeans(NamedTuple):
    """E[erf(x1) erf(x2)] and its derivatives in the means of x1 and x2.

    They are the means of the derivatives: ``by_1`` is E[erf'(x1) erf(x2)], ``by_12`` is
    E[erf'(x1) erf'(x2)], ``by_11`` is E[erf''(x1) erf(x2)], and so on.
    """

    value: jax.Array
    by_1: jax.Array
    by_2: jax.Array
    by_11: jax.Array
    by_12: jax.Array
    by_22: jax.Array


def _determinant(var1, var2, cov):
    """Return D without cancellation where x1 and x2 are equal, or nearly."""
    both = jnp.abs(cov)
    rest = (var1 - both) * var2 + both * (var2 - both)
    return 1 + 2 * (var1 + var2) + 4 * jnp.maximum(rest, 0.0)


@jax.jit
def _slopes(t1, t2, var1, var2, cov):
    """Return the five derivatives, which are elementary functions."""
    u1, u2 = 1 + 2 * var1, 1 + 2 * var2
    D = _determinant(var1, var2, cov)
    root1, root2 = jnp.sqrt(u1), jnp.sqrt(u2)
    x1, x2 = t1 / root1, t2 / root2
    rest1 = erf((t2 - 2 * cov * t1 / u1) * root1 / jnp.sqrt(D))  # E[erf(x2)], seen from erf'(x1)
    rest2 = erf((t1 - 2 * cov * t2 / u2) * root2 / jnp.sqrt(D))
    square = (u2 * t1**2 + u1 * t2**2 - 4 * cov * t1 * t2) / D
    by_12 = 4 / math.pi * jnp.exp(-square) / jnp.sqrt(D)
    return (
        erf_prime(x1) * rest1 / root1,
        erf_prime(x2) * rest2 / root2,
        erf_second(x1) * rest1 / u1 - 2 * cov / u1 * by_12,
        by_12,
        erf_second(x2) * rest2 / u2 - 2 * cov / u2 * by_12,
    )


@jax.custom_jvp
@jax.jit
def _value(t1, t2, var1, var2, cov):
    """erf erf of the means, plus an integral over the angle whose sine is the correlation."""
    u1, u2 = 1 + 2 * var1, 1 + 2 * var2
    x1, x2 = t1 / jnp.sqrt(u1), t2 / jnp.sqrt(u2)
    angle = jnp.arcsin(2 * cov / jnp.sqrt(u1 * u2))
    nodes, weights = rule(_NODES, _WEIGHTS, angle)
    sine = jnp.sin(nodes * new_axis(angle))
    squares, product = new_axis(x1**2 + x2**2), new_axis(2 * x1 * x2)
    integrand = jnp.exp((product * sine - squares) / (1 - sine**2))
    area = angle * jnp.sum(weights * integrand, axis=-1)
    return erf(x1) * erf(x2) + 2 / math.pi * area


@_value.defjvp
def _value_rule(primals, tangents):
    """By the heat equation a covariance acts as by_12, a variance as half of by_11."""
    by_1, by_2, by_11, by_12, by_22 = _slopes(*primals)
    slopes = by_1, by_2, by_11 / 2, by_22 / 2, by_12
    return _value(*primals), sum(s * t for s, t in zip(slopes, tangents, strict=True))


_SPREADS = {"var1": checks.nonnegative, "var2": checks.nonnegative, "cov": checks.finite}


@checks.compiled(t1=checks.finite, t2=checks.finite, **_SPREADS)
def pair_means(
    t1: ArrayLike, t2: ArrayLike, var1: ArrayLike, var2: ArrayLike, cov: ArrayLike
) -> PairMeans:
    """E[erf(x1) erf(x2)] and its derivatives, for x1, x2 Gaussian with these means and covariance.

    The covariance matrix may be singular. The value has an error below 1e-13 for variances up to 25
    and below 1e-10 up to 400; the derivatives are elementary.

    Book: {eq}`eq-several-pair`.
    """
    arguments = jnp.broadcast_arrays(*map(jnp.asarray, (t1, t2, var1, var2, cov)))
    return PairMeans(_value(*arguments), *_slopes(*arguments))


@checks.compiled(**_SPREADS)
def centred_pair_means(var1: ArrayLike, var2: ArrayLike, cov: ArrayLike) -> PairMeans:
    """Compute the same for means of zero: an arcsine, and two derivatives that vanish by symmetry.

    Book: {eq}`eq-several-pair`.
    """
    var1, var2, cov = map(jnp.asarray, (var1, var2, cov))
    u1, u2 = 1 + 2 * var1, 1 + 2 * var2
    by_12 = 4 / math.pi / jnp.sqrt(_determinant(var1, var2, cov))
    zero = jnp.zeros_like(by_12)
    value = 2 / math.pi * jnp.arcsin(2 * cov / jnp.sqrt(u1 * u2))
    return PairMeans(value, zero, zero, -2 * cov / u1 * by_12, by_12, -2 * cov / u2 * by_12)


def _erfs(lam, variance, s, kk):
    """Return the means of erf, erf' and erf'' at lam k.X, where k.X has mean s."""
    root = jnp.sqrt(1 + 2 * lam**2 * variance * kk)
    x = lam * s / root
    return erf(x), erf_prime(x) / root, erf_second(x) / root**2


def mean(lam: Number, variance: Number, s: Number, t: Number, kk: Number, kv: Number) -> jax.Array:
    """Compute E[erf(lam k.X) v.X] by Stein's lemma; v.X has mean t."""
    e0, e1, _ = _erfs(lam, variance, s, kk)
    return t * e0 + lam * variance * kv * e1


def with_label(
    lam: Number,
    variance: Number,
    s: Number,
    t: Number,
    kk: Number,
    kv: Number,
    k_v_star: Number,
    v_v_star: Number,
) -> jax.Array:
    """Compute E[erf(lam k.X) v.X y], y = v*.(X - E X); each v* is orthogonal to its own k*."""
    e0, e1, e2 = _erfs(lam, variance, s, kk)
    by_s, by_t = lam * variance * k_v_star, variance * v_v_star
    return e0 * by_t + e1 * t * by_s + e2 * lam * variance * kv * by_s


def _bent(F, hh, hg, gh, gg):
    """Return the terms with second derivatives, from covariances of v.X with arguments of erf."""
    return F.by_11 * hh * gh + F.by_12 * (hh * gg + hg * gh) + F.by_22 * hg * gg


def covariance(
    lam: Number,
    variance: Number,
    s: Number,
    s2: Number,
    t: Number,
    t2: Number,
    kk: Number,
    kk2: Number,
    kk12: Number,
    vv: Number,
    *kv: Number,
) -> jax.Array:
    """Compute the covariance of two heads' terms, at one token or at two of equal noise."""
    F = pair_means(lam * s, lam * s2, *(lam**2 * variance * x for x in (kk, kk2, kk12)))
    hh, hg, gh, gg = (lam * variance * x for x in kv)
    both = F.value * (t * t2 + variance * vv) + _bent(F, hh, hg, gh, gg)
    both += t2 * (hh * F.by_1 + hg * F.by_2) + t * (gh * F.by_1 + gg * F.by_2)
    return both - mean(lam, variance, s, t, kk, kv[0]) * mean(lam, variance, s2, t2, kk2, kv[3])


def noise_mean(lam: Number, kk: Number, kv: Number) -> jax.Array:
    """Compute the mean at a noise token, where k.X and v.X have mean zero and variance one."""
    return mean(lam, 1.0, 0.0, 0.0, kk, kv)


def noise_covariance(
    lam: Number, kk: Number, kk2: Number, kk12: Number, vv: Number, *kv: Number
) -> jax.Array:
    """Compute the covariance of two heads' terms at a noise token."""
    F = centred_pair_means(*(lam**2 * x for x in (kk, kk2, kk12)))
    both = F.value * vv + _bent(F, *(lam * x for x in kv))
    return both - noise_mean(lam, kk, kv[0]) * noise_mean(lam, kk2, kv[3])

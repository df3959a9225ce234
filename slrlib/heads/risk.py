"""The exact excess risk of several heads, from Gaussian expectations over their scores.

The first functions compute the Gaussian mean of erf(x1) erf(x2) for two correlated numbers, and its
derivatives, with u_i = 1 + 2 Var x_i and D = u_1 u_2 - 4 Cov(x1, x2)^2. As D >= u_1 + u_2 - 1, no
case is singular, not even x1 = x2.

A token X adds erf(lam k.X) v.X to the output of head (k, v). X is Gaussian with covariance
``variance`` times the identity. ``s`` and ``t`` are the means of k.X and v.X; ``kk``, ``kv``, ...
are inner products.

Token l adds erf(lam k_h.X_l) v_h.X_l to the output of head h. The error of the prediction is the
sum of all these terms minus the label. The risk is the square of its mean plus its variance, a sum
of covariances: tokens are independent, except for informative ones with shared noise.
"""

from __future__ import annotations

import math
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.special import (
    erf,
    erf_prime,
    erf_second,
    legendre,
    mean_erfc_squared,
    new_axis,
    rule,
    zeta_zero,
)
from slrlib.task import Task, Teacher

_NODES, _WEIGHTS = legendre(32)
# Denser where the correlation is largest, because the integrand decreases fastest there.
_WEIGHTS, _NODES = 2 * (1 - _NODES) * _WEIGHTS, 1 - (1 - _NODES) ** 2


def _determinant(var1, var2, cov):
    """Return D without cancellation, also if x1 and x2 are equal or nearly equal."""
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
    rest1 = erf((t2 - 2 * cov * t1 / u1) * root1 / jnp.sqrt(D))  # E[erf(x2)] weighted by erf'(x1)
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
    """Return erf(x1) erf(x2) plus an integral over the angle whose sine is the correlation."""
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
    """Apply the heat equation: the derivative is by_12 in the covariance, by_11 / 2 in var1."""
    by_1, by_2, by_11, by_12, by_22 = _slopes(*primals)
    slopes = by_1, by_2, by_11 / 2, by_22 / 2, by_12
    return _value(*primals), sum(s * t for s, t in zip(slopes, tangents, strict=True))


def pair_means(
    t1: ArrayLike, t2: ArrayLike, var1: ArrayLike, var2: ArrayLike, cov: ArrayLike
) -> tuple[jax.Array, ...]:
    """Compute E[erf(x1) erf(x2)] and its derivatives for Gaussian x1, x2 with these moments.

    The derivatives with respect to the means t1 and t2 are in the order t1, t2, t1 t1, t1 t2 and t2
    t2; for example, they are E[erf'(x1) erf(x2)] and E[erf'(x1) erf'(x2)]. The covariance matrix
    may be singular. The value has an error below 1e-13 for variances up to 25 and below 1e-10 up to
    400; the derivatives are elementary functions.

    Book: {eq}`eq-several-pair`.
    """
    arguments = jnp.broadcast_arrays(*map(jnp.asarray, (t1, t2, var1, var2, cov)))
    return _value(*arguments), *_slopes(*arguments)


def _erfs(lam, variance, s, kk):
    """Return the means of erf, erf' and erf'' at lam k.X, where k.X has mean s."""
    root = jnp.sqrt(1 + 2 * lam**2 * variance * kk)
    x = lam * s / root
    return erf(x), erf_prime(x) / root, erf_second(x) / root**2


def _mean(lam, variance, s, t, kk, kv):
    """Compute E[erf(lam k.X) v.X] by Stein's lemma; v.X has mean t."""
    e0, e1, _ = _erfs(lam, variance, s, kk)
    return t * e0 + lam * variance * kv * e1


def _with_label(lam, variance, s, t, kk, kv, k_v_star, v_v_star):
    """Compute E[erf(lam k.X) v.X y], y = v*.(X - E X); each v* is orthogonal to its own k*."""
    e0, e1, e2 = _erfs(lam, variance, s, kk)
    by_s, by_t = lam * variance * k_v_star, variance * v_v_star
    return e0 * by_t + e1 * t * by_s + e2 * lam * variance * kv * by_s


def _covariance(lam, variance, s, t, kk, kv, kv21, kv12, s2, t2, kk2, kv2, kk12, vv):
    """Compute the covariance of two heads' terms, at one token or at two of equal noise."""
    spreads = (lam**2 * variance * x for x in (kk, kk2, kk12))
    mean, by_1, by_2, by_11, by_12, by_22 = pair_means(lam * s, lam * s2, *spreads)
    hh, hg, gh, gg = (lam * variance * x for x in (kv, kv21, kv12, kv2))
    bent = by_11 * hh * gh + by_12 * (hh * gg + hg * gh) + by_22 * hg * gg
    both = mean * (t * t2 + variance * vv) + bent
    both += t2 * (hh * by_1 + hg * by_2) + t * (gh * by_1 + gg * by_2)
    return both - _mean(lam, variance, s, t, kk, kv) * _mean(lam, variance, s2, t2, kk2, kv2)


def _pick(matrix, places):
    """Return the entries at ``places`` on a new last axis."""
    return matrix[..., *np.array(places).T]


def _summed(f, lam, columns, weights: ArrayLike = 1.0):
    """Return the weighted sum of ``f(lam, *case)`` over cases, with arguments in ``columns``."""
    values = f(*_lined_up(new_axis(jnp.asarray(lam)), *columns))
    # A sum instead of a matrix product, because the rounding of the latter depends on the batch.
    values = jnp.multiply(*_lined_up(values, jnp.asarray(weights, values.dtype)))
    return jnp.sum(values, axis=-1)


def _lined_up(*arrays):
    """Add leading axes so that all arrays have the same number of axes; keep scalars."""
    most = max(x.ndim for x in arrays)
    return [jnp.expand_dims(x, range(most - x.ndim)) if x.ndim else x for x in arrays]


@partial(jax.jit, static_argnames="shared_noise")
def excess_risk_of(
    K: ArrayLike,
    V: ArrayLike,
    teachers: Teacher | tuple,
    lam: ArrayLike,
    task: Task,
    shared_noise: bool = False,
) -> jax.Array:
    """Compute ``excess_risk`` without checks; the dimension d enters only as sqrt(d/2).

    Book: {eq}`eq-several-risk` (not in the paper).
    """
    variance, r = jnp.square(task.gamma), jnp.sqrt(task.d / 2.0)
    k_star, v_star = teachers

    def products(x, y):
        return jnp.einsum("...id,...jd->...ij", x, y)

    kk, kv, vv = products(K, K), products(K, V), products(V, V)
    s, t = (jnp.multiply(*_lined_up(new_axis(new_axis(r)), products(x, k_star))) for x in (K, V))
    heads, locations = range(kk.shape[-1]), range(s.shape[-1])
    # The other tokens count as one more location with mean score zero, which halves the program.
    s, t = (jnp.pad(x, [(0, 0)] * (x.ndim - 1) + [(0, 1)]) for x in (s, t))
    informative = jnp.arange(s.shape[-1]) < len(locations)
    others = new_axis(jnp.asarray(task.L - len(locations)))
    often = jnp.where(*_lined_up(informative, jnp.ones_like(others), others))
    spread = new_axis(jnp.asarray(variance))
    spread = jnp.where(*_lined_up(informative, spread, jnp.ones_like(spread)))
    slots = [(h, i) for i in range(s.shape[-1]) for h in heads]  # head h at the token of location i

    def alike(i, j):
        """Return whether tokens of these two locations have the same noise."""
        return i == j or (shared_noise and max(i, j) < len(locations))

    def seen(slots):
        """Return the arguments of ``_mean`` at these slots, from ``variance`` on."""
        own, at = [(h, h) for h, _ in slots], [i for _, i in slots]
        return spread[..., at], _pick(s, slots), _pick(t, slots), _pick(kk, own), _pick(kv, own)

    total = _summed(_mean, lam, seen(slots), often[..., [i for _, i in slots]])

    pairs = [(a, b) for n, a in enumerate(slots) for b in slots[n:] if alike(a[1], b[1])]
    counts = jnp.asarray([1.0 if a == b else 2.0 for a, b in pairs])  # in the double sum
    one, other = zip(*pairs, strict=True)
    weights = jnp.multiply(*_lined_up(often[..., [i for _, i in one]], counts))
    both = [(a[0], b[0]) for a, b in pairs]  # their two heads
    crossed = [(h2, h) for h, h2 in both]
    # The order of the columns determines the order in which gradients are summed.
    columns = *seen(one), _pick(kv, crossed), _pick(kv, both)
    columns = *columns, *seen(other)[1:], _pick(kk, both), _pick(vv, both)
    variance_of_all = _summed(_covariance, lam, columns, weights)

    labels = [((h, i), (h, j)) for h, i in slots for j in locations if alike(i, j)]
    own, label = zip(*labels, strict=True)
    columns = *seen(own), *(_pick(products(x, v_star), label) for x in (K, V))
    variance_of_all -= 2.0 * _summed(_with_label, lam, columns)
    places = [(i, j) for i in locations for j in locations if alike(i, j)]
    variance_of_all += variance * jnp.sum(_pick(products(v_star, v_star), places), axis=-1)
    return variance_of_all + total**2


def excess_risk(
    K: ArrayLike,
    V: ArrayLike,
    teachers: Teacher,
    lam: ArrayLike,
    task: Task,
    *,
    shared_noise: bool = False,
) -> jax.Array:
    """Compute the exact excess risk of H heads of erf attention on m locations.

    The pair (k_i*, v_i*) of each location must be orthonormal; different pairs may have any inner
    products. The risk depends only on inner products, so D may be smaller than ``task.d``.

    Parameters
    ----------
    K, V : array_like
        Shape (..., H, D): the unit vectors k_h and v_h, one head per row.
    teachers : Teacher
        k_i* and v_i*, arrays of shape (..., m, D).
    lam : array_like
        Inverse temperature lambda, zero or more.
    task : Task
        The task; d, L >= m and gamma enter.
    shared_noise : bool
        Whether the m informative tokens of a sequence have the same Gaussian noise.

    Returns
    -------
    Array
        The excess risk R - noise^2, of shape (...).

    Examples
    --------
    >>> e = jnp.eye(4)
    >>> heads = e[:2], e[2:], Teacher(e[:2], e[2:])
    >>> round(float(excess_risk(*heads, 0.1, Task(d=80, L=10))), 4)
    0.3484

    Book: {eq}`eq-several-risk` (not in the paper).
    """
    k_star, v_star = checks.teacher(teachers, "teachers")
    checks.ends_in("teachers", k_star, (None, None))
    K = checks.ends_in("K", K, (None, k_star.shape[-1]))
    V = checks.ends_in("V", V, K.shape[-2:])
    checks.whole("task.L", checks.task(task).L, at_least=k_star.shape[-2])
    lam = jnp.asarray(checks.nonnegative("lam", lam))
    shared_noise = checks.flag("shared_noise", shared_noise)
    return excess_risk_of(K, V, (k_star, v_star), lam, task, shared_noise)


def oracle_excess_risk(lam: ArrayLike, task: Task, m: int) -> jax.Array:
    """Compute the excess risk of m heads at m orthonormal pairs (k_i*, v_i*).

    Parameters
    ----------
    lam : array_like
        Inverse temperature lambda, zero or more.
    task : Task
        The task; d, L >= m and gamma enter.
    m : int
        Number of locations and of heads.

    Returns
    -------
    Array
        The excess risk R - noise^2, of the broadcast shape. It comes from erf < 1 at the token of
        each head, and from the noise of the m - 1 other informative tokens and of the L - m other
        tokens.

    Examples
    --------
    >>> round(float(oracle_excess_risk(0.1, Task(d=80, L=10), 2)), 4)
    0.3484

    Book: {eq}`eq-several-oracle` (not in the paper).
    """
    m = checks.count("m", m)
    checks.whole("task.L", checks.task(task).L, at_least=m)
    return _oracle(jnp.asarray(checks.nonnegative("lam", lam)), task, m=m)


@partial(jax.jit, static_argnames="m")
def _oracle(lam, task, m):
    signal, spread = lam * jnp.sqrt(task.d / 2.0), lam * task.gamma
    own = mean_erfc_squared(signal, spread) + (m - 1) * zeta_zero(spread)
    return m * (jnp.square(task.gamma) * own + (task.L - m) * zeta_zero(lam))

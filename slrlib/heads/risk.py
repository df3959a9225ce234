"""The excess risk of several heads of erf attention on several locations, in closed form.

Token l adds erf(lam k_h.X_l) v_h.X_l to the output of head h. The error of the prediction is the
sum of all these terms minus the label. The risk is the square of its mean plus its variance, a sum
of covariances: tokens are independent, except for informative ones with shared noise.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.heads import moments
from slrlib.special import mean_erfc_squared, new_axis, zeta_zero
from slrlib.task import Task, Teacher


class Overlaps(NamedTuple):
    """The inner products on which the risk of H heads on m locations depends.

    ``k_k_star[h][i]`` is k_h.k_i*, ``kv[h][g]`` is k_h.v_g, and so on. Each field is an array, with
    batch axes in front, or nested tuples of numbers: the risk is then computed with scalars only.
    """

    k_k_star: jax.Array | tuple
    k_v_star: jax.Array | tuple
    v_k_star: jax.Array | tuple
    v_v_star: jax.Array | tuple
    kk: jax.Array | tuple
    kv: jax.Array | tuple
    vv: jax.Array | tuple
    v_stars: jax.Array | tuple  # v_i*.v_j*, which matters for shared noise only


def overlaps(K: ArrayLike, V: ArrayLike, teachers: Teacher) -> Overlaps:
    """The inner products of heads ``K``, ``V`` (..., H, D) with ``teachers`` (..., m, D).

    Book: {eq}`eq-several-risk` (not in the paper).
    """
    k_star, v_star = checks.teacher(teachers, "teachers")
    if k_star.ndim < 2:
        shape = k_star.shape
        raise ValueError(f"teachers must hold arrays of shape (..., m, D), got shape {shape}")
    K = jnp.asarray(checks.ends_in("K", K, (None, k_star.shape[-1])))
    V = jnp.asarray(checks.ends_in("V", V, K.shape[-2:]))
    return _overlaps(K, V, k_star, v_star)


@jax.jit
def _overlaps(K, V, k_star, v_star):
    pairs = (K, k_star), (K, v_star), (V, k_star), (V, v_star), (K, K), (K, V), (V, V)
    pairs += ((v_star, v_star),)
    return Overlaps(*(jnp.einsum("...id,...jd->...ij", x, y) for x, y in pairs))


def _pick(matrix, places):
    """Return the entries at ``places``: on a new last axis of an array, or as a list."""
    if isinstance(matrix, tuple):
        return [matrix[row][column] for row, column in places]
    return matrix[..., *np.array(places).T]


def _summed(f, numbers, columns, weights=None):
    """The sum of ``f(*numbers, *case)`` over cases; ``columns`` holds their arguments."""
    if isinstance(columns[0], list):
        weights = [1.0] * len(columns[0]) if weights is None else weights
        cases = zip(weights, *columns, strict=True)
        return sum(weight * f(*numbers, *case) for weight, *case in cases)
    values = f(*_lined_up(*(new_axis(jnp.asarray(x)) for x in numbers), *columns))
    if weights is not None:
        values = jnp.multiply(*_lined_up(values, jnp.asarray(weights, dtype=values.dtype)))
    return jnp.sum(values, axis=-1)


def _scaled(r, matrix):
    """r times every entry."""
    if isinstance(matrix, tuple):
        return tuple(tuple(r * entry for entry in row) for row in matrix)
    return jnp.multiply(*_lined_up(new_axis(new_axis(r)), matrix))


def _lined_up(*arrays):
    """The arrays with as many axes as the one that has most; a number broadcasts as it is."""
    most = max(x.ndim for x in arrays)
    return [jnp.expand_dims(x, range(most - x.ndim)) if x.ndim else x for x in arrays]


def _products(o, pairs):
    """Return the inner products of two heads on which a covariance depends, for all ``pairs``."""
    one, other = ([(pair[n], pair[n]) for pair in pairs] for n in (0, 1))
    crossed = [(g, h) for h, g in pairs]
    kk = [_pick(o.kk, places) for places in (one, other, pairs)]
    kv = [_pick(o.kv, places) for places in (one, crossed, pairs, other)]
    return *kk, _pick(o.vv, pairs), *kv


def _pairs(things, related):
    """Return all pairs of ``related`` things, and how often each counts in a double sum."""
    pairs = [(a, b) for n, a in enumerate(things) for b in things[n:] if related(a, b)]
    return pairs, [1.0 if a == b else 2.0 for a, b in pairs]


def excess_risk_of(
    o: Overlaps, lam: ArrayLike, task: Task, *, shared_noise: bool = False
) -> jax.Array:
    """Compute the excess risk at overlaps ``o``; the dimension d enters only as sqrt(d/2).

    Book: {eq}`eq-several-risk` (not in the paper).
    """
    return _risk_of(o, jnp.asarray(lam), task, shared_noise=shared_noise)


@partial(jax.jit, static_argnames="shared_noise")
def _risk_of(o, lam, task, shared_noise):
    variance, r = jnp.square(task.gamma), jnp.sqrt(task.d / 2.0)
    s, t = (_scaled(r, x) for x in (o.k_k_star, o.v_k_star))
    scalar = isinstance(o.kk, tuple)
    heads, locations = (range(len(x) if scalar else x.shape[-1]) for x in (o.kk, o.v_stars))
    slots = [(h, i) for i in locations for h in heads]  # head h at the token of location i
    own = [(h, h) for h, _ in slots]
    columns = _pick(s, slots), _pick(t, slots), _pick(o.kk, own), _pick(o.kv, own)
    mean = _summed(moments.mean, (lam, variance), columns)

    pairs, weights = _pairs(slots, lambda a, b: shared_noise or a[1] == b[1])
    places = [[pair[n] for pair in pairs] for n in (0, 1)]
    columns = (
        *(_pick(x, y) for x in (s, t) for y in places),
        *_products(o, [(a[0], b[0]) for a, b in pairs]),
    )
    variance_of_all = _summed(moments.covariance, (lam, variance), columns, weights)

    labels = [(h, i, j) for h, i in slots for j in locations if shared_noise or i == j]
    slots, own = [(h, i) for h, i, _ in labels], [(h, h) for h, _, _ in labels]
    label = [(h, j) for h, _, j in labels]
    columns = _pick(s, slots), _pick(t, slots), _pick(o.kk, own), _pick(o.kv, own)
    columns = *columns, _pick(o.k_v_star, label), _pick(o.v_v_star, label)
    variance_of_all -= 2.0 * _summed(moments.with_label, (lam, variance), columns)
    both = [(i, j) for i in locations for j in locations if shared_noise or i == j]
    variance_of_all += variance * _summed(lambda product: product, (), [_pick(o.v_stars, both)])

    others, own = task.L - len(locations), [(h, h) for h in heads]
    columns = _pick(o.kk, own), _pick(o.kv, own)
    mean += others * _summed(moments.noise_mean, (lam,), columns)
    pairs, weights = _pairs(heads, lambda h, g: True)
    columns = _products(o, pairs)
    variance_of_all += others * _summed(moments.noise_covariance, (lam,), columns, weights)
    return variance_of_all + mean**2


@jax.jit(static_argnames="shared_noise")
def _risk(K, V, teachers, lam, task, shared_noise):
    return _risk_of(overlaps(K, V, teachers), lam, task, shared_noise=shared_noise)


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
        Shape (..., H, D): the unit vectors k_h and v_h, one head in each row.
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
    k_star, _ = checks.teacher(teachers, "teachers")
    checks.whole("task.L", checks.task(task).L, at_least=k_star.shape[-2:][0])
    lam = jnp.asarray(checks.nonnegative("lam", lam))
    return _risk(K, V, teachers, lam, task, checks.flag("shared_noise", shared_noise))


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
        The excess risk R - noise^2, of the broadcast shape. Head i loses where erf < 1 at its own
        token, and gets noise from the m - 1 other informative tokens and from the L - m others.

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

"""Excess risks of reference predictors: argmax, linear ones, thresholds, other weights."""

from __future__ import annotations

import math
from functools import partial
from typing import Any, NamedTuple, cast

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.stats import norm
from jax.typing import ArrayLike
from scipy.special import chdtr

from slrlib import checks
from slrlib.overlaps import Overlaps, inner_products, safe_sqrt
from slrlib.risk.bayes import uniform_location
from slrlib.risk.closed import terms
from slrlib.special import bell, erf, erfc, legendre, new_axis, rule, variance_erf, zeta_zero
from slrlib.task import Task, Teacher

__all__ = [
    "argmax_excess_risk",
    "best_linear_attention",
    "erf_floor",
    "excess_risk_of",
    "linear_attention_excess_risk",
    "linear_excess_risk",
    "linear_pair_excess_risk",
    "norm_only_hit_rate",
    "null_excess_risk",
    "oracle_excess_risk",
    "threshold_excess_risk",
    "two_token_softmax_excess_risk",
]

_NODES, _WEIGHTS = legendre(128)


@checks.compiled(lam=checks.nonnegative, scale=checks.finite)
def oracle_excess_risk(lam: ArrayLike, task: Task, scale: ArrayLike = 1.0) -> jax.Array:
    """Compute the excess risk of erf attention at (k*, v*), with the output times ``scale``.

    The predictor is scale sum_l erf(lam X_l.k*) X_l.v*. The risk is accurate for every
    ``scale``, because gamma^2 E[(1 - scale erf)^2] is computed as a squared mean plus a
    variance.

    Parameters
    ----------
    lam : array_like
        Inverse temperature lambda >= 0.
    task : Task
        The task (d, L, gamma).
    scale : array_like
        Factor that multiplies the output, 1 in the paper.

    Returns
    -------
    jax.Array
        The excess risk R - noise^2, of the broadcast shape.

    Examples
    --------
    >>> print(f"{oracle_excess_risk(0.1, Task(d=400, L=10)):.4f}")
    0.1135

    Book: {eq}`eq-risk-oracle` (Theorem 1 of the paper).
    """
    g = lam * task.gamma
    signal = lam * jnp.sqrt(task.d / 2)
    x = signal / jnp.sqrt(1 + 2 * g**2)
    # 1 - scale * erf(x), without cancellation if scale or erf(x) is near 1.
    bias = jnp.where(x < 0.5, 1 - scale * erf(x), (1 - scale) + scale * erfc(x))
    missed = bias**2 + scale**2 * variance_erf(signal, g)
    return jnp.square(task.gamma) * missed + (task.L - 1) * scale**2 * zeta_zero(lam)


@checks.compiled()
def linear_excess_risk(task: Task) -> jax.Array:
    """Compute the excess risk of the best linear predictor.

    Parameters
    ----------
    task : Task
        The task (L, gamma, p), with any distribution p of the location.

    Returns
    -------
    jax.Array
        The excess risk R - noise^2.

    Examples
    --------
    >>> print(f"{linear_excess_risk(Task(d=400, L=10)):.4f}")
    0.4737

    Book: {eq}`eq-risk-linear` (Proposition 3 of the paper).
    """
    gg, p = jnp.square(task.gamma), task.p
    if p is None:
        return gg * (task.L - 1) / (task.L - 1 + gg)
    return gg * jnp.sum(p * (1 - p) / (1 - p + p * new_axis(gg)), axis=-1)


@checks.compiled(lam=checks.nonnegative)
def linear_attention_excess_risk(lam: ArrayLike, task: Task) -> jax.Array:
    """Compute the excess risk of linear attention at (k*, v*), lam sum_l (X_l.k*) (X_l.v*).

    Parameters
    ----------
    lam : array_like
        Inverse temperature lambda >= 0.
    task : Task
        The task (d, L, gamma).

    Returns
    -------
    jax.Array
        The excess risk R - noise^2, of the broadcast shape.

    Examples
    --------
    >>> print(f"{linear_attention_excess_risk(0.05, Task(d=400, L=10)):.4f}")
    0.0660

    Book: {eq}`eq-risk-linear-attention`.
    """
    bias = lam * jnp.sqrt(task.d / 2) - 1
    gg = jnp.square(task.gamma)
    return gg * (bias**2 + lam**2 * gg) + (task.L - 1) * lam**2


class Best(NamedTuple):
    """The inverse temperature at which a predictor has its lowest excess risk, and that risk.

    Parameters
    ----------
    lam : jax.Array
        Inverse temperature lambda.
    excess_risk : jax.Array
        The excess risk R - noise^2 there.
    """

    lam: jax.Array | Any  # may be a float
    excess_risk: jax.Array | Any


@checks.compiled()
def best_linear_attention(task: Task) -> Best:
    """Compute the best inverse temperature of linear attention at (k*, v*), and its excess risk.

    Parameters
    ----------
    task : Task
        The task (d, L, gamma); its numbers may be arrays that broadcast.

    Returns
    -------
    Best
        ``lam`` and ``excess_risk``, of the broadcast shape.

    Examples
    --------
    >>> print(f"{best_linear_attention(Task(d=400, L=10)).excess_risk:.4f}")
    0.0423

    Book: {eq}`eq-linear-attention-best` (not in the paper).
    """
    gg = jnp.square(task.gamma)
    power, noise = gg * task.d / 2, gg**2 + (task.L - 1)
    return Best(gg * jnp.sqrt(task.d / 2) / (power + noise), gg * noise / (power + noise))


@checks.compiled()
def null_excess_risk(task: Task) -> jax.Array:
    """Compute the excess risk of the predictor 0, which is gamma^2, the variance of the target.

    Parameters
    ----------
    task : Task
        The task (d, L, gamma); its numbers may be arrays that broadcast.

    Returns
    -------
    jax.Array
        The excess risk R - noise^2, of the broadcast shape.

    Examples
    --------
    >>> print(f"{null_excess_risk(Task(d=400, L=10)):.4f}")
    0.5000

    Book: {eq}`eq-risk-null`.
    """
    return jnp.square(task.gamma)


def _miss(s, others):
    """Compute the probability that one of ``others`` standard normal variables exceeds s."""
    s = jnp.maximum(s, -12.0)  # below it the chance is one, and the logarithm could overflow
    tail = erfc(jnp.abs(s) / math.sqrt(2)) / 2
    # A safe argument in the branch that is not taken keeps the derivative finite.
    log_below = jnp.where(s < 0, jnp.log(jnp.where(s < 0, tail, 1.0)), jnp.log1p(-tail))
    return -jnp.expm1(others * log_below)


def _where_misses_matter(gamma, r, L):
    """Compute limits of m = r + gamma x: misses are certain below and negligible above them.

    Most misses have m near r / (1 + gamma^2), with a spread of at most min(1, gamma). The largest
    of many scores exceeds the m with m^2 / 2 = log(L) - 8 with certainty; the largest of a few
    scores exceeds -9.
    """
    many = jnp.sqrt(2 * jnp.maximum(jnp.log(L) - 8, 0.0))
    certain = jnp.where(L < 60, -9.0, many)
    likely, reach = r / (1 + jnp.square(gamma)), 9 * jnp.minimum(gamma, 1.0)
    low = jnp.maximum(likely - reach, certain)
    return jax.lax.stop_gradient((low, jnp.maximum(likely, certain) + reach))


@checks.compiled()
def argmax_excess_risk(task: Task) -> jax.Array:
    """Compute the excess risk of argmax attention at (k*, v*): X_J.v* with J the argmax of X_l.k*.

    An error costs 1 + gamma^2. The error probability is the expectation, over a normal x, of the
    probability that one of the L - 1 other scores exceeds sqrt(d/2) + gamma x. The quadrature has
    128 nodes and is exact to 1e-12 for L up to 1e9.

    Parameters
    ----------
    task : Task
        The task (d, L, gamma); its numbers may be arrays that broadcast.

    Returns
    -------
    jax.Array
        The excess risk R - noise^2, of the broadcast shape.

    Examples
    --------
    >>> print(f"{argmax_excess_risk(Task(d=20, L=6)):.4f}")
    0.0339

    Book: {eq}`eq-risk-argmax`.
    """
    gamma, d, L = jnp.broadcast_arrays(task.gamma, task.d, task.L)
    r, others = jnp.sqrt(d / 2), L - 1
    low, high = ((m - r) / gamma for m in _where_misses_matter(gamma, r, L))
    below = _miss(r + gamma * low, others) * erfc(-low / math.sqrt(2)) / 2

    def density(x):
        miss = _miss(new_axis(r) + new_axis(gamma) * x, new_axis(others))
        return miss * jnp.exp(-(x**2) / 2) / math.sqrt(2 * math.pi)

    nodes, weights = rule(_NODES, _WEIGHTS, low)
    x = new_axis(low) + new_axis(high - low) * nodes
    return (1 + jnp.square(gamma)) * (below + (high - low) * jnp.sum(weights * density(x), axis=-1))


@checks.compiled(threshold=checks.finite)
def threshold_excess_risk(threshold: ArrayLike, task: Task) -> jax.Array:
    """Compute the excess risk of the sum of X_l.v* over the tokens with X_l.k* > threshold.

    It is gamma^2 times the probability that the informative token is below the threshold, plus the
    expected number of other tokens above it. Both are accurate even where they are tiny.

    Parameters
    ----------
    threshold : array_like
        Threshold of the scores X_l.k*.
    task : Task
        The task (d, L, gamma).

    Returns
    -------
    jax.Array
        The excess risk R - noise^2, of the broadcast shape.

    Examples
    --------
    >>> print(f"{threshold_excess_risk(4.0, Task(d=400, L=10)):.6f}")
    0.000285

    Book: {eq}`eq-risk-threshold` (not in the paper).
    """
    missed = norm.cdf((threshold - jnp.sqrt(task.d / 2)) / task.gamma)
    let_through = norm.cdf(-jnp.asarray(threshold, float))
    return jnp.square(task.gamma) * missed + (task.L - 1) * let_through


def _three_dimensions(name, task):
    checks.whole(f"{name}.d", checks.task(task).d, at_least=3)
    return task


@checks.compiled(task=_three_dimensions)
def erf_floor(task: Task) -> jax.Array:
    """Compute a lower bound of the excess risk of erf attention over all lam and unit vectors k, v.

    The predictor is sum_l erf(lam X_l.k) X_l.v. The bound is about 2 (L - 1) / d if d is much
    larger than L, and holds for every distribution of the location.

    Parameters
    ----------
    task : Task
        The task (d, L, gamma) with d >= 3; its numbers may be arrays that broadcast.

    Returns
    -------
    jax.Array
        The bound, of the broadcast shape.

    Examples
    --------
    >>> print(f"{erf_floor(Task(d=400, L=10)):.4f}")
    0.0410

    Book: {eq}`eq-erf-floor` (not in the paper).
    """
    others = jnp.subtract(task.L, 1)
    wide = task.d + 2 * others / jnp.square(task.gamma)
    return 2 * others / ((1 + math.pi / task.d) * wide)


@checks.compiled(k=checks.vectors, v=checks.vectors, lam=checks.nonnegative)
def excess_risk_of(
    k: ArrayLike, v: ArrayLike, teacher: Teacher, lam: ArrayLike, task: Task
) -> jax.Array:
    """Compute the excess risk of erf attention with vectors ``k`` and ``v`` of any norm.

    The predictor is sum_l erf(lam X_l.k) X_l.v. The closed form of ``excess_risk`` is used with
    three changes: inner products replace the overlaps, lam |k| replaces lam as the standard
    deviation of lam X_l.k for a noise token, and |v|^2 multiplies the variance of X_l.v.

    Parameters
    ----------
    k : array_like
        Vectors k, of shape (..., d).
    v : array_like
        Vectors v, of shape (..., d).
    teacher : Teacher
        The teacher (k*, v*), of shapes (..., d).
    lam : array_like
        Inverse temperature lambda >= 0, of a shape that broadcasts with (...).
    task : Task
        The task (d, L, gamma).

    Returns
    -------
    jax.Array
        The excess risk R - noise^2, of the broadcast shape.

    Examples
    --------
    >>> teacher, task = Teacher([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]), Task(d=3, L=2)
    >>> print(f"{excess_risk_of([2.0, 0.0, 0.0], [0.0, 1.0, 0.0], teacher, 0.3, task):.4f}")
    0.3867

    Book: {eq}`eq-risk` (Proposition 15 of the paper, which takes both lengths to be one).
    """
    k_star, v_star = teacher
    k, v = (checks.ends_in(name, x, k_star.shape[-1:]) for name, x in (("k", k), ("v", v)))
    spread = lam * safe_sqrt(jnp.sum(k * k, axis=-1))
    o, power = inner_products(k, v, k_star, v_star), jnp.sum(v * v, axis=-1)
    return cast(jax.Array, sum(terms(o, lam, task, spread, power)))


_CELLS = 1200  # per distribution; more cells change the rate by less than 1e-5
_MANY = 1e5  # from this noncentrality on, SciPy's series is too slow


def norm_only_hit_rate(task: Task) -> float:
    """Compute how often the norms of the tokens alone identify the informative token.

    The rule is the best that depends only on the norms. |X_l|^2 is chi-square with d degrees of
    freedom, or gamma^2 times a noncentral chi-square for the informative token, and the rule picks
    the largest likelihood ratio of the two. The computation divides the real line into cells. It is
    exact for the rule that uses only the cell of each norm and breaks ties at random.

    Parameters
    ----------
    task : Task
        One task (d, L, gamma) with a uniform location; its numbers cannot be traced.

    Returns
    -------
    float
        The probability that the rule is correct, with an error below 1e-5.

    Examples
    --------
    >>> round(norm_only_hit_rate(Task(d=400, L=10)), 3)
    0.115

    Book: {eq}`eq-slr-law` (section 2 of the paper).
    """
    from scipy.stats import ncx2  # as slow to import as everything else together

    uniform_location("task", task)
    d, L = checks.count("task.d", task.d, 2), checks.count("task.L", task.L)
    gamma = float(checks.positive("task.gamma", task.gamma))
    mean, spread = d / 2 + gamma**2 * d, gamma * np.sqrt(2 * d * (1 + gamma**2))
    scores = np.linspace(-8.0, 8.0, _CELLS)
    inner = np.unique([d + np.sqrt(2 * d) * scores, mean + spread * scores])
    edges = np.concatenate([[0.0], inner[inner > 0], [np.inf]])
    under_other = np.diff(chdtr(d, edges))
    if d / (2 * gamma**2) >= _MANY:
        raise ValueError(f"task.gamma must be at least sqrt(d / {2 * _MANY:.0e}), got {gamma:.3g}")
    under_informative = np.diff(ncx2.cdf(edges / gamma**2, d, d / (2 * gamma**2)))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        ratio = np.where(under_informative > 0, under_informative / under_other, 0.0)
    order = np.argsort(ratio, kind="stable")
    mass = under_other[order]
    up_to = np.minimum(np.cumsum(mass), 1.0)
    before = up_to - mass
    # P(win | cell): all others at or below it, ties at random, ((a + m)^L - a^L) / (L m).
    with np.errstate(divide="ignore", invalid="ignore"):
        shared = (up_to**L - before**L) / (L * mass)
    wins = np.where(mass > 1e-12, shared, up_to ** (L - 1))
    return float(np.sum(under_informative[order] * wins))


@jax.jit
def linear_pair_excess_risk(o: Overlaps, lam: ArrayLike, task: Task) -> jax.Array:
    """Compute the excess risk of linear attention, sum_l lam (X_l.k) (X_l.v), for a pair (k, v).

    Values are not checked inside ``jit``.

    Parameters
    ----------
    o : Overlaps
        Overlaps of the pair with the teacher, each of shape (...).
    lam : array_like
        Inverse temperature lambda, of a shape that broadcasts with the overlaps.
    task : Task
        The task; d, L and gamma enter.

    Returns
    -------
    Array
        The excess risk R - noise^2, of shape (...).

    Examples
    --------
    >>> from slrlib import Overlaps, Task
    >>> round(float(linear_pair_excess_risk(Overlaps(1, 1, 0, 0, 0), 0.05, Task(d=400, L=10))), 4)
    0.066

    Book: {eq}`eq-linear-pair`.
    """
    kappa, nu, theta, eta, rho = o
    power, others = task.gamma**2, task.L - 1.0
    signal = task.d / 2.0
    mean = lam * (signal * kappa * theta + (power + others) * rho)  # of the output
    square = signal * power * (kappa**2 + theta**2 + 2 * kappa * theta * rho)
    square = lam**2 * (square + (power**2 + others) * (1 + rho**2))
    product = 2 * lam * power * jnp.sqrt(signal) * (kappa * nu + eta * theta)
    return power + mean**2 + square - product


@partial(jax.jit, static_argnames=("reach", "points"))
def two_token_softmax_excess_risk(
    o: Overlaps, lam: ArrayLike, task: Task, reach: float = 9.0, points: int = 91
) -> jax.Array:
    """Compute the excess risk of softmax attention over two tokens for a pair (k, v).

    The function uses the trapezoidal rule. With the default nodes its relative error is below 1e-9
    if lam sqrt(1 + gamma^2) <= 2. Values are not checked inside ``jit``.

    Parameters
    ----------
    o : Overlaps
        Overlaps of the pair with the teacher, each a scalar.
    lam : array_like
        Inverse temperature lambda, a scalar.
    task : Task
        The task; d and gamma enter, and L is assumed to be 2.
    reach : float
        The nodes go from -reach to reach standard deviations.
    points : int
        Number of nodes.

    Returns
    -------
    Array
        The excess risk R - noise^2, a scalar.

    Examples
    --------
    >>> from slrlib import Overlaps, Task
    >>> o = Overlaps(1.0, 1.0, 0.0, 0.0, 0.0)
    >>> round(float(two_token_softmax_excess_risk(o, 0.1, Task(d=400, L=2))), 4)
    0.0584

    Book: {eq}`eq-open-softmax`.
    """
    kappa, nu, theta, eta, rho = o
    power, wide = task.gamma**2, 1.0 + task.gamma**2
    g, mass = map(jnp.asarray, bell(reach, points))
    r = jnp.sqrt(task.d / 2.0)
    weight = jax.nn.sigmoid(lam * (r * kappa + jnp.sqrt(wide) * g))  # of the informative token
    slope = rho * (power * weight - (1 - weight)) - power * eta
    mean = r * theta * weight + slope * g / jnp.sqrt(wide)
    rest = power * (1 - 2 * nu * weight + weight**2) + (1 - weight) ** 2 - slope**2 / wide
    return jnp.sum(mass * (mean**2 + rest))

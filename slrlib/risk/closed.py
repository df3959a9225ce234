"""The excess risk of erf attention in closed form, its gradient and its curvature."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import NamedTuple, cast

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.overlaps import Floating, Overlaps, possible
from slrlib.special import (
    erf,
    erf_prime,
    erfc,
    mean_erf,
    mean_erfc_squared,
    scales,
    zeta,
    zeta_zero,
)
from slrlib.task import Task

__all__ = ["RiskTerms", "excess_risk", "excess_risk_gradient", "manifold_excess_risk", "risk_terms"]


class RiskTerms(NamedTuple):
    """The six terms of Proposition 15 of the paper; their sum is the excess risk.

    J is the location of the informative token.

    Parameters
    ----------
    target : jax.Array
        E[Y^2] - noise^2, {eq}`eq-risk-target`.
    cross : jax.Array
        -2 E[Y erf(lam X_J.k) X_J.v], {eq}`eq-risk-cross`.
    informative : jax.Array
        E[erf(lam X_J.k)^2 (X_J.v)^2], {eq}`eq-risk-informative`.
    noise : jax.Array
        E[erf(lam X_l.k)^2 (X_l.v)^2], summed over the L - 1 other tokens l, {eq}`eq-risk-noise`.
    noise_pairs : jax.Array
        The products of two different other tokens, {eq}`eq-risk-noise-pairs`.
    mixed : jax.Array
        The products of another token and the informative one, {eq}`eq-risk-mixed`.

    Examples
    --------
    >>> RiskTerms(0.5, -0.75, 0.5, 0.25, 0.0, 0.0).informative
    0.5
    """

    target: jax.Array
    cross: jax.Array
    informative: jax.Array
    noise: jax.Array
    noise_pairs: jax.Array
    mixed: jax.Array


def shorthand(
    kappa: Floating, lam: Floating, task: Task, spread: Floating | None = None
) -> SimpleNamespace:
    """Compute the quantities that all terms share, named as in {eq}`eq-shorthand`.

    ``spread`` is lam |k| if k is not a unit vector.
    """
    spread = jnp.asarray(lam if spread is None else spread)
    r, own = jnp.sqrt(task.d / 2), spread * task.gamma
    g = lam * task.gamma
    x, y, root_u, root_w = scales(lam * r * kappa, own)
    u1, w1 = 1 + 2 * spread**2, 1 + 4 * spread**2
    return SimpleNamespace(
        gg=jnp.square(task.gamma),
        r=r,  # the size of the signal
        A=lam * r / root_u,
        b=(g / root_u) ** 2,
        root_b=g / root_u,
        w=1 + 4 * own**2,
        C=2 / math.sqrt(math.pi) * lam / jnp.sqrt(u1),  # E[erf(lam G) G]
        # E[erf(lam G)^2 G^2] - zeta(0, lam), half the second derivative of erf^2
        h=8 / math.pi * (lam**2 / u1) / jnp.sqrt(w1),
        x=x,
        E0=erf(x),
        E1=erf_prime(x),
        F=erf(y),
        F1=erf_prime(y) / root_w,  # the derivative of F in x
        y=y,
        z=zeta(lam * r * kappa, own),
    )


at_overlaps = checks.compiled(o=possible, lam=checks.nonnegative)
on_manifold = checks.compiled(kappa=checks.cosine, nu=checks.cosine, lam=checks.nonnegative)


@jax.jit
def terms(
    o: Overlaps, lam: Floating, task: Task, spread: Floating | None = None, power: Floating = 1.0
) -> RiskTerms:
    """Compute the six terms; ``spread`` = lam |k| and ``power`` = |v|^2 allow any norms."""
    kappa, nu, theta, eta, rho = o
    s = shorthand(kappa, lam, task, spread)
    noise = zeta_zero(lam if spread is None else spread)
    others = task.L - 1
    # eq-risk-cross: Stein's lemma in X v, then in X v*.
    cross = s.gg * (nu * s.E0 + s.A * eta * theta * s.E1 - 2 * s.b * eta * rho * s.x * s.E1)
    # eq-risk-informative: Lemma 18 for erf^2 and its first two derivatives.
    informative = (
        ((s.r * theta) ** 2 + s.gg * power) * s.z
        + 4 * s.gg * s.A * theta * rho * s.E1 * s.F
        + 2 * s.gg * s.b * rho**2 * s.E1 * (s.F1 - 2 * s.x * s.F)
    )
    return RiskTerms(
        target=s.gg,
        cross=-2 * cross,
        informative=informative,
        noise=others * (noise * power + s.h * rho**2),
        noise_pairs=others * (task.L - 2) * (s.C * rho) ** 2,
        mixed=others * 2 * s.C * rho * (s.r * theta * s.E0 + task.gamma * s.root_b * rho * s.E1),
    )


@at_overlaps
def risk_terms(o: Overlaps, lam: ArrayLike, task: Task) -> RiskTerms:
    """Compute the six terms whose sum is the excess risk of erf attention.

    The predictor is sum_l erf(lam X_l.k) X_l.v.

    Parameters
    ----------
    o : Overlaps
        The overlaps (kappa, nu, theta, eta, rho) of unit vectors, of any batch shape.
    lam : array_like
        Inverse temperature lambda >= 0.
    task : Task
        The task (d, L, gamma).

    Returns
    -------
    RiskTerms
        The terms target, cross, informative, noise, noise_pairs and mixed, of the broadcast shape.

    Examples
    --------
    >>> parts = risk_terms(Overlaps(1.0, 1.0, 0.0, 0.0, 0.0), 0.1, Task(d=400, L=10))
    >>> print(f"{parts.noise:.4f}, {sum(parts):.4f}")
    0.1124, 0.1135

    Book: {eq}`eq-risk` (Proposition 15 of the paper).
    """
    return RiskTerms(*jnp.broadcast_arrays(*terms(o, lam, task)))


@at_overlaps
def excess_risk(o: Overlaps, lam: ArrayLike, task: Task) -> jax.Array:
    """Compute the excess risk R_lam - noise^2 of erf attention at overlaps ``o``, exactly.

    The predictor is sum_l erf(lam X_l.k) X_l.v. Rounding stays below 64 eps times the sum of
    the absolute terms, unless x = lam sqrt(d/2) kappa / sqrt(1 + 2 (lam gamma)^2) is large: the
    relative error of erf'(x) is about (1 + x^2) eps.

    Parameters
    ----------
    o : Overlaps
        The overlaps (kappa, nu, theta, eta, rho) of unit vectors, of any batch shape.
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
    >>> print(f"{excess_risk(Overlaps(1.0, 1.0, 0.0, 0.0, 0.0), 0.1, Task(d=400, L=10)):.4f}")
    0.1135

    Book: {eq}`eq-risk` (Proposition 15 of the paper).
    """
    return cast(jax.Array, sum(terms(o, lam, task)))


@on_manifold
def manifold_excess_risk(kappa: ArrayLike, nu: ArrayLike, lam: ArrayLike, task: Task) -> jax.Array:
    """Compute the excess risk of erf attention on M, where theta = eta = rho = 0.

    The predictor is sum_l erf(lam X_l.k) X_l.v. The risk is a sum of nonnegative terms and is
    accurate even where it is small. If kappa >= 0, the terms are the error due to v, which is 2
    gamma^2 (1 - nu) times the expected weight of the informative token, the error due to k with v =
    v*, and the noise of the other tokens. If kappa < 0, the signs of kappa and nu are changed
    first.

    Parameters
    ----------
    kappa : array_like
        Overlap k.k*, in [-1, 1].
    nu : array_like
        Overlap v.v*, in [-1, 1].
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
    >>> print(f"{manifold_excess_risk(0.5, 0.5, 0.1, Task(d=400, L=10)):.4f}")
    0.5048

    Book: {eq}`eq-risk-manifold` (Lemma 6 of the paper).
    """
    sign = jnp.where(jnp.less(kappa, 0), -1.0, 1.0)
    signal, g = lam * jnp.sqrt(task.d / 2) * (sign * kappa), lam * task.gamma
    by_v = 2 * (1 - sign * nu) * mean_erf(signal, g)
    by_k = mean_erfc_squared(signal, g)
    return jnp.square(task.gamma) * (by_v + by_k) + (task.L - 1) * zeta_zero(lam)


def _erf_minus(y, nu):
    """Compute erf(y) - nu without cancellation, also where both are near 1 or near -1."""
    sign = jnp.where(y < 0, -1.0, 1.0)
    return jnp.where(jnp.abs(y) < 0.5, erf(y) - nu, sign * ((1 - sign * nu) - erfc(jnp.abs(y))))


@at_overlaps
def excess_risk_gradient(o: Overlaps, lam: ArrayLike, task: Task) -> Overlaps:
    """Compute the gradient of the excess risk of erf attention in the five overlaps, exactly.

    The predictor is sum_l erf(lam X_l.k) X_l.v.

    Parameters
    ----------
    o : Overlaps
        The overlaps (kappa, nu, theta, eta, rho) of unit vectors, of any batch shape.
    lam : array_like
        Inverse temperature lambda >= 0.
    task : Task
        The task (d, L, gamma).

    Returns
    -------
    Overlaps
        The partial derivatives in kappa, nu, theta, eta and rho.

    Examples
    --------
    >>> g = excess_risk_gradient(Overlaps(1.0, 1.0, 0.0, 0.0, 0.0), 0.1, Task(d=400, L=10))
    >>> print(f"{g.nu:.4f}")
    -0.9534

    Book: {eq}`eq-risk-gradient`.
    """
    kappa, nu, theta, eta, rho = o
    s = shorthand(kappa, lam, task)
    others = task.L - 1
    gamma_b = task.gamma * s.root_b
    EF, xE = s.E1 * s.F, s.x * s.E1
    bend = s.E1 * (s.F1 - 2 * s.x * s.F)
    by_kappa = (
        2 * s.gg * s.E1 * _erf_minus(s.y, nu)
        + 2 * (s.r * theta) ** 2 * EF
        + 4 * s.gg * s.A * theta * (eta * xE + rho * bend)
        + 4 * s.gg * s.b * eta * rho * (s.E1 - 2 * s.x * xE)
        - 4 * s.gg * s.b * rho**2 * (EF + s.x * (bend + (1 + 1 / s.w) * s.E1 * s.F1))
        + 2 * others * s.C * rho * (s.r * theta * s.E1 - 2 * gamma_b * rho * xE)
    )
    by_theta = (
        -2 * s.gg * s.A * eta * s.E1
        + 2 * s.r**2 * theta * s.z
        + 4 * s.gg * s.A * rho * EF
        + 2 * others * s.C * s.r * rho * s.E0
    )
    by_rho = (
        4 * s.gg * s.b * (eta * xE + rho * bend)
        + 4 * s.gg * s.A * theta * EF
        + 2 * others * rho * (s.h + (task.L - 2) * s.C**2)
        + 2 * others * s.C * (s.r * theta * s.E0 + 2 * gamma_b * rho * s.E1)
    )
    return Overlaps(
        kappa=s.A * by_kappa,
        nu=-2 * s.gg * s.E0,
        theta=by_theta,
        eta=s.gg * (4 * s.b * rho * xE - 2 * s.A * theta * s.E1),
        rho=by_rho,
    )


@checks.compiled(lam=checks.positive)
def minimizer_entries(lam: ArrayLike, task: Task) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Compute a, b, c of the Hessian [[a, b], [b, c]] across M at (k*, v*).

    Book: {eq}`eq-transverse` (not in the paper).
    """
    s = shorthand(jnp.ones_like(lam), lam, task)
    (own_a, own_b, own_c), scale = of_informative_token(s, lam), s.gg * s.E1
    noise, both = noise_in_rho(s, task), 2 * (task.L - 1) * s.C * s.r * s.E0
    return scale * own_a + noise, scale * own_b + noise + both, own_c + noise + 2 * both


def noise_in_rho(s, task):
    """Compute the contribution of the other tokens to the second derivative in rho at theta = 0."""
    by_two = 2 * (s.h + (task.L - 2) * s.C**2) + 4 * s.C * task.gamma * s.root_b * s.E1
    return (task.L - 1) * by_two


def of_informative_token(s, lam):
    """Compute the contribution of the informative token to a and b, over a common factor, and c.

    The contribution to a is a sum of positive terms: 2 er + rr - g_kappa without cancellation.
    """
    missed, inverse_u = erfc(s.y), (s.A / (lam * s.r)) ** 2
    own_a = 2 * s.x * (1 + 4 * s.b) * missed + 4 * s.b * s.F1
    own_b = 2 * s.x * inverse_u * (2 * s.F - 1) + 4 * s.b * s.F1
    by_rho = 8 * s.A * s.F + 4 * s.b * (s.F1 - 2 * s.x * s.F)
    return own_a, own_b, 2 * s.r**2 * s.z + s.gg * (s.E1 * by_rho + 2 * s.E0)


@checks.compiled(lam=checks.positive)
def stability_limit(lam: ArrayLike, task: Task) -> jax.Array:
    """Compute 2 / curvature, above which PGD with a constant step size oscillates at (k*, v*).

    The curvature is the largest eigenvalue of the Hessian of the excess risk at (k*, v*) on the
    product of the two spheres.

    Book: {eq}`eq-transverse` and {eq}`eq-edge` (not in the paper).
    """
    a, b, c = minimizer_entries(lam, task)
    return 2 / ((a + c) / 2 + jnp.hypot((a - c) / 2, b))

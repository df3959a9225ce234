"""Stability of M: what a step does to a small theta, eta, rho, and where M starts to repel."""

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.landscape.manifold import local_slopes
from slrlib.landscape.tools import at_lam, first_crossing, matrix, plain
from slrlib.overlaps import Overlaps, check_overlaps
from slrlib.risk import excess_risk_gradient
from slrlib.risk.closed import checked, shorthand
from slrlib.task import Task


def _second(kappa, lam, task):
    """The second derivatives of the risk in (theta, eta, rho) on M; they do not depend on nu."""
    s, others = shorthand(kappa, lam, task), task.L - 1
    theta_eta = -2 * s.gg * s.A * s.E1
    theta_rho = 4 * s.gg * s.A * s.E1 * s.F + 2 * others * s.C * s.r * s.E0
    eta_rho = 4 * s.gg * s.b * s.x * s.E1
    noise = 2 * (s.h + (task.L - 2) * s.C**2) + 4 * s.C * task.gamma * s.root_b * s.E1
    rho_rho = 4 * s.gg * s.b * s.E1 * (s.F1 - 2 * s.x * s.F) + others * noise
    return 2 * s.r**2 * s.z, theta_eta, theta_rho, eta_rho, rho_rho


def _cosine(name, kappa):
    """The door of one overlap on M."""
    return check_overlaps(Overlaps(kappa, 0.0, 0.0, 0.0, 0.0)).kappa


_at_kappa = checks.compiled(kappa=_cosine, lam=checks.nonnegative)


@_at_kappa
def transverse_hessian(kappa: ArrayLike, lam: ArrayLike, task: Task) -> jax.Array:
    """The second derivatives (..., 3, 3) of the risk in (theta, eta, rho), at any point of M.

    Book: {eq}`eq-transverse` (not in the paper).
    """
    tt, te, tr, er, rr = _second(kappa, lam, task)
    return matrix([[tt, te, tr], [te, jnp.zeros_like(te), er], [tr, er, rr]])


def transverse_block(
    kappa: ArrayLike, nu: ArrayLike, lam: ArrayLike, task: Task, alpha: ArrayLike
) -> jax.Array:
    """The matrix (..., 3, 3) by which a PGD step multiplies a small (theta, eta, rho) on M.

    Book: {eq}`eq-transverse` (not in the paper).
    """
    alpha = checks.nonnegative("alpha", alpha)
    o, lam = checked(Overlaps(kappa, nu, 0.0, 0.0, 0.0), lam, task)
    return _step_across(o, lam, task, alpha)


@jax.jit
def _step_across(o, lam, task, alpha):
    kappa, nu, *_ = o
    slope = excess_risk_gradient(o, lam, task)
    by_k, by_v = alpha * slope.kappa, alpha * slope.nu
    stretch_k, stretch_v = 1 + by_k * kappa, 1 + by_v * nu
    k_flat, v_flat = (1 - kappa) * (1 + kappa), (1 - nu) * (1 + nu)
    n_k, n_v = jnp.sqrt(1 + by_k**2 * k_flat), jnp.sqrt(1 + by_v**2 * v_flat)
    new_kappa, new_nu = (kappa - by_k * k_flat) / n_k, (nu - by_v * v_flat) / n_v
    zero, n = jnp.zeros_like(n_k * n_v), n_k * n_v
    moved = matrix(
        [
            [stretch_v / n_v, zero, zero],
            [zero, stretch_k / n_k, zero],
            [-stretch_v * by_k / n, -stretch_k * by_v / n, stretch_k * stretch_v / n],
        ]
    )
    pushed = matrix(
        [
            [1 / n_v, zero, kappa / n_v],
            [zero, 1 / n_k, nu / n_k],
            [new_kappa / n_v, new_nu / n_k, 2 / n],
        ]
    )
    return moved - alpha * jnp.matmul(pushed, transverse_hessian(kappa, lam, task))


@at_lam
def minimiser_entries(lam: ArrayLike, task: Task) -> tuple[jax.Array, jax.Array, jax.Array]:
    """(a, b, c) of the Hessian [[a, b], [b, c]] across M at (k*, v*), see ``minimiser_hessian``.

    Book: {eq}`eq-transverse` (not in the paper).
    """
    tt, te, tr, er, rr = _second(jnp.ones_like(lam), lam, task)
    by_kappa, by_nu = local_slopes(lam, task)
    both = te + er + tr + rr
    return 2 * er + rr - by_kappa, both, tt + 2 * tr + rr - by_nu


@at_lam
def minimiser_hessian(lam: ArrayLike, task: Task) -> jax.Array:
    """The Hessian (..., 2, 2) across M at (k*, v*), in (eta, theta); there rho = eta + theta.

    Book: {eq}`eq-transverse` (not in the paper).
    """
    a, b, c = minimiser_entries(lam, task)
    return matrix([[a, b], [b, c]])


@checks.compiled()
def lambda_c(task: Task) -> jax.Array:
    """Above this lam, M repels near (k*, v*): closed form, but for terms exp(-lam^2 d / w).

    It tends to sqrt(3) / 2 as d grows, and is infinite if (L - 1) gamma^2 >= d / 2 + gamma^2.

    Book: {eq}`eq-lambda-c` (not in the paper).
    """
    gg = jnp.square(task.gamma)
    room = 1 - (task.L - 1) * gg / (task.d / 2 + gg)
    finite = room > 0
    root = jnp.sqrt((2 / jnp.where(finite, room, 1.0)) ** 2 - 1)
    return jnp.where(finite, root / 2, jnp.inf)


def lambda_c_exact(task: Task, highest: float = 20.0) -> float:
    """The first lam at which (k*, v*) is no minimum, infinity if there is none up to ``highest``.

    A root of the determinant of ``minimiser_hessian``, found on plain numbers (not traceable).

    Book: {eq}`eq-lambda-c` (not in the paper).
    """
    task = plain(task)
    return first_crossing(_determinant, task, 0.1 / task.d**0.5, highest)


def _determinant(lam, task):
    return jnp.linalg.det(minimiser_hessian(lam, task))


@_at_kappa
def edge_hessian(kappa: ArrayLike, lam: ArrayLike, task: Task) -> jax.Array:
    """The Hessian (..., 3, 3) across M at nu = 1, in (dk.v*, dv.k*, dv.e), e the rest of k.

    Book: {eq}`eq-edge` (not in the paper).
    """
    tt, te, tr, er, rr = _second(kappa, lam, task)
    slope = excess_risk_gradient(Overlaps(kappa, 1.0, 0.0, 0.0, 0.0), lam, task)
    rest = jnp.sqrt((1 - kappa) * (1 + kappa))
    # rho moves by q = (1, kappa, rest); turning k and v shortens kappa and nu at second order.
    k_theta = te + tr + kappa * er + kappa * rr
    k_rest = rest * (er + rr)
    theta_rest = rest * (tr + kappa * rr)
    return matrix(
        [
            [2 * er + rr - kappa * slope.kappa, k_theta, k_rest],
            [k_theta, tt + 2 * kappa * tr + kappa**2 * rr - slope.nu, theta_rest],
            [k_rest, theta_rest, rest**2 * rr - slope.nu],
        ]
    )


@_at_kappa
def edge_of_stability(kappa: ArrayLike, lam: ArrayLike, task: Task) -> jax.Array:
    """h_max, the largest curvature across M on the plateau nu = 1: PGD stays if alpha h_max < 2.

    Book: {eq}`eq-edge` (not in the paper).
    """
    return jnp.linalg.eigvalsh(edge_hessian(kappa, lam, task))[..., -1]

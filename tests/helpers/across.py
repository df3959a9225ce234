"""The effect of a PGD step on small theta, eta, rho near M, which the package does not compute."""

import jax
import jax.numpy as jnp

from slrlib.landscape.swapped import second_derivatives
from slrlib.landscape.tools import matrix
from slrlib.overlaps import Overlaps
from slrlib.risk import excess_risk_gradient


@jax.jit
def transverse_hessian(kappa, lam, task):
    """The second derivatives (..., 3, 3) of the risk in (theta, eta, rho), at any point of M."""
    tt, te, tr, er, rr = second_derivatives(kappa, lam, task)
    return matrix([[tt, te, tr], [te, jnp.zeros_like(te), er], [tr, er, rr]])


@jax.jit
def transverse_block(kappa, nu, lam, task, alpha):
    """The matrix (..., 3, 3) by which a PGD step multiplies a small (theta, eta, rho) on M."""
    slope = excess_risk_gradient(Overlaps(kappa, nu, 0.0, 0.0, 0.0), lam, task)
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
    pushes = [1 / n_v, zero, kappa / n_v], [zero, 1 / n_k, nu / n_k]
    pushed = matrix([*pushes, [new_kappa / n_v, new_nu / n_k, 2 / n]])
    alpha = jnp.expand_dims(alpha, (-2, -1)) if jnp.ndim(alpha) else alpha
    return moved - alpha * jnp.matmul(pushed, transverse_hessian(kappa, lam, task))

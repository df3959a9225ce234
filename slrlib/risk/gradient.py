"""The gradient of the excess risk in the five overlaps, as a closed form."""

from __future__ import annotations

import jax.numpy as jnp
from jax.typing import ArrayLike

from slrlib.overlaps import Overlaps
from slrlib.risk.closed import at_overlaps, shorthand
from slrlib.special import erf, erfc
from slrlib.task import Task


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

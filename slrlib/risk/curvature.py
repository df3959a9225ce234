"""Curvature of the risk at (k*, v*), and the step sizes that are stable there."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.risk.closed import shorthand
from slrlib.special import erfc
from slrlib.task import Task


@checks.compiled(lam=checks.positive)
def minimiser_entries(lam: ArrayLike, task: Task) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Compute a, b, c of the Hessian [[a, b], [b, c]] across M at (k*, v*).

    Book: {eq}`eq-transverse` (not in the paper).
    """
    s, others = shorthand(jnp.ones_like(lam), lam, task), task.L - 1
    (own_a, own_b, own_c), scale = of_informative_token(s, lam, task), s.gg * s.E1
    noise = 2 * (s.h + (task.L - 2) * s.C**2) + 4 * s.C * task.gamma * s.root_b * s.E1
    noise, both = others * noise, 2 * others * s.C * s.r * s.E0
    return scale * own_a + noise, scale * own_b + noise + both, own_c + noise + 2 * both


def of_informative_token(s, lam, task):
    """Compute the part of the informative token in a and b, over their common factor, and in c.

    Its part of a is a sum of positive terms: 2 er + rr - g_kappa without cancellation.
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
    a, b, c = minimiser_entries(lam, task)
    return 2 / ((a + c) / 2 + jnp.hypot((a - c) / 2, b))


def suggested_alpha(task: Task, lam: ArrayLike) -> jax.Array:
    """Suggest a step size for PGD at ``lam``: half of the stable limit 2 / curvature.

    The curvature is the largest eigenvalue of the Hessian at (k*, v*). On the plateau nu = 1 no
    curvature is larger if gamma <= sqrt(d / 2) / 2; for wider tokens it can be some 13% larger,
    which the factor of one half covers. For a run with a schedule, take the smallest value over
    its lam. Inside ``jit`` no value is checked.

    Parameters
    ----------
    task : Task
        The task; its numbers may be arrays.
    lam : array_like
        Inverse temperature lambda > 0, of any shape that broadcasts with the task.

    Returns
    -------
    jax.Array
        The step size alpha, of the broadcast shape.

    Examples
    --------
    >>> print(f"{suggested_alpha(Task(d=400, L=10), 0.1):.4f}")
    0.0024

    Book: {eq}`eq-edge` (not in the paper).
    """
    return stability_limit(lam, task) / 2

"""The tilted minimum: above lambda_c, k and v both lean on v*.

A stationary point lies in the span of k*, v*, k, v, so the search runs on S^3 x S^3 for any d.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.landscape import newton
from slrlib.landscape.tools import plain
from slrlib.landscape.transverse import lambda_c_exact
from slrlib.overlaps import Overlaps
from slrlib.risk import excess_risk, excess_risk_gradient
from slrlib.task import Task


def overlaps_at(x: jax.Array) -> Overlaps:
    """The overlaps of (k, v) = ``x``, of shape (2, 4), on axes that begin with k* and v*."""
    k, v = x
    return Overlaps(k[0], v[1], v[0], k[1], jnp.dot(k, v))


def energy(x: jax.Array, _: object, given: tuple) -> tuple[jax.Array, jax.Array]:
    """The excess risk of (k, v) = ``x`` and its gradient in R^4 x R^4, not yet tangent."""
    o, (k, v) = overlaps_at(x), x
    g = excess_risk_gradient(o, *given)
    first, second = jnp.eye(4, dtype=x.dtype)[:2]
    by_k = g.kappa * first + g.eta * second + g.rho * v
    by_v = g.theta * first + g.nu * second + g.rho * k
    return excess_risk(o, *given), jnp.stack([by_k, by_v])


# k and v at lam = 1, d = 400, L = 10: both in the plane of k* and v*.
_GUESS = np.array([[0.2426, -0.9701, 0.0, 0.0], [0.3422, 0.9396, 0.0, 0.0]])
_GUESS /= np.linalg.norm(_GUESS, axis=1, keepdims=True)


@checks.in_double
def tilted_overlaps(lam: ArrayLike, task: Task) -> Overlaps:
    """Find the tilted minimum, the end of most runs at a constant lambda > lambda_c.

    There k and v both lean on v*: |nu| and |eta| are near 1, and kappa is small. The search is a
    descent from the tilted minimum of another task, in double precision whatever is set.

    Parameters
    ----------
    lam : float
        Inverse temperature, above ``lambda_c_exact(task)``; one plain number.
    task : Task
        The task, of plain numbers (not arrays, not traced); d, L and gamma enter.

    Returns
    -------
    Overlaps
        The overlaps (kappa, nu, theta, eta, rho) of the minimum.

    Examples
    --------
    >>> o = tilted_overlaps(1.0, Task(d=400, L=10))
    >>> round(float(o.nu), 3), round(float(o.eta), 3)
    (0.94, -0.97)

    Book: {eq}`eq-lambda-c` (not in the paper).
    """
    task = plain(task)
    lam = checks.one_positive("lam", lam)
    least = lambda_c_exact(task)
    if lam <= least:
        raise ValueError(f"lam must be above lambda_c={least:.6g}, got {lam}")
    x, *_ = newton.minimised(energy, _GUESS[None], None, (lam, task), batch=1)
    return _found(x[0])


_found = jax.jit(overlaps_at)

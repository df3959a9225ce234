"""Projected gradient descent. On the manifold M it maps two numbers to two numbers."""

import jax.numpy as jnp

from slrlib import _door
from slrlib.overlaps import Overlaps, check_overlaps
from slrlib.risk import excess_risk_gradient


def _sphere_coordinate(x, slope, alpha):
    """Move x = cos(angle) against ``slope`` on the sphere: the tangent step, then back."""
    tangent = (1 - x) * (1 + x) * slope
    return (x - alpha * tangent) / jnp.sqrt(1 + alpha**2 * tangent * slope)


def manifold_step(kappa, nu, lam, task, alpha):
    """One PGD step on M: (kappa, nu) to (kappa', nu').

    Book: {eq}`eq-manifold-map` (Lemma 7 of the paper).
    """
    _door.task(task)
    alpha = _door.nonnegative("alpha", alpha)
    o = check_overlaps(Overlaps(kappa, nu, 0.0, 0.0, 0.0))
    slope = excess_risk_gradient(o, lam, task)
    return (
        _sphere_coordinate(o.kappa, slope.kappa, alpha),
        _sphere_coordinate(o.nu, slope.nu, alpha),
    )

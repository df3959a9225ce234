"""More about the saddle kappa = nu = 0 of M than the package offers."""

import jax.numpy as jnp

from slrlib.landscape.points import rates, saddle
from slrlib.special import zeta_zero


def saddle_direction(lam, task):
    """kappa / nu along the direction in which M's saddle is left ({eq}`eq-saddle`)."""
    a, beta = saddle(jnp.asarray(lam), task)
    return beta / (a - rates(a, beta)[0])


def transverse_saddle_rates(lam, task):
    """(h_minus, h_plus) in (theta, eta) at M's saddle, which its neighbors leave by them."""
    _, beta = saddle(jnp.asarray(lam), task)
    return rates(task.d * zeta_zero(lam * task.gamma), beta)

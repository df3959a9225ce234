"""More about the saddle kappa = nu = 0 of M than the package offers."""

import jax.numpy as jnp

from slrlib.landscape.points import rates, saddle
from slrlib.special import zeta_zero


def saddle_direction(lam, task):
    """kappa / nu along the unstable direction of M's saddle ({eq}`eq-saddle`)."""
    a, beta = saddle(jnp.asarray(lam), task)
    return beta / (a - rates(a, beta)[0])


def transverse_saddle_rates(lam, task):
    """(h_minus, h_plus): the escape rates from M's saddle in (theta, eta)."""
    _, beta = saddle(jnp.asarray(lam), task)
    return rates(task.d * zeta_zero(lam * task.gamma), beta)

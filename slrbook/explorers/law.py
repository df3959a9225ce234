"""The distribution of a token, given by three numbers, and the weight of one token."""

import jax.numpy as jnp

from slrlib.predictors import erf_weights
from slrlib.risk import oracle_excess_risk
from slrlib.task import Task


def token(along_k, along_v, rest, informative, gamma, d):
    """Return (X.k*, X.v*, |X|) of a token; ``informative`` is 1 or 0.

    ``along_k`` and ``along_v`` are standard normal, ``rest`` is chi-square with d - 2 degrees of
    freedom.

    Book: {eq}`eq-slr-law` (section 2 of the paper).
    """
    spread = informative * gamma + (1.0 - informative)
    s = informative * jnp.sqrt(d / 2) + spread * along_k
    t = spread * along_v
    return s, t, jnp.sqrt(s**2 + t**2 + spread**2 * rest)


def tilt(score, highest, lam):
    """Return exp(lam score) up to a common factor: softmax weights before normalization.

    Book: {eq}`eq-softmax` (equation (2) of the paper).
    """
    return jnp.exp(lam * (score - highest))


def erf_weight(score, lam):
    """Return the weight that erf attention gives to one token.

    Book: {eq}`eq-erf` (equation (3) of the paper).
    """
    return erf_weights(score[None], lam)[0]


def oracle(lam, d, L, gamma):
    """Return the excess risk of erf attention at the teacher."""
    return oracle_excess_risk(lam, Task(d=d, L=L, gamma=gamma))

"""Gaussian means of erf, its square and its derivatives, each as a closed form.

Throughout u = 1 + 2 gamma^2, w = 1 + 4 gamma^2, a = 1/sqrt(w), x = t/sqrt(u), y = x/sqrt(w) and
G is a standard normal number. Everything that is not elementary is one integral of

    q(s) = (4/pi) exp(-x^2 (1 + s^2)) / (1 + s^2),

which is positive: over [0, a] it gives 1 - E[erf^2] (Owen's T function), over [a, 1] the variance
of erf, over [0, 1] it is 1 - erf(x)^2. Sums of positive parts lose no digits to cancellation.
"""

# What is not in __all__ is for the other modules: two functions of JAX, and one of ours.
from __future__ import annotations

from jax.scipy.special import erf as erf
from jax.scipy.special import erfc as erfc

from slrlib.special.means import (
    erf_prime,
    erf_second,
    mean_erf,
    mean_erf_erf_prime,
    mean_erf_erf_second,
    mean_erf_prime,
    mean_erf_prime_squared,
    mean_erf_second,
)
from slrlib.special.zeta import mean_erfc_squared, one_minus_zeta, zeta, zeta_zero
from slrlib.special.zeta import variance_erf as variance_erf

__all__ = [
    "erf_prime",
    "erf_second",
    "mean_erf",
    "mean_erf_erf_prime",
    "mean_erf_erf_second",
    "mean_erf_prime",
    "mean_erf_prime_squared",
    "mean_erf_second",
    "mean_erfc_squared",
    "one_minus_zeta",
    "zeta",
    "zeta_zero",
]

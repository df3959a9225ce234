"""Gaussian expectations of erf, of its square and of its derivatives, in closed form.

Everywhere u = 1 + 2 gamma^2, w = 1 + 4 gamma^2, a = 1/sqrt(w), x = t/sqrt(u), y = x/sqrt(w), and
G is a standard normal variable. All functions that are not elementary are integrals of

    q(s) = (4/pi) exp(-x^2 (1 + s^2)) / (1 + s^2).

Its integral over [0, a] is 1 - E[erf^2] (Owen's T function), over [a, 1] the variance of erf, and
over [0, 1] 1 - erf(x)^2. Because q is positive, sums of these integrals do not cancel.
"""

# Names that are not in __all__ are for the other modules of slrlib.
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

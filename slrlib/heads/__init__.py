"""Several heads of erf attention on several locations: predictor, exact risk, descent, minima.

Head h has its own k_h and v_h, location i its own pair (k_i*, v_i*). ``K`` and ``V`` have H rows,
one head per row; ``teachers`` holds two arrays of m rows. The prediction is the sum over the heads.
With H = m = 1 this is the task of the rest of slrlib.

Book: {doc}`notation` (symbols, names in code, units).
"""

from __future__ import annotations

from slrlib.heads.minima import best_lam, minima, minima_below
from slrlib.heads.risk import excess_risk, oracle_excess_risk
from slrlib.heads.sgd import predict, sample

__all__ = [
    "best_lam",
    "excess_risk",
    "minima",
    "minima_below",
    "oracle_excess_risk",
    "predict",
    "sample",
]

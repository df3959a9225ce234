"""The shape of the risk: on M, across M, at the swapped pair, and at the tilted one."""

from __future__ import annotations

from slrlib.landscape.bounds import (
    arrival_bound,
    best_excess_bounds,
    dividing_nu,
    mirror_step_size,
    plateau_bounds,
    schedule_arrival_bound,
    swap_probability,
    swapped_curvature_at_infinity,
    swapped_lower_until,
    threshold_margins,
)
from slrlib.landscape.points import (
    best_lam,
    certified_step,
    explicit_lam,
    local_slopes,
    manifold_hessian,
    saddle_rates,
)
from slrlib.landscape.states import BASINS, STATES, basin, basins_of, state
from slrlib.landscape.swapped import (
    edge_of_stability,
    lambda_c,
    lambda_c_exact,
    lambda_clip,
    lambda_eq,
    lambda_sw,
    minimiser_hessian,
    swapped_excess_risk,
    swapped_overlaps,
)
from slrlib.landscape.tilted import tilted_overlaps
from slrlib.risk.closed import suggested_alpha

__all__ = [
    "BASINS",
    "STATES",
    "arrival_bound",
    "basin",
    "basins_of",
    "best_excess_bounds",
    "best_lam",
    "certified_step",
    "dividing_nu",
    "edge_of_stability",
    "explicit_lam",
    "lambda_c",
    "lambda_c_exact",
    "lambda_clip",
    "lambda_eq",
    "lambda_sw",
    "local_slopes",
    "manifold_hessian",
    "minimiser_hessian",
    "mirror_step_size",
    "plateau_bounds",
    "saddle_rates",
    "schedule_arrival_bound",
    "state",
    "suggested_alpha",
    "swap_probability",
    "swapped_curvature_at_infinity",
    "swapped_excess_risk",
    "swapped_lower_until",
    "swapped_overlaps",
    "threshold_margins",
    "tilted_overlaps",
]

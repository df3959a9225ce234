"""Excess risk: of attention as a function of the five overlaps, and of reference predictors."""

from __future__ import annotations

from slrlib.risk.activations import activation_excess_risk
from slrlib.risk.bayes import bayes_excess_risk
from slrlib.risk.closed import (
    RiskTerms,
    excess_risk,
    manifold_excess_risk,
    risk_terms,
)
from slrlib.risk.confusion import bayes_log_ceiling, bayes_log_gap
from slrlib.risk.erf_class import erf_floor
from slrlib.risk.gradient import excess_risk_gradient
from slrlib.risk.lengths import excess_risk_of
from slrlib.risk.linear import linear_rule_excess_risk
from slrlib.risk.magnitude import norm_only_hit_rate
from slrlib.risk.other_attention import (
    linear_pair_excess_risk,
    two_token_softmax_excess_risk,
)
from slrlib.risk.reference import (
    argmax_excess_risk,
    best_linear_attention,
    linear_attention_excess_risk,
    linear_excess_risk,
    null_excess_risk,
    oracle_excess_risk,
)
from slrlib.risk.simulated import monte_carlo_risk
from slrlib.risk.softmax import exact_softmax_excess_risk
from slrlib.risk.threshold import threshold_excess_risk

__all__ = [
    "RiskTerms",
    "activation_excess_risk",
    "argmax_excess_risk",
    "bayes_excess_risk",
    "bayes_log_ceiling",
    "bayes_log_gap",
    "best_linear_attention",
    "erf_floor",
    "exact_softmax_excess_risk",
    "excess_risk",
    "excess_risk_gradient",
    "excess_risk_of",
    "linear_attention_excess_risk",
    "linear_excess_risk",
    "linear_pair_excess_risk",
    "linear_rule_excess_risk",
    "manifold_excess_risk",
    "monte_carlo_risk",
    "norm_only_hit_rate",
    "null_excess_risk",
    "oracle_excess_risk",
    "risk_terms",
    "threshold_excess_risk",
    "two_token_softmax_excess_risk",
]

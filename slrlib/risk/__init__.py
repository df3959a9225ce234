"""Excess risk: of attention as a function of the five overlaps, and of reference predictors."""

from __future__ import annotations

from slrlib.risk.activations import activation_excess_risk, exact_softmax_excess_risk
from slrlib.risk.bayes import bayes_excess_risk, bayes_log_ceiling, bayes_log_gap, monte_carlo_risk
from slrlib.risk.closed import (
    RiskTerms,
    excess_risk,
    excess_risk_gradient,
    manifold_excess_risk,
    risk_terms,
)
from slrlib.risk.reference import (
    argmax_excess_risk,
    best_linear_attention,
    erf_floor,
    excess_risk_of,
    linear_attention_excess_risk,
    linear_excess_risk,
    linear_pair_excess_risk,
    linear_rule_excess_risk,
    norm_only_hit_rate,
    null_excess_risk,
    oracle_excess_risk,
    threshold_excess_risk,
    two_token_softmax_excess_risk,
)

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

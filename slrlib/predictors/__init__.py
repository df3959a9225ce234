"""Predictors of the label: linear ones, attention, and the Bayes predictor."""

from __future__ import annotations

from slrlib.predictors.attention import (
    argmax_attention,
    erf_attention,
    linear_attention,
    softmax_attention,
)
from slrlib.predictors.exact import bayes, bayes_weights
from slrlib.predictors.fitted import group_lasso, lasso, least_squares
from slrlib.predictors.layer import cls_attention, cls_weights, matrices_of
from slrlib.predictors.regression import best_linear, linear
from slrlib.predictors.weights import (
    argmax_weights,
    erf_weights,
    linear_weights,
    softmax_weights,
)

__all__ = [
    "argmax_attention",
    "argmax_weights",
    "bayes",
    "bayes_weights",
    "best_linear",
    "cls_attention",
    "cls_weights",
    "erf_attention",
    "erf_weights",
    "group_lasso",
    "lasso",
    "least_squares",
    "linear",
    "linear_attention",
    "linear_weights",
    "matrices_of",
    "softmax_attention",
    "softmax_weights",
]

"""The Transformer layer of the paper's experiments, in a plain and a fast form; its training."""

from __future__ import annotations

from slrlib.transformer.floor import risk_floor
from slrlib.transformer.layer import (
    predict,
    predict_register,
    random_layer,
    random_register,
    score_direction,
)
from slrlib.transformer.training import advance_training, sharpness, start_training

__all__ = [
    "advance_training",
    "predict",
    "predict_register",
    "random_layer",
    "random_register",
    "risk_floor",
    "score_direction",
    "sharpness",
    "start_training",
]

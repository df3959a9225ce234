"""The Transformer layer of the paper's experiments, in a plain and a fast form; its training."""

from __future__ import annotations

from slrlib.transformer.fast import predict_register, score_direction
from slrlib.transformer.floor import risk_floor
from slrlib.transformer.layer import predict, random_layer, random_register
from slrlib.transformer.sharpness import sharpness
from slrlib.transformer.start import start_training
from slrlib.transformer.training import advance_training

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

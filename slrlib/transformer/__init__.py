"""The Transformer layer of the paper's experiments, plain and fast, and how it is trained."""

from slrlib.transformer.alignments import (
    key_alignment_cap,
    rank_ratio,
    value_alignment_cap,
)
from slrlib.transformer.fast import predict_register, score_direction
from slrlib.transformer.floor import joint_risk_floor, risk_floor
from slrlib.transformer.layer import (
    Layer,
    attend,
    layer_norm,
    predict,
    random_layer,
    random_register,
    transform,
)
from slrlib.transformer.sharpness import sharpness
from slrlib.transformer.start import Training, start_training
from slrlib.transformer.training import TrainingRow, advance_training

__all__ = [
    "Layer",
    "Training",
    "TrainingRow",
    "advance_training",
    "attend",
    "joint_risk_floor",
    "key_alignment_cap",
    "layer_norm",
    "predict",
    "predict_register",
    "random_layer",
    "random_register",
    "rank_ratio",
    "risk_floor",
    "score_direction",
    "sharpness",
    "start_training",
    "transform",
    "value_alignment_cap",
]

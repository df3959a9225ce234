"""The Transformer layer of the paper's experiments, plain and fast, and how it is trained."""

from slrlib.transformer.alignments import (
    key_alignment_cap,
    key_direction,
    rank_ratio,
    value_alignment_cap,
    value_direction,
)
from slrlib.transformer.fast import predict_register, score_direction
from slrlib.transformer.floor import joint_risk_floor, risk_floor
from slrlib.transformer.layer import (
    ORIENTATIONS,
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
    "ORIENTATIONS",
    "Layer",
    "Training",
    "TrainingRow",
    "advance_training",
    "attend",
    "joint_risk_floor",
    "key_alignment_cap",
    "key_direction",
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
    "value_direction",
]

"""A training run that takes a second: two heads, a few steps."""

from slrlib import Task
from slrlib.experiments.training import LayerTraining

TINY = LayerTraining(
    "tiny",
    Task(12, 4),
    learning_rate=0.02,
    steps=60,
    log_every=10,
    early=(20, 5),
    repetitions=6,
    heads=2,
    locations=2,
    width=8,
    batch=8,
    test_points=32,
)

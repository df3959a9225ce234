"""Gradient descent on the pair (k, v): steps, schedules and whole runs, in five overlaps."""

from slrlib.dynamics.chain import sgd_step
from slrlib.dynamics.manifold import inverse_manifold_step, manifold_angle_step, manifold_step
from slrlib.dynamics.run import Run, Trajectory, advance, pgd, sgd, start, start_sgd
from slrlib.dynamics.schedules import Held, InverseDecay, constant, held, inverse_decay
from slrlib.dynamics.steps import pgd_step
from slrlib.dynamics.vectors import pgd_vector_step, sgd_vector_step

__all__ = [
    "Held",
    "InverseDecay",
    "Run",
    "Trajectory",
    "advance",
    "constant",
    "held",
    "inverse_decay",
    "inverse_manifold_step",
    "manifold_angle_step",
    "manifold_step",
    "pgd",
    "pgd_step",
    "pgd_vector_step",
    "sgd",
    "sgd_step",
    "sgd_vector_step",
    "start",
    "start_sgd",
]

"""Gradient descent on the pair (k, v): steps, schedules and whole runs, in five overlaps."""

from __future__ import annotations

from slrlib.dynamics.run import advance, pgd, sgd, start
from slrlib.dynamics.schedules import constant, held, inverse_decay
from slrlib.dynamics.steps import inverse_manifold_step, manifold_step, pgd_step

__all__ = [
    "advance",
    "constant",
    "held",
    "inverse_decay",
    "inverse_manifold_step",
    "manifold_step",
    "pgd",
    "pgd_step",
    "sgd",
    "start",
]

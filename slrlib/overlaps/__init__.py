"""The five overlaps of vectors (k, v) with a teacher (k*, v*), and an orthonormal frame for them.

The risk and the dynamics depend on k, v, k* and v* only through these five numbers. The dimension d
enters only random starts, as the number of degrees of freedom of a chi-square.
"""

from __future__ import annotations

from slrlib.overlaps.five import (
    ORACLE,
    Overlaps,
    distance_to_manifold,
    is_feasible,
    overlaps_of,
)
from slrlib.overlaps.frame import Frame, from_frame, to_frame, vectors_of
from slrlib.overlaps.starts import random_overlaps

__all__ = [
    "ORACLE",
    "Frame",
    "Overlaps",
    "distance_to_manifold",
    "from_frame",
    "is_feasible",
    "overlaps_of",
    "random_overlaps",
    "to_frame",
    "vectors_of",
]

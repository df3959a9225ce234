"""slrlib: single-location regression, exactly. Importing it changes no setting, makes no array."""

from slrlib.overlaps import Overlaps
from slrlib.task import Task, Teacher

__all__ = ["Overlaps", "Task", "Teacher"]

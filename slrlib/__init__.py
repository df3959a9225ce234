"""slrlib: single-location regression, exactly. Importing it changes no setting, makes no array."""

from importlib.metadata import version

from slrlib.overlaps import Overlaps
from slrlib.task import Task, Teacher

__version__ = version("slrlib")
__all__ = ["Overlaps", "Task", "Teacher"]

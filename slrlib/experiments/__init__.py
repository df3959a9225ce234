"""One experiment a figure of the paper, and ``run``, which recomputes it at full scale."""

from slrlib.experiments.curves import Compared, Mapped
from slrlib.experiments.descent import Descended
from slrlib.experiments.hiding import Hidden, Hiding
from slrlib.experiments.inside import Controlled, Controlling, Heads, Plane, Planes
from slrlib.experiments.kinds import Comparison, Descent, Experiment, Field, LayerTraining
from slrlib.experiments.language import Drawing, Drawn, Probed, Probing
from slrlib.experiments.looking import Attending, Flipped, Flipping
from slrlib.experiments.paper import PAPER, run
from slrlib.experiments.several import Separated, Separation
from slrlib.experiments.tables import Counting, Counts, Listed, Listing
from slrlib.experiments.training import Trained

__all__ = [
    "PAPER",
    "Attending",
    "Compared",
    "Comparison",
    "Controlled",
    "Controlling",
    "Counting",
    "Counts",
    "Descended",
    "Descent",
    "Drawing",
    "Drawn",
    "Experiment",
    "Field",
    "Flipped",
    "Flipping",
    "Heads",
    "Hidden",
    "Hiding",
    "LayerTraining",
    "Listed",
    "Listing",
    "Mapped",
    "Plane",
    "Planes",
    "Probed",
    "Probing",
    "Separated",
    "Separation",
    "Trained",
    "run",
]

"""Still figures: arrays in, a ``Picture`` out. Nothing is computed here and no file is read.

One module holds the drawing functions of one chapter; ``picture`` says how to write another.
"""

from slrlib.plot.descent import alignments
from slrlib.plot.picture import Picture, picture
from slrlib.plot.predictor import saturation, shrink, sums, weights_by_lam
from slrlib.plot.task import norm_rate, norms, token_plane

__all__ = [
    "Picture",
    "alignments",
    "norm_rate",
    "norms",
    "picture",
    "saturation",
    "shrink",
    "sums",
    "token_plane",
    "weights_by_lam",
]

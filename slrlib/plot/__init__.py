"""Still figures: arrays in, a ``Picture`` out. Nothing is computed here and no file is read.

One module holds the drawing functions of one chapter; ``picture`` says how to write another.
"""

from slrlib.plot.bayes import (
    fitted,
    not_the_minimum,
    oracle_and_linear,
    rates,
    two_terms,
    who_wins,
)
from slrlib.plot.convergence import four_panels, pinned, swap_shares
from slrlib.plot.descent import alignments
from slrlib.plot.manifold import escape, manifold_flow, manifold_risk, rounding, samples_needed
from slrlib.plot.picture import Picture, picture
from slrlib.plot.predictor import saturation, shrink, sums, weights_by_lam
from slrlib.plot.task import norm_rate, norms, token_plane

__all__ = [
    "Picture",
    "alignments",
    "escape",
    "fitted",
    "four_panels",
    "manifold_flow",
    "manifold_risk",
    "norm_rate",
    "norms",
    "not_the_minimum",
    "oracle_and_linear",
    "picture",
    "pinned",
    "rates",
    "rounding",
    "samples_needed",
    "saturation",
    "shrink",
    "sums",
    "swap_shares",
    "token_plane",
    "two_terms",
    "weights_by_lam",
    "who_wins",
]

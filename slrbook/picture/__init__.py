"""Still figures: arrays in, a ``Picture`` out. Nothing is computed here and no file is read.

One module holds the drawing functions of one chapter; ``picture`` says how to write another.
"""

from slrbook.picture.bayes import (
    oracle_and_linear,
    rates,
    risk_by_bias,
    two_terms,
)
from slrbook.picture.convergence import (
    escape,
    five_overlaps,
    four_panels,
    manifold_risk,
    on_manifold,
    pinned,
    recovery_map,
    risk_and_flow,
    rounding,
    swap_shares,
    swaps_by_start,
)
from slrbook.picture.further import (
    by_length,
    dividing_lines,
    extra_by_samples,
    moved_minimum,
    one_on_each_line,
    ordered_runs,
    plateau,
    predictors_by_layer,
    starts_by_end,
)
from slrbook.picture.language import (
    beside_the_paper,
    head_hits,
    one_word_flips,
    probe_by_layer,
    word_planes,
)
from slrbook.picture.picture import Picture, picture
from slrbook.picture.predictor import saturation, shrink
from slrbook.picture.several import (
    head_matrices,
    heads_learn,
    minima_and_runs,
    one_column,
    outcomes,
    two_increments,
)
from slrbook.picture.task import alignments, norm_rate, norms, token_plane
from slrbook.picture.transformers import (
    edge_of_stability,
    layer_learns,
    live_beside_stored,
    zero_matrix,
)

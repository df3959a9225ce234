"""The explorers: interactive pictures, in a notebook and on a page without a kernel."""

try:
    import anywidget  # noqa: F401
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        "the explorers need anywidget: type \"pip install '.[book]'\" in the clone"
    ) from missing

from slrbook.explorers.bias.spec import Bias, the_bias
from slrbook.explorers.descent.spec import Descent, the_descent
from slrbook.explorers.find_token.spec import FindToken, find_token
from slrbook.explorers.flow.spec import Flow, the_flow
from slrbook.explorers.laboratory.spec import Laboratory, the_laboratory
from slrbook.explorers.lam_map.spec import LamMap, the_map_of_lam
from slrbook.explorers.landscape.spec import (
    FixedPoints,
    Landscape,
    the_fixed_points,
    the_landscape,
)
from slrbook.explorers.puzzle.spec import Puzzle, puzzle
from slrbook.explorers.random_starts.spec import RandomStarts, random_starts
from slrbook.explorers.read_a_sentence.spec import ReadASentence, read_a_sentence
from slrbook.explorers.see_m.spec import SeeM, see_m
from slrbook.explorers.through_training.spec import ThroughTraining, through_training
from slrbook.explorers.tour.spec import Tour, the_tour
from slrbook.explorers.two_heads.spec import TwoHeads, two_heads
from slrbook.explorers.where.spec import Where, where_does_it_look
from slrbook.explorers.who_is_optimal.spec import WhoIsOptimal, who_is_optimal

EXPLORERS = (
    Tour,
    Puzzle,
    FindToken,
    Where,
    Flow,
    WhoIsOptimal,
    Bias,
    FixedPoints,
    Landscape,
    RandomStarts,
    SeeM,
    Descent,
    LamMap,
    TwoHeads,
    ThroughTraining,
    ReadASentence,
    Laboratory,
)

__all__ = [
    "EXPLORERS",
    "find_token",
    "puzzle",
    "random_starts",
    "read_a_sentence",
    "see_m",
    "the_bias",
    "the_descent",
    "the_fixed_points",
    "the_flow",
    "the_laboratory",
    "the_landscape",
    "the_map_of_lam",
    "the_tour",
    "through_training",
    "two_heads",
    "where_does_it_look",
    "who_is_optimal",
]

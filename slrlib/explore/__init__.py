"""The explorers: pictures to take in hand, in a notebook and on a page without a kernel."""

from slrlib.explore.descent import Descent, the_descent
from slrlib.explore.find_token import FindToken, find_token
from slrlib.explore.lam_map import LamMap, the_map_of_lam
from slrlib.explore.landscape import Landscape, the_landscape
from slrlib.explore.puzzle import Puzzle, puzzle
from slrlib.explore.read_a_sentence import ReadASentence, read_a_sentence
from slrlib.explore.through_training import ThroughTraining, through_training
from slrlib.explore.two_heads import TwoHeads, two_heads
from slrlib.explore.where import Where, where_does_it_look
from slrlib.explore.who_is_optimal import WhoIsOptimal, who_is_optimal

EXPLORERS = (
    Puzzle,
    FindToken,
    Where,
    WhoIsOptimal,
    Landscape,
    Descent,
    LamMap,
    TwoHeads,
    ThroughTraining,
    ReadASentence,
)

__all__ = [
    "EXPLORERS",
    "find_token",
    "puzzle",
    "read_a_sentence",
    "the_descent",
    "the_landscape",
    "the_map_of_lam",
    "through_training",
    "two_heads",
    "where_does_it_look",
    "who_is_optimal",
]

"""The explorers: pictures to take in hand, in a notebook and on a page without a kernel."""

from slrbook.explorers.descent import Descent, the_descent
from slrbook.explorers.find_token import FindToken, find_token
from slrbook.explorers.lam_map import LamMap, the_map_of_lam
from slrbook.explorers.landscape import Landscape, the_landscape
from slrbook.explorers.puzzle import Puzzle, puzzle
from slrbook.explorers.read_a_sentence import ReadASentence, read_a_sentence
from slrbook.explorers.through_training import ThroughTraining, through_training
from slrbook.explorers.two_heads import TwoHeads, two_heads
from slrbook.explorers.where import Where, where_does_it_look
from slrbook.explorers.who_is_optimal import WhoIsOptimal, who_is_optimal

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

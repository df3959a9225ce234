"""The explorers: pictures to take in hand, in a notebook and on a page without a kernel."""

from slrlib.explore.descent import Descent, the_descent
from slrlib.explore.find_token import FindToken, find_token
from slrlib.explore.lam_map import LamMap, the_map_of_lam
from slrlib.explore.landscape import Landscape, the_landscape
from slrlib.explore.puzzle import Puzzle, puzzle
from slrlib.explore.where import Where, where_does_it_look
from slrlib.explore.who_is_optimal import WhoIsOptimal, who_is_optimal

EXPLORERS = (Puzzle, FindToken, Where, WhoIsOptimal, Landscape, Descent, LamMap)

__all__ = [
    "EXPLORERS",
    "find_token",
    "puzzle",
    "the_descent",
    "the_landscape",
    "the_map_of_lam",
    "where_does_it_look",
    "who_is_optimal",
]

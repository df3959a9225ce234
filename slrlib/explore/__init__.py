"""The explorers: pictures to take in hand, in a notebook and on a page without a kernel."""

from slrlib.explore.find_token import FindToken, find_token
from slrlib.explore.puzzle import Puzzle, puzzle
from slrlib.explore.where import Where, where_does_it_look

EXPLORERS = (Puzzle, FindToken, Where)

__all__ = ["EXPLORERS", "find_token", "puzzle", "where_does_it_look"]

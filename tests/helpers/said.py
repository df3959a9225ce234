"""Sentences for comparing the encoder of a page with that of the package, most of them short."""

import itertools
import json
import unicodedata

from booksource import ROOT

from slrbook.explorers.read_a_sentence import table
from slrlib.language import sentences as words

ODD = json.loads((ROOT / "tests/data/odd_sentences.json").read_text("utf-8"))


def steady() -> list[str]:
    """All characters whose Unicode category has not changed since version 3.2."""
    both = unicodedata.category, unicodedata.ucd_3_2_0.category
    signs = (chr(i) for i in range(0x30000) if both[0](chr(i)) == both[1](chr(i)))
    return [sign for sign in signs if both[0](sign) not in ("Cn", "Cs")]


def sentences() -> list[str]:
    """500 sentences: odd ones, fillers, some of the stored ones, short ones from the word lists."""
    frames = ("{1} {0}", "{0} {1}", "{0}", "{0}, {1}!", "My {1} is {0}.")
    adjectives = itertools.chain(*zip(*words.ADJECTIVES, strict=True))
    animals = itertools.cycle(words.POOLS.animal)
    short = [frame.format(adjective, next(animals)) for adjective in adjectives for frame in frames]
    seen = [f"{one} {two}" for one in words.POOLS.pronoun for two in words.POOLS.animal]
    readable = [odd for odd in ODD if odd.strip() and len(odd) < 50]
    found = [*readable, *words.FILLERS, *table.sentences()[::8], *short, *seen]
    return list(dict.fromkeys(found))[:500]

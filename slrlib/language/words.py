"""The words of the sentences: the book's lists, and larger pools from which others are drawn.

Every word is one token of the tokenizers of BERT and MiniLM, and no word occurs in two slots. The
first sentence may use adjectives of its own, which never determine the label.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Frame(NamedTuple):
    """Words that do not determine the label; the empty adverb leaves its slot out."""

    pronoun: Sequence[str]
    colour: Sequence[str]
    animal: Sequence[str]
    adverb: Sequence[str]


class WordLists(NamedTuple):
    """The words of one family of sentence sets; adjectives are pairs (positive, negative)."""

    train_frame: Frame
    test_frame: Frame
    seen: tuple  #   adjectives that carry the label, in the train set and some test sets
    unseen: tuple  # those of the sets with out-of-distribution tokens
    city: tuple  #   adjectives of the first sentence, in all sets that have one


def _words(*lines):
    return tuple(tuple(line.split()) for line in lines)


_SEEN = _words("gentle friendly beautiful", "cruel ugly filthy")
_CITY = _words("pleasant peaceful elegant bright pretty", "grim awful hostile dull poor")

LISTS = WordLists(
    train_frame=Frame(
        *_words("my her their", "black yellow pink", "horse rabbit parrot"),
        adverb=("", "really", "rather"),
    ),
    test_frame=Frame(
        *_words("his our", "white brown", "sheep turtle monkey"), adverb=("", "quite")
    ),
    seen=_SEEN,
    unseen=_words("sweet wonderful", "horrible vicious"),
    city=tuple(mine + more for mine, more in zip(_SEEN, _CITY, strict=True)),
)

POOLS = Frame(
    *_words(
        "my your his her our their",
        "black white brown yellow pink red blue green grey orange purple",
        "horse rabbit parrot sheep turtle monkey dog cat cow goat duck fox bear wolf lion tiger "
        "mouse frog owl eagle deer donkey camel elephant goose pony lizard falcon squirrel buffalo",
        "really rather quite very truly so fairly always often still now clearly indeed usually",
    )
)
ADJECTIVES = _words(
    "beautiful gentle friendly sweet wonderful pleasant peaceful elegant bright pretty lovely kind "
    "happy charming delightful brilliant excellent graceful healthy clever adorable cheerful calm "
    "handsome splendid magnificent marvelous gorgeous polite generous superb amazing",
    "cruel ugly filthy horrible vicious grim awful hostile dull poor nasty dirty terrible dreadful "
    "evil violent angry wicked savage brutal miserable disgusting rotten stupid bitter hideous "
    "aggressive ruthless foul selfish rude pathetic",
)

# Sentences without praise or blame, to hide another one among them; again one token a word.
FILLERS = (
    "The train leaves at nine.",
    "A door is made of wood.",
    "They live near the river.",
    "It is Monday today.",
    "The shop opens at ten in the morning.",
    "A week has seven days.",
    "He puts the book on the table.",
    "The road turns left after the bridge.",
    "There are two chairs in the room.",
    "She reads a letter.",
    "The box contains paper and string.",
    "We walk to the station.",
    "The meeting is on the third floor.",
    "Water flows under the bridge.",
    "The bus stops here every hour.",
    "A map hangs on the wall.",
    "The window is open.",
    "Some people work in the city.",
    "The lesson begins after lunch.",
    "He writes a number on the board.",
    "The key is in the drawer.",
    "Two men carry a table.",
    "The school has four rooms.",
    "In winter the days are short.",
)

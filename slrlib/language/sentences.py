"""The sentences of the paper: words, templates, sets.

Every word is one token of the tokenizers of BERT and MiniLM, and no word occurs in two slots. The
first sentence may use adjectives of its own, which never determine the label.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

import jax
import numpy as np
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.language.pair import check_labels

__all__ = ["hide", "marked", "sentence_sets", "subset"]


class Frame(NamedTuple):
    """Words that do not determine the label; an empty adverb removes its slot."""

    pronoun: Sequence[str]
    color: Sequence[str]
    animal: Sequence[str]
    adverb: Sequence[str]


class WordLists(NamedTuple):
    """The words of one family of sentence sets; adjectives are pairs (positive, negative)."""

    train_frame: Frame
    test_frame: Frame
    seen: tuple  #   adjectives that carry the label, in the train set and some test sets
    unseen: tuple  # those of the sets with out-of-distribution tokens
    city: tuple  #   adjectives of the first sentence, in all sets that have one


_WORDS = tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))


def _frame(name):
    return Frame(**{slot: tuple(words) for slot, words in _WORDS[name].items()})


def _pair(*names):
    """Return the positive and the negative adjectives of these lists."""
    return tuple(
        tuple(word for name in names for word in _WORDS[name][sign])
        for sign in ("positive", "negative")
    )


LISTS = WordLists(
    train_frame=_frame("train_frame"),
    test_frame=_frame("test_frame"),
    seen=_pair("seen"),
    unseen=_pair("unseen"),
    city=_pair("seen", "city"),
)
POOLS = _frame("pools")
ADJECTIVES = _pair("adjectives")
FILLERS = tuple(_WORDS["fillers"]["sentences"])

# The patterns of Appendix E.1. The label is the sign of [adjective]; [city] is a distractor.
TWO_SENTENCES = (
    "The city is [city]. [pronoun] [color] [animal] is [adverb] [adjective].",
    "The city is [city]. [pronoun] [adjective] [animal] is [adverb] [color].",
)
GREETING = (
    "Hello, how are you? Good evening, [pronoun] [color] [animal] is [adverb] [adjective].",
)
_SLOT = re.compile(r"(\[\w+\] ?)")
_ONE_WORD = re.compile(r"\S*\w\S*")
_TOKEN = re.compile(r"\w+|[^\w\s]")


class SentenceSet(NamedTuple):
    """n sentences, with the label and the position of the word that determines it."""

    sentences: list[str]
    labels: np.ndarray  #     (n,), +1 or -1
    place: np.ndarray  #      (n,), first character of the informative adjective
    distractor: np.ndarray  # (n,), that of the adjective of the first sentence, or -1

    def take(self, rows: np.ndarray) -> SentenceSet:
        """Return the set of these rows."""
        return SentenceSet([self.sentences[i] for i in rows], *(each[rows] for each in self[1:]))


def check_texts(name: str, texts: Iterable[str]) -> list[str]:
    """Return ``texts`` as a list of one text or more."""
    found = [] if isinstance(texts, str) or not hasattr(texts, "__iter__") else list(texts)
    if not found or not all(isinstance(text, str) for text in found):
        raise ValueError(f"{name} must be a list of one text or more, got {checks.shown(texts)}")
    return [str(text) for text in found]


def marked(texts: Iterable[str], labels: ArrayLike) -> SentenceSet:
    """Make a set from your own sentences, each with its informative word between stars.

    ``load().read(marked(texts, labels))`` gives the input of ``fit_pair`` and ``fit_probe``.

    Parameters
    ----------
    texts : iterable of str
        n sentences such as "It is *nice*.".
    labels : array_like
        Shape (n,): +1 or -1.

    Returns
    -------
    SentenceSet
        The ``sentences`` without the stars, the ``labels``, and ``place``, the position of the
        first character of each informative word.

    Examples
    --------
    >>> those = marked(["It is *nice*.", "A *bad* day."], [1, -1])
    >>> those.sentences, those.place.tolist()
    (['It is nice.', 'A bad day.'], [6, 2])
    """
    texts = check_texts("texts", texts)
    parts = [text.split("*") for text in texts]
    for number, part in enumerate(parts):
        if len(part) != 3 or not _ONE_WORD.fullmatch(part[1]):
            raise ValueError(
                "texts must hold one word each that stands between two stars, without a space, "
                f"got {texts[number]!r} in sentence {number}"
            )
    labels = check_labels(labels, len(parts), both=False)
    place = np.array([len(before) for before, _, _ in parts])
    return SentenceSet(["".join(part) for part in parts], labels, place, np.full(len(parts), -1))


def compose(pattern: str, words: Mapping[str, str]) -> tuple[str, dict[str, int]]:
    """Return (sentence, first character of each slot); an empty word removes its slot."""
    text, place = "", {}
    for part in _SLOT.split(pattern):
        slot = part.strip("[] ")
        if slot in words and part.startswith("["):
            if not words[slot]:
                continue
            first = not text or text.endswith((". ", "? "))
            part = part.replace(f"[{slot}]", words[slot].capitalize() if first else words[slot])
            place[slot] = len(text)
        text += part
    return text, place


def _made(patterns, frame, adjectives, city=((), ())):
    """Return all combinations of the words as one set."""
    signs = {word: sign for sign, words in zip((1, -1), adjectives, strict=True) for word in words}
    slots = {**frame._asdict(), "adjective": signs, "city": [*city[0], *city[1]]}
    rows = []
    for pattern in patterns:
        used = [slot for slot in slots if f"[{slot}]" in pattern]
        for words in product(*(slots[slot] for slot in used)):
            words = dict(zip(used, words, strict=True))
            text, place = compose(pattern, words)
            label = signs[words["adjective"]]
            rows.append((text, label, place["adjective"], place.get("city", -1)))
    sentences, *numbers = zip(*rows, strict=True)
    return SentenceSet(list(sentences), *(np.array(each) for each in numbers))


def sentence_sets(lists: WordLists = LISTS) -> dict[str, SentenceSet]:
    """Make the five sets of sentences of the paper, of 15,552, 4608, 3072, 144 and 96 sentences.

    Parameters
    ----------
    lists : WordLists
        The words; the default lists are those of the book.

    Returns
    -------
    dict of str to SentenceSet
        ``train`` and ``test``, which differ in the words that do not determine the label;
        ``ood_tokens`` with unseen adjectives, ``ood_structure`` with another pattern, ``ood_both``
        with both.

    Examples
    --------
    >>> {name: len(each.labels) for name, each in sentence_sets().items()}["ood_both"]
    96
    """
    return {
        "train": _made(TWO_SENTENCES, lists.train_frame, lists.seen, lists.city),
        "test": _made(TWO_SENTENCES, lists.test_frame, lists.seen, lists.city),
        "ood_tokens": _made(TWO_SENTENCES, lists.test_frame, lists.unseen, lists.city),
        "ood_structure": _made(GREETING, lists.test_frame, lists.seen),
        "ood_both": _made(GREETING, lists.test_frame, lists.unseen),
    }


def _generator(key):
    """Return a NumPy generator made from a JAX key; words are shuffled on the host."""
    data = jax.random.key_data(checks.random_key(key))
    return np.random.default_rng(np.asarray(data).tolist())


def random_lists(*, key: jax.Array) -> WordLists:
    """Sample all lists from the pools, with the same lengths as in ``LISTS``.

    The train frame and the test frame share no word.
    """
    rng = _generator(key)
    pronoun, color, animal, adverb = (list(rng.permutation(pool)) for pool in POOLS)
    good, bad = (list(rng.permutation(pool)) for pool in ADJECTIVES)

    def pair(start, stop):
        return good[start:stop], bad[start:stop]

    return WordLists(
        train_frame=Frame(pronoun[:3], color[:3], animal[:3], ["", *adverb[:2]]),
        test_frame=Frame(pronoun[3:5], color[3:5], animal[3:6], ["", adverb[2]]),
        seen=pair(0, 3),
        unseen=pair(8, 10),
        city=pair(0, 8),
    )


def subset(sentences: SentenceSet, n: int, *, key: jax.Array) -> SentenceSet:
    """Sample ``n`` of the sentences without replacement, half of each label.

    Parameters
    ----------
    sentences : SentenceSet
        The set to sample from.
    n : int
        Number of sentences; if it is odd, one more has label +1.
    key : Array
        Random key.

    Returns
    -------
    SentenceSet
        The sample, in the order of the set.

    Examples
    --------
    >>> few = subset(sentence_sets()["test"], 10, key=jax.random.key(0))
    >>> int(few.labels.sum())
    0
    """
    n, rng = checks.count("n", n), _generator(key)
    rows = []
    for label, wanted in ((1, -(-n // 2)), (-1, n // 2)):
        those = np.flatnonzero(sentences.labels == label)
        if wanted > len(those):
            raise ValueError(f"n must be at most {2 * len(those)}, got {n}")
        rows.append(rng.choice(those, wanted, replace=False))
    return sentences.take(np.sort(np.concatenate(rows)))


def count_tokens(text: str) -> int:
    """Count the tokens of a text of the book's words: one per word or sign, plus [CLS], [SEP]."""
    return len(_TOKEN.findall(text)) + 2


def hide(sentences: SentenceSet, length: int, *, key: jax.Array) -> SentenceSet:
    """Insert each sentence into a longer text of neutral filler sentences.

    Parameters
    ----------
    sentences : SentenceSet
        The sentences to hide.
    length : int
        Largest number of tokens of a text, at least 20; the texts have nearly this length.
    key : Array
        Random key.

    Returns
    -------
    SentenceSet
        The texts, with the labels, and the positions of the informative words in them.

    Examples
    --------
    >>> few = subset(sentence_sets()["test"], 2, key=jax.random.key(0))
    >>> len(hide(few, 64, key=jax.random.key(1)).sentences)
    2
    """
    length, rng = checks.count("length", length, 20), _generator(key)
    sizes = np.array([count_tokens(filler) - 2 for filler in FILLERS])
    texts, moved = [], []
    for sentence in sentences.sentences:
        room, chosen = length - count_tokens(sentence), []
        while room >= sizes.min():
            filler = rng.choice(np.flatnonzero(sizes <= room))
            chosen.append(FILLERS[filler])
            room -= sizes[filler]
        cut = int(np.floor(rng.uniform() * len(chosen) + 0.5))
        front = "".join(f"{filler} " for filler in chosen[:cut])
        texts.append(" ".join([front + sentence, *chosen[cut:]]))
        moved.append(len(front))
    moved = np.array(moved)
    distractor = np.where(sentences.distractor < 0, -1, sentences.distractor + moved)
    return SentenceSet(texts, sentences.labels, sentences.place + moved, distractor)

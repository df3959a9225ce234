"""The pretrained model, the book's sentences as it reads them, and what is fitted to them."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import jax
import numpy as np

from slrlib import language
from slrlib.language.encoder import Read
from slrlib.language.pair import Pair, Probe, Score
from slrlib.language.sentences import SentenceSet

SETS = ("train", "test", "ood_tokens", "ood_structure", "ood_both")
NAMES = ("train", "test", "unseen words", "unseen pattern", "both unseen")  # of SETS, for readers
LAYERS = 7  # of the book's model; layer 0 holds the words themselves
bert = cache(language.load)  # the weights are read once
sentence_sets = cache(language.sentence_sets)


PARTS = {"train": 1000, "test": 320, "ood_tokens": 320}  # sentences of a set of which few are read


def canonical(name: str) -> SentenceSet:
    """One of the book's own sets; of a large one, a random part."""
    those = sentence_sets()[name]
    if n := PARTS.get(name):
        those = language.subset(those, n, key=jax.random.key(list(PARTS).index(name)))
    return those


@cache
def train_read() -> Read:
    """The book's own train set at all layers, read once because reading takes seconds."""
    return bert().read(canonical("train"))


@cache
def cls_probe(layer: int) -> Probe:
    """The probe of [CLS] fitted at this layer to the book's own train set."""
    train = train_read()
    return language.fit_probe(train.states[layer, :, 0], train.labels)


@cache
def told_pair(layer: int) -> Pair:
    """The pair fitted at this layer to the book's own train set, with known locations."""
    train = train_read()
    return language.fit_pair(train.states[layer], train.mask, train.at, train.labels)


def check(layers: tuple[int, ...] = (), chosen: tuple[str, ...] = ()) -> None:
    """Refuse what the model does not have."""
    for layer in layers:
        if layer not in range(LAYERS):
            raise ValueError(f"layer must be one of 0 to {LAYERS - 1}, got {layer}")
    for name in chosen:
        if name not in SETS:
            raise ValueError(f"chosen must be of {', '.join(SETS)}, got {name!r}")


class OfPair(NamedTuple):
    """What a pair does on a set: accuracy with its interval, area, and hit rates by label."""

    score: Score
    hits: np.ndarray


def measure(pair: Pair, those: Read, states: np.ndarray, lam: float = 1.0) -> OfPair:
    """The pair at the layer with these ``states`` of a set that was read."""
    decisions = language.pair_predict(pair, states, those.mask, lam)
    hits = language.hit_rates(pair, states, those.mask, those.at, those.labels)
    return OfPair(language.score(decisions, those.labels), np.asarray(hits))


def stacked(rows: Any) -> Any:
    """A list of equal trees of numbers, or a list of such lists, as one tree of arrays."""
    if not isinstance(rows, list):
        return rows
    return jax.tree.map(lambda *x: np.stack(x), *map(stacked, rows))


def by_set(accuracy: np.ndarray) -> str:
    """A number for each set of sentences, in words."""
    return ", ".join(f"{name} {x:.2f}" for name, x in zip(SETS, accuracy, strict=True))

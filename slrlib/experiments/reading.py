"""The pretrained model, its states of the book's sentences, and the predictors fitted to them."""

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
NAMES = ("train", "test", "unseen words", "unseen pattern", "both unseen")  # display names of SETS
LAYERS = 7  # of the book's model; layer 0 is the embedding
bert = cache(language.load)  # the weights are read once
sentence_sets = cache(language.sentence_sets)


PARTS = {"train": 1000, "test": 320, "ood_tokens": 320}  # number of sentences used from large sets


def canonical(name: str) -> SentenceSet:
    """Return one of the book's sets, or a random subset of a large one."""
    those = sentence_sets()[name]
    if n := PARTS.get(name):
        those = language.subset(those, n, key=jax.random.key(list(PARTS).index(name)))
    return those


@cache
def train_read() -> Read:
    """Return the book's train set with states at all layers; cached, because it is slow."""
    return bert().read(canonical("train"))


@cache
def cls_probe(layer: int) -> Probe:
    """Return the probe of [CLS] fitted at this layer to the book's train set."""
    train = train_read()
    return language.fit_probe(train.states[layer, :, 0], train.labels)


@cache
def told_pair(layer: int) -> Pair:
    """Return the pair fitted at this layer to the book's train set, with known locations."""
    train = train_read()
    return language.fit_pair(train.states[layer], train.mask, train.at, train.labels)


def check(layers: tuple[int, ...] = (), chosen: tuple[str, ...] = ()) -> None:
    """Raise an error for layers or sets that do not exist."""
    for layer in layers:
        if layer not in range(LAYERS):
            raise ValueError(f"layer must be one of 0 to {LAYERS - 1}, got {layer}")
    for name in chosen:
        if name not in SETS:
            raise ValueError(f"chosen must be of {', '.join(SETS)}, got {name!r}")


class OfPair(NamedTuple):
    """The accuracy of a pair on a set with its interval, the area, and the hit rates by label."""

    score: Score
    hits: np.ndarray


def measure(pair: Pair, those: Read, states: np.ndarray, lam: float = 1.0) -> OfPair:
    """Measure a pair on a set, given the ``states`` of one layer."""
    decisions = language.pair_predict(pair, states, those.mask, lam)
    hits = language.hit_rates(pair, states, those.mask, those.at, those.labels)
    return OfPair(language.score(decisions, those.labels), np.asarray(hits))


def stacked(rows: Any) -> Any:
    """Stack a list of equal trees of numbers, or nested lists of them, into one tree of arrays."""
    if not isinstance(rows, list):
        return rows
    return jax.tree.map(lambda *x: np.stack(x), *map(stacked, rows))


def by_set(accuracy: np.ndarray) -> str:
    """Format one number for each set of sentences as text."""
    return ", ".join(f"{name} {x:.2f}" for name, x in zip(SETS, accuracy, strict=True))

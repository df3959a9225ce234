"""What each predictor reaches with the same labels, over draws of all word lists."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, NamedTuple

import jax
import numpy as np
from tqdm import trange

from slrlib import checks, language
from slrlib.experiments.base import Experiment, Folder
from slrlib.experiments.reading import SETS, OfPair, Read, check, measure, read, stacked
from slrlib.language.pair import Pair, cosine
from slrlib.language.probes import Score
from slrlib.language.sentences import random_lists


class WordDrawsResult(NamedTuple):
    """``cls`` is the [CLS] probe, ``told`` the pair that was told the places, ``learned`` the pair
    from the labels alone, at the chosen layers.

    ``hits`` says how often the informative token has the largest score, for label +1 and -1.
    """

    cls: Annotated[np.ndarray, "draw layer set"]
    cls_auc: Annotated[np.ndarray, "draw layer set"]
    told: Annotated[np.ndarray, "draw layer set"]
    told_auc: Annotated[np.ndarray, "draw layer set"]
    told_hits: Annotated[np.ndarray, "draw layer set label"]
    told_cosine: Annotated[np.ndarray, "draw layer"]
    learned: Annotated[np.ndarray, "draw chosen init set"]
    learned_auc: Annotated[np.ndarray, "draw chosen init set"]
    learned_hits: Annotated[np.ndarray, "draw chosen init set label"]
    learned_cosine: Annotated[np.ndarray, "draw chosen init"]
    ends: Annotated[np.ndarray, "draw chosen init"]  # found, shortcut or lost, on train


@dataclass(frozen=True)
class WordDraws(Experiment):
    """The [CLS] probe and the pair (k, v) with the same labels, for several draws of the lists.

    The pair is fitted with the places known at all layers, and from the labels alone, from
    ``inits`` random starts, at ``layers``.
    """

    draws: int = 6
    train: int = 640
    test: int = 320
    layers: tuple[int, ...] = (0, 3, 5)
    inits: int = 4
    seed: int = 0

    result: ClassVar[type] = WordDrawsResult
    needs_model: ClassVar[bool] = True

    def compute(self, folder: Folder, progress: bool) -> WordDrawsResult:
        check(self.layers)
        numbers = trange(
            checks.count("draws", self.draws), desc=self.name, disable=not progress, leave=False
        )
        return stacked([self.one_draw(number) for number in numbers])

    def one_draw(self, number: int) -> WordDrawsResult:
        """The result without its first axis."""
        sets, key = self.sets(number)
        layers = range(len(sets["train"].states))
        cls = stacked([probe_scores(sets, layer) for layer in layers])
        fitted = [told_pair(sets, layer) for layer in layers]
        told = stacked([on_all(pair, sets, layer) for layer, pair in enumerate(fitted)])
        pairs = [self.learned_pairs(sets, layer, key) for layer in self.layers]
        learned = stacked(
            [
                [on_all(pair, sets, layer) for pair in each]
                for layer, each in zip(self.layers, pairs, strict=True)
            ]
        )
        return WordDrawsResult(
            *(cls.accuracy, cls.auc, told.score.accuracy, told.score.auc, told.hits),
            np.array([cosine(pair) for pair in fitted]),
            *(learned.score.accuracy, learned.score.auc, learned.hits),
            np.array([[cosine(pair) for pair in each] for each in pairs]),
            ends_of(learned.hits[..., SETS.index("train"), :]),
        )

    def sets(self, number: int) -> tuple[dict[str, Read], jax.Array]:
        """(the sets of one draw as the model sees them, the key of its starts)."""
        keys = jax.random.split(jax.random.key(self.seed), self.draws)
        keys = jax.random.split(keys[number], 4)
        sets = language.sentence_sets(random_lists(key=keys[0]))
        sizes = {"train": self.train, "test": self.test, "ood_tokens": self.test}
        for i, (name, n) in enumerate(sizes.items()):
            sets[name] = language.subset(sets[name], n, key=jax.random.fold_in(keys[1], i))
        return {name: read(those) for name, those in sets.items()}, keys[2]

    def learned_pairs(self, sets: dict[str, Read], layer: int, key: jax.Array) -> list:
        """The pairs at this layer, from the labels alone."""
        train, key = sets["train"], jax.random.fold_in(key, layer)
        return language.fit_pair_label_only(
            train.states[layer], train.mask, train.labels, inits=self.inits, key=key
        )


def told_pair(sets: dict[str, Read], layer: int) -> Pair:
    train = sets["train"]
    return language.fit_pair(train.states[layer], train.mask, train.at, train.labels)


def on_all(pair: Pair, sets: dict[str, Read], layer: int) -> OfPair:
    """Of each set; arrays (set, ...)."""
    return stacked([measure(pair, sets[name], layer) for name in SETS])


def probe_scores(sets: dict[str, Read], layer: int) -> list[Score]:
    """What the probe of [CLS] at this layer reaches on each set."""
    fitted = language.fit_probe(sets["train"].states[layer, :, 0], sets["train"].labels)
    seen = [sets[name] for name in SETS]
    decisions = [language.decide(fitted, each.states[layer, :, 0]) for each in seen]
    return [language.score(*each) for each in zip(decisions, [s.labels for s in seen], strict=True)]


def ends_of(hits: np.ndarray) -> np.ndarray:
    """found, shortcut or lost of hit rates (..., 2)."""
    return np.apply_along_axis(lambda pair: np.array(language.end_of(pair), "U8"), -1, hits)

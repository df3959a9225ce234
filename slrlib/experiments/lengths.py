"""Predictors fitted to single sentences, evaluated on longer texts that contain such ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, NamedTuple

import jax
import numpy as np

from slrlib import language
from slrlib.experiments import reading
from slrlib.experiments.base import Experiment, Folder
from slrlib.experiments.reading import Read, measure, stacked, told_pair
from slrlib.language.pair import Pair
from slrlib.language.sentences import SentenceSet


class TextLengthResult(NamedTuple):
    """The accuracies and areas under the ROC curve of the probe and of the pairs.

    ``told`` is the pair with known locations, and ``learned`` are the pairs fitted to labels alone.
    ``decisions`` are the decisions of the probe and of ``told`` on each text, padded with zeros
    where a length has fewer texts. They are stored so that a few of them can be verified.
    """

    length: Annotated[np.ndarray, "length"]
    n: Annotated[np.ndarray, "length"]
    ends: Annotated[np.ndarray, "init"]  # found, shortcut or lost, on its training sentences
    cls: Annotated[np.ndarray, "set length"]
    cls_auc: Annotated[np.ndarray, "set length"]
    told: Annotated[np.ndarray, "set length"]  # softmax, lam = 1
    hardest: Annotated[np.ndarray, "set length"]  # only the token of largest score
    told_hits: Annotated[np.ndarray, "set length"]
    learned: Annotated[np.ndarray, "set length init"]
    decisions: Annotated[np.ndarray, "set length text predictor"]


@dataclass(frozen=True)
class TextLength(Experiment):
    """Accuracy as a function of the length of the text in which a sentence is hidden.

    Parameters
    ----------
    name : str
        Name of the experiment.
    chosen : tuple of str
        Names of the sets of sentences.
    lengths : tuple of int
        Numbers of tokens of the texts.
    sentences : tuple of int
        Number of sentences of each length.
    layer : int
        Layer of the encoder, 0 for the embedding.
    labels : int
        Number of sentences to which the pairs without known locations are fitted.
    inits : int
        Number of these pairs.
    seed : int
        Seed of the sample of sentences to which they are fitted.
    """

    chosen: tuple[str, ...] = ("test", "ood_tokens")
    lengths: tuple[int, ...] = (20, 32, 64, 128, 256, 512)
    sentences: tuple[int, ...] = (96, 96, 96, 96, 48, 32)
    layer: int = 5
    labels: int = 640
    inits: int = 4
    seed: int = 3

    result: ClassVar[type] = TextLengthResult
    needs_model: ClassVar[bool] = True

    def compute(self, folder: Folder, progress: bool) -> TextLengthResult:
        reading.check((self.layer,), self.chosen)
        if len(self.lengths) != len(self.sentences):
            raise ValueError(f"sentences must be {len(self.lengths)}, one number a length")
        train = reading.canonical("train")
        few = language.subset(train, self.labels, key=jax.random.key(self.seed))
        few = reading.bert().read(few, self.layer)
        given = few.states, few.mask, few.labels
        own = language.fit_pair_label_only(*given, inits=self.inits, key=jax.random.key(1))
        ends = [language.end_of(measure(pair, few, few.states).hits) for pair in own]
        rows = [[self.at(name, n, own) for n in self.lengths] for name in self.chosen]
        each = map(np.array, (self.lengths, self.sentences, ends))
        return TextLengthResult(*each, *stacked(rows))

    def at(self, name: str, length: int, own: list[Pair]) -> tuple:
        """Return ``cls`` and all later fields of the result for one set and length."""
        seen = reading.bert().read(self.texts(name, length), self.layer)
        told = told_pair(self.layer)
        decisions = self.heard(seen)
        cls = language.score(decisions[:, 0], seen.labels)
        soft, hard = (measure(told, seen, seen.states, lam) for lam in (1, np.inf))
        learned = stacked([measure(pair, seen, seen.states) for pair in own])
        return (
            *(cls.accuracy, cls.auc, soft.score.accuracy),
            *(hard.score.accuracy, np.mean(soft.hits), learned.score.accuracy),
            np.pad(decisions, ((0, max(self.sentences) - len(decisions)), (0, 0))),
        )

    def texts(self, name: str, length: int) -> SentenceSet:
        """Return texts of this length, each of which contains a sentence of the set ``name``."""
        key = jax.random.fold_in(jax.random.key(self.chosen.index(name)), length)
        count = self.sentences[self.lengths.index(length)]
        drawn, where = jax.random.split(key)
        those = language.subset(language.sentence_sets()[name], count, key=drawn)
        return language.hide(those, length, key=where)

    def heard(self, seen: Read) -> np.ndarray:
        """Return the decisions (n, 2) of the [CLS] probe and of the pair with known locations.

        Both are fitted at ``layer`` to the book's own train set.
        """
        pair = language.pair_predict(told_pair(self.layer), seen.states, seen.mask)
        cls = language.decide(reading.cls_probe(self.layer), seen.states[:, 0])
        return np.stack([cls, pair], axis=1)

    def finding(self, r: TextLengthResult) -> str:
        lengths = zip(r.length, r.told[0], r.cls[0], strict=True)
        rows = [f"{n} tokens: pair {told:.2f}, [CLS] {cls:.2f}" for n, told, cls in lengths]
        return f"accuracy on {self.chosen[0]}; " + "; ".join(rows)

    def draw(self, r: TextLengthResult, pictures: Any, **words: str) -> Any:
        if len(self.chosen) != 2:
            raise ValueError(f"chosen must be two sets in a picture, got {self.chosen}")
        curves = {"[CLS] probe: labels": (r.cls, "cls")}
        curves["(k, v): labels and locations"] = (r.told, "told")
        for end in ("found", "shortcut"):
            if (those := r.ends == end).any():
                curves[f"(k, v): labels, {end}"] = (r.learned[..., those].mean(-1), end)
        names = [reading.NAMES[reading.SETS.index(name)] for name in self.chosen]
        return pictures.by_length(names, r.length, curves, **words)


EXPERIMENTS = (TextLength("hidden"),)

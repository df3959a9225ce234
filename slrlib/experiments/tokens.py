"""The weights that the pair (k, v) and the heads of attention give to the tokens of a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, NamedTuple

import numpy as np

from slrlib import language
from slrlib.experiments.base import Experiment, Folder
from slrlib.experiments.reading import bert, canonical, check, stacked, told_pair
from slrlib.language.pair import hits_of_heads


class WordFlipResult(NamedTuple):
    """The weights, values and outputs of the pair on sentences that differ in one word."""

    pieces: Annotated[np.ndarray, "sentence token"]
    weight: Annotated[np.ndarray, "sentence token"]
    value: Annotated[np.ndarray, "sentence token"]  # X v + bias
    at: Annotated[np.ndarray, "sentence"]  # index of the token of the word
    output: Annotated[np.ndarray, "sentence"]  # the weighted sum of the values


@dataclass(frozen=True)
class WordFlip(Experiment):
    """The pair with known locations on sentences that differ in one word (Figure 1(a)).

    Parameters
    ----------
    name : str
        Name of the experiment.
    pattern : str
        A sentence with {} in place of the word.
    words : tuple of str
        The words.
    layer : int
        Layer of the encoder, 0 for the embedding.
    """

    pattern: str = "The city is clean. Her white cat is quite {}."
    words: tuple[str, ...] = ("nice", "nasty")
    layer: int = 5

    result: ClassVar[type] = WordFlipResult
    needs_model: ClassVar[bool] = True

    def compute(self, folder: Folder, progress: bool) -> WordFlipResult:
        check(layers=(self.layer,))
        if self.pattern.count("{}") != 1:
            raise ValueError(f"pattern must hold {{}} once, got {self.pattern!r}")
        texts = [self.pattern.format(word) for word in self.words]
        tokens, (states, mask) = bert().tokens(texts), bert().states(texts)
        pair, states = told_pair(self.layer), states[self.layer]
        seen = language.project(pair, states, mask)
        at = tokens.at(np.full(len(texts), self.pattern.index("{}")))
        output = language.pair_predict(pair, states, mask)
        pieces = np.asarray(tokens.pieces)
        return WordFlipResult(pieces, language.attend(seen.score), seen.value, at, output)

    def finding(self, r: WordFlipResult) -> str:
        said = zip(self.words, r.output, strict=True)
        return "output of the pair: " + ", ".join(f"{word} {x:+.2f}" for word, x in said)

    def draw(self, r: WordFlipResult, pictures: Any, **words: str) -> Any:
        if len(self.words) != 2:
            raise ValueError(f"words must be two in a picture, got {self.words}")
        return pictures.one_word_flips(r.pieces, r.weight, r.at, r.output, **words)


ROLES = ("none", "other", "distractor", "positive", "negative")


class TokenPlaneResult(NamedTuple):
    """The scores X k and values X v + bias of the tokens; ``role`` is an index into ``ROLES``."""

    score: Annotated[np.ndarray, "layer sentence token"]
    value: Annotated[np.ndarray, "layer sentence token"]
    role: Annotated[np.ndarray, "sentence token"]


@dataclass(frozen=True)
class TokenPlane(Experiment):
    """Tokens in the plane of a pair (k, v) that was fitted with known locations (Figure 2).

    Parameters
    ----------
    name : str
        Name of the experiment.
    layers : tuple of int
        Layers of the encoder, 0 for the embedding.
    sentences : int
        Number of sentences.
    chosen : str
        Name of the set of sentences.
    """

    layers: tuple[int, ...] = (0, 3, 5)
    sentences: int = 320
    chosen: str = "ood_tokens"

    result: ClassVar[type] = TokenPlaneResult
    needs_model: ClassVar[bool] = True

    def compute(self, folder: Folder, progress: bool) -> TokenPlaneResult:
        check(self.layers, (self.chosen,))
        sentences = canonical(self.chosen)
        rows = np.linspace(0, len(sentences.labels) - 1, self.sentences).astype(int)
        sentences = sentences.take(rows)  # of both patterns
        seen = bert().read(sentences)
        tokens = np.arange(seen.mask.shape[1])[None]
        role = np.where(seen.mask, 1, 0)
        far = np.where(sentences.distractor < 0, sentences.place, sentences.distractor)
        role[tokens == seen.tokens.at(far)[:, None]] = 2  # changed below if there is none
        role[tokens == seen.at[:, None]] = np.where(seen.labels > 0, 3, 4)
        projected = [
            language.project(told_pair(layer), seen.states[layer], seen.mask)
            for layer in self.layers
        ]
        score, value = stacked(projected)
        return TokenPlaneResult(np.where(np.isfinite(score), score, 0), value, role)

    def finding(self, r: TokenPlaneResult) -> str:
        first = np.where(r.role > 0, r.score, -np.inf).argmax(-1)
        hits = np.take_along_axis(r.role[None], first[..., None], -1)[..., 0] >= 3
        shares = zip(self.layers, hits.mean(-1), strict=True)
        words = ", ".join(f"{share:.1%} at layer {layer}" for layer, share in shares)
        return f"fraction of sentences where the informative token has the largest score: {words}"

    def draw(self, r: TokenPlaneResult, pictures: Any, **words: str) -> Any:
        if len(self.layers) != 3:
            raise ValueError(f"layers must be three in a picture, got {self.layers}")
        return pictures.word_planes(r.score, r.value, r.role, self.layers, **words)


class AttentionHeadsResult(NamedTuple):
    """The attention of [CLS] on test sentences.

    ``hits`` is the fraction of sentences in which the word of largest weight is the informative
    one.
    """

    hits: Annotated[np.ndarray, "layer head"]
    informative: Annotated[np.ndarray, "layer head"]  # mean weight on the informative token
    distractor: Annotated[np.ndarray, "layer head"]  # on the adjective of the first sentence
    special: Annotated[np.ndarray, "layer head"]  # on [CLS] and [SEP] together
    chance: Annotated[np.ndarray, ""]  # hits of a head that picks a word at random


@dataclass(frozen=True)
class AttentionHeads(Experiment):
    """How often each attention head gives the informative word its largest weight.

    Parameters
    ----------
    name : str
        Name of the experiment.
    sentences : int
        Number of sentences.
    """

    sentences: int = 320

    result: ClassVar[type] = AttentionHeadsResult
    needs_model: ClassVar[bool] = True

    def compute(self, folder: Folder, progress: bool) -> AttentionHeadsResult:
        those = canonical("test")
        seen = bert().read(those, 0)  # only its attention is used
        chosen = np.linspace(0, len(seen.at) - 1, self.sentences).astype(int)
        attention, mask, at = seen.attention[:, chosen], seen.mask[chosen], seen.at[chosen]
        far = seen.tokens.at(those.distractor)[chosen]
        rows, last = np.arange(len(chosen)), mask.sum(1) - 1
        on = [np.mean(attention[:, rows, :, each], axis=0) for each in (at, far, 0 * at, last)]
        hits, chance = hits_of_heads(attention, at, mask), np.mean(1 / (last - 1))
        return AttentionHeadsResult(hits, on[0], on[1], on[2] + on[3], chance)

    def finding(self, r: AttentionHeadsResult) -> str:
        best = f"the best of {r.hits.size} heads finds the informative word in"
        return f"{best} {r.hits.max():.0%} of the sentences, chance {float(r.chance):.0%}"

    def draw(self, r: AttentionHeadsResult, pictures: Any, **words: str) -> Any:
        return pictures.head_hits(r.hits, **words)


EXPERIMENTS = (
    WordFlip("flip"),
    # Sentences unlike those that the pair was fitted to.
    WordFlip("flip-negation", pattern="My dog is {} cruel.", words=("not", "very")),
    WordFlip(
        "flip-ending", pattern="The film was long. The ending was {} good.", words=("not", "very")
    ),
    WordFlip(
        "flip-soup",
        pattern="The waiter was rude, but the soup was {}.",
        words=("great", "awful"),
    ),
    AttentionHeads("heads"),
)

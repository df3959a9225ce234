"""The accuracy of several predictors on the same sentences, over samples of the word lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, NamedTuple

import jax
import numpy as np

from slrlib import language
from slrlib.experiments import reading
from slrlib.experiments.base import Experiment, Folder
from slrlib.experiments.reading import SETS, OfPair, Read, stacked
from slrlib.language.pair import Pair, Score, concatenated, mean_pooled
from slrlib.language.sentences import SentenceSet, WordLists, random_lists

CONTROLS = ("none", "labels", "weights")


class WordDrawsResult(NamedTuple):
    """The accuracies and areas under the ROC curve of five predictors.

    ``cls``, ``mean`` and ``joined`` are linear predictors on [CLS], on the mean of all tokens and
    on the concatenation of all tokens. ``told`` is the pair fitted with known locations,
    ``learned`` the pair fitted to the labels alone, at the chosen layers. The hits are the
    fractions of sentences in which the informative token has the largest score, for the labels +1
    and -1.
    """

    cls: Annotated[np.ndarray, "draw layer set"]
    cls_auc: Annotated[np.ndarray, "draw layer set"]
    mean: Annotated[np.ndarray, "draw layer set"]
    mean_auc: Annotated[np.ndarray, "draw layer set"]
    joined: Annotated[np.ndarray, "draw layer set"]
    joined_auc: Annotated[np.ndarray, "draw layer set"]
    told: Annotated[np.ndarray, "draw layer set"]
    told_hits: Annotated[np.ndarray, "draw layer set label"]
    learned: Annotated[np.ndarray, "draw chosen init set"]
    learned_auc: Annotated[np.ndarray, "draw chosen init set"]
    learned_hits: Annotated[np.ndarray, "draw chosen init set label"]
    ends: Annotated[np.ndarray, "draw chosen init"]  # found, shortcut or lost, on the train set


@dataclass(frozen=True)
class WordDraws(Experiment):
    """Linear predictors and pairs (k, v) at each layer, for several samples of the word lists.

    All predictors are fitted to the same train sentences and labels. The pair is fitted with known
    locations at all layers, and to the labels alone at ``layers``, from ``inits`` random starts.
    With ``control`` "labels" each adjective gets a random label, the same in all sets (the control
    task of Hewitt and Liang, 2019); with "weights" the encoder has random weights, new ones for
    each sample of the lists.

    Parameters
    ----------
    name : str
        Name of the experiment.
    draws : int
        Number of samples of the word lists.
    train : int
        Number of sentences to which the predictors are fitted.
    test : int
        Number of sentences in each other set.
    layers : tuple of int
        Layers of the encoder for the pairs without known locations, 0 for the embedding.
    inits : int
        Number of random starts of each of these pairs.
    seed : int
        Seed of the samples.
    control : str
        What is random: "none", "labels" or "weights".
    """

    draws: int = 10
    train: int = 400
    test: int = 240
    layers: tuple[int, ...] = tuple(range(reading.LAYERS))
    inits: int = 4
    seed: int = 0
    control: str = "none"

    result: ClassVar[type] = WordDrawsResult
    needs_model: ClassVar[bool] = True

    def compute(self, folder: Folder, progress: bool) -> WordDrawsResult:
        reading.check(self.layers)
        if self.control not in CONTROLS:
            raise ValueError(f"control must be one of {', '.join(CONTROLS)}, got {self.control!r}")
        return stacked([self.one_draw(number) for number in range(self.draws)])

    def one_draw(self, number: int) -> WordDrawsResult:
        """Return the result of one sample of the word lists, without the first axis."""
        sets, key = self.sets(number)
        layers = range(reading.LAYERS)
        cls, mean, joined = (
            stacked([probe_scores(sets, layer, summary) for layer in layers])
            for summary in summaries(sets)
        )
        told = stacked([on_all(told_pair(sets, layer), sets, layer) for layer in layers])
        learned = stacked([self.learned(sets, layer, key) for layer in self.layers])
        hits = learned.hits[..., SETS.index("train"), :]
        return WordDrawsResult(
            *(cls.accuracy, cls.auc, mean.accuracy, mean.auc, joined.accuracy, joined.auc),
            *(told.score.accuracy, told.hits),
            *(learned.score.accuracy, learned.score.auc, learned.hits),
            np.apply_along_axis(lambda each: np.array(language.end_of(each), "U8"), -1, hits),
        )

    def sets(self, number: int, layer: int | None = None) -> tuple[dict[str, Read], jax.Array]:
        """Return the encoded sets of one sample of the word lists, and the key of its starts.

        If ``layer`` is given, only the states of this layer are kept.
        """
        keys = jax.random.split(jax.random.fold_in(jax.random.key(self.seed), number), 5)
        lists = random_lists(key=keys[0])
        sets = language.sentence_sets(lists)
        if self.control == "labels":
            sets = relabeled(sets, lists, key=keys[3])
        sizes = {"train": self.train, "test": self.test, "ood_tokens": self.test}
        for i, (name, n) in enumerate(sizes.items()):
            sets[name] = language.subset(sets[name], n, key=jax.random.fold_in(keys[1], i))
        model = reading.bert()
        if self.control == "weights":
            model = model.untrained(key=keys[4])
        return {name: model.read(those, layer) for name, those in sets.items()}, keys[2]

    def learned(self, sets: dict[str, Read], layer: int, key: jax.Array) -> list[OfPair]:
        """Measure the pairs fitted at this layer to the labels alone."""
        train, key = sets["train"], jax.random.fold_in(key, layer)
        given = train.states[layer], train.mask, train.labels
        pairs = language.fit_pair_label_only(*given, inits=self.inits, key=key)
        return [on_all(pair, sets, layer) for pair in pairs]

    def finding(self, r: WordDrawsResult) -> str:
        kinds = {"[CLS]": r.cls, "mean of the tokens": r.mean, "all tokens, concatenated": r.joined}
        kinds |= {"pair, locations known": r.told, "pair, labels alone": r.learned.mean(axis=2)}
        return "\n".join(f"{kind}: {reading.by_set(x.mean((0, 1)))}" for kind, x in kinds.items())

    def draw(self, r: WordDrawsResult, pictures: Any, **words: str) -> Any:
        shown = (x[..., 1:] for x in (r.told, r.learned, r.cls, r.mean, r.joined))
        return pictures.predictors_by_layer(reading.NAMES[1:], *shown, self.layers, **words)


def relabeled(
    sets: Mapping[str, SentenceSet], lists: WordLists, *, key: jax.Array
) -> dict[str, SentenceSet]:
    """Permute the labels of the adjectives at random, in the same way in all sets.

    Parameters
    ----------
    sets : mapping of str to SentenceSet
        Sentences made of ``lists``.
    lists : WordLists
        Its adjectives ``seen`` and ``unseen`` are relabeled. The new labels are neither all correct
        nor all opposite.
    key : jax.Array
        Random key.

    Returns
    -------
    dict of str to SentenceSet
        The same sentences with the labels of a control task.

    Examples
    --------
    >>> lists = random_lists(key=jax.random.key(0))
    >>> control = relabeled(language.sentence_sets(lists), lists, key=jax.random.key(1))
    """
    signs = {}
    for i, (good, bad) in enumerate((lists.seen, lists.unseen)):
        true = new = np.repeat([1, -1], [len(good), len(bad)])
        its = jax.random.fold_in(key, i)
        while abs(new @ true) == len(true):
            its, now = jax.random.split(its)
            new = np.asarray(jax.random.permutation(now, true))
        signs |= dict(zip((*good, *bad), new.tolist(), strict=True))

    def own(those):
        texts = zip(those.sentences, those.place, strict=True)
        words = [text[place:].split()[0].rstrip(".") for text, place in texts]
        return those._replace(labels=np.array([signs[word] for word in words]))

    return {name: own(those) for name, those in sets.items()}


Summary = Callable[[Read, int], np.ndarray]  # of a set at a layer: one row per sentence


def summaries(sets: dict[str, Read]) -> tuple[Summary, Summary, Summary]:
    """Return the state of [CLS], the mean state, and the concatenated states of all tokens."""
    longest = max(each.mask.shape[1] for each in sets.values())
    return (
        lambda seen, layer: seen.states[layer, :, 0],
        lambda seen, layer: mean_pooled(seen.states[layer], seen.mask),
        lambda seen, layer: concatenated(seen.states[layer], seen.mask, longest),
    )


def told_pair(sets: dict[str, Read], layer: int) -> Pair:
    train = sets["train"]
    return language.fit_pair(train.states[layer], train.mask, train.at, train.labels)


def on_all(pair: Pair, sets: dict[str, Read], layer: int) -> OfPair:
    """Measure a pair on each set; the arrays have shape (set, ...)."""
    return stacked([reading.measure(pair, sets[name], sets[name].states[layer]) for name in SETS])


def probe_scores(sets: dict[str, Read], layer: int, summary: Summary) -> list[Score]:
    """Return the scores of a linear predictor on a summary of this layer, for each set."""
    fitted = language.fit_probe(summary(sets["train"], layer), sets["train"].labels)
    decisions = [language.decide(fitted, summary(sets[name], layer)) for name in SETS]
    return [language.score(f, sets[name].labels) for f, name in zip(decisions, SETS, strict=True)]


EXPERIMENTS = (
    WordDraws("draws"),
    # A control task, and an untrained encoder.
    WordDraws("draws-labels", control="labels", draws=5, layers=(0, 3, 5)),
    WordDraws("draws-weights", control="weights", draws=5, layers=(0, 3, 5)),
)

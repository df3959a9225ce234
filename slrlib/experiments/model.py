"""What the experiments with a pretrained model share: the model, the sets it read, the scores."""

from functools import cache, lru_cache
from typing import NamedTuple

import jax
import numpy as np

from slrlib import language
from slrlib.experiments.kept import find, keep

SETS = ("train", "test", "ood_tokens", "ood_structure", "ood_both")
bert = cache(language.load)  # the weights are read once


def kept(experiment, folder, make, kind):
    """What ``make()`` gives, a NamedTuple of arrays of this ``kind``, kept in ``folder`` if any."""
    if there := find(experiment, folder):
        return kind(*(there[0][name] for name in kind._fields))
    made = kind(*map(np.asarray, make()))
    keep(experiment, folder, made._asdict(), chunks=1, of=1)
    return made


def stacked(scores):
    """A nested list of ``Score`` as one ``Score`` of arrays."""
    if isinstance(scores, language.Score):
        return scores
    parts = [stacked(each) for each in scores]
    return language.Score(*(np.stack(each) for each in zip(*parts, strict=True)))


class Read(NamedTuple):
    """A set of sentences as the model sees it."""

    states: np.ndarray  # (layers + 1, n, T, D)
    attention: np.ndarray  # (layers, n, heads, T), that of [CLS]
    mask: np.ndarray
    at: np.ndarray  #     (n,) number of the informative token
    labels: np.ndarray
    tokens: language.Tokens


def read(sentences):
    """The states of all tokens of a ``SentenceSet`` at all layers, and where [CLS] looks."""
    tokens = bert().tokens(sentences.sentences)
    seen = bert().states_and_cls_attention(sentences.sentences)
    return Read(*seen, tokens.at(sentences.place), sentences.labels, tokens)


def measure(pair, those, layer, lam=1.0):
    """(Score, hit rates) of a pair on a set that was ``read``."""
    states = those.states[layer]
    decisions = language.pair_predict(pair, states, those.mask, lam)
    hits = language.hit_rates(pair, states, those.mask, those.at, those.labels)
    return language.score(decisions, those.labels), hits


@lru_cache(maxsize=1)
def canonical(train=1000, test=320):
    """The book's own sets as the model sees them, large ones by a random part of this size."""
    sets = language.sentence_sets()
    for i, (name, n) in enumerate({"train": train, "test": test, "ood_tokens": test}.items()):
        sets[name] = language.subset(sets[name], n, key=jax.random.key(i))
    return {name: (those, read(those)) for name, those in sets.items()}


@cache
def cls_probe(layer):
    """The probe of [CLS] fitted at this layer to the book's own train set."""
    train = canonical()["train"][1]
    return language.fit_probe(train.states[layer, :, 0], train.labels)


@cache
def told_pair(layer):
    """The pair fitted at this layer to the book's own train set, with the places known."""
    train = canonical()["train"][1]
    return language.fit_pair(train.states[layer], train.mask, train.at, train.labels)

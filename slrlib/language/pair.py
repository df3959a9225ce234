"""The paper's predictor fitted to a pretrained model: a pair (k, v) on the tokens of a layer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.language.checks import (
    check_finite,
    check_labels,
    check_places,
    check_tokens,
)
from slrlib.language.probes import logistic, standardisation

PENALTY_OF_K = 100.0  # with known locations; v has 1


class Pair(NamedTuple):
    """Scores along k, values along v, for tokens that are standardized by (mean, scale)."""

    k: np.ndarray
    v: np.ndarray
    bias: float
    mean: np.ndarray
    scale: np.ndarray


class Projected(NamedTuple):
    """Each token of n sentences in the plane of (k, v)."""

    score: np.ndarray  # (n, T), X k, minus infinity where there is only padding
    value: np.ndarray  # (n, T), X v + bias


def project(pair: Pair, states: ArrayLike, mask: ArrayLike) -> Projected:
    """The projections of the states (n, T, D): all that the prediction depends on.

    Book: {eq}`eq-pair`.
    """
    if not isinstance(pair, Pair):
        raise ValueError(f"pair must be a Pair such as fit_pair gives, got {checks.shown(pair)}")
    tokens, mask = check_tokens(states, mask, len(pair.k))
    k, v = (np.asarray(each / pair.scale, np.float32) for each in (pair.k, pair.v))
    both = tokens @ np.stack([k, v], axis=1) - pair.mean @ np.stack([k, v], axis=1)
    score = np.where(mask, both[..., 0], -np.inf)
    return Projected(score, np.where(mask, both[..., 1] + pair.bias, 0))


def attend(score: ArrayLike, lam: float = 1.0) -> np.ndarray:
    """(..., T): the softmax of lam times the ``score`` X k, the weight of each token; equal weights
    if lam is 0, the token of largest score if lam is infinite. Padding, of score minus infinity,
    has no weight.

    Book: {eq}`eq-pair`.
    """
    lam = checks.one_number("lam", lam, "zero or more", lambda x: x >= 0)
    score = np.asarray(score)
    top, there = score.max(-1, keepdims=True), score > -np.inf
    if np.isinf(lam):
        weights = (score == top).astype(np.float32)
    else:
        with np.errstate(over="ignore"):  # far below the top there is no weight
            weights = np.where(there, np.exp(lam * np.where(there, score - top, 0)), 0)
    return weights / weights.sum(-1, keepdims=True)


def pair_predict(pair: Pair, states: ArrayLike, mask: ArrayLike, lam: float = 1.0) -> np.ndarray:
    """(n,) softmax(lam X k)^T (X v + bias), whose signs are the predicted labels.

    Book: {eq}`eq-pair`.
    """
    projected = project(pair, states, mask)
    return np.sum(attend(projected.score, lam) * projected.value, axis=-1)


def hit_rates(
    pair: Pair, states: ArrayLike, mask: ArrayLike, at: ArrayLike, labels: ArrayLike
) -> tuple[float, float]:
    """(for label +1, for label -1): how often the informative token has the largest score."""
    score = project(pair, states, mask).score
    at, labels = check_places(at, np.asarray(mask)), check_labels(labels, len(score))
    hit = np.argmax(score, axis=-1) == at
    return float(np.mean(hit[labels > 0])), float(np.mean(hit[labels < 0]))


def cosine(pair: Pair) -> float:
    """The cosine of the angle between k and v, in standardised coordinates."""
    return float(pair.k @ pair.v / np.linalg.norm(pair.k) / np.linalg.norm(pair.v))


def end_of(hits: Iterable[float]) -> str:
    """The outcome of a fit, by its hit rates on sentences with known locations.

    ``found``: the informative token has the largest score in more than half of the sentences of
    each label. ``shortcut``: of one label only. ``lost``: of neither.
    """
    return ("lost", "shortcut", "found")[sum(rate > 0.5 for rate in hits)]


def fit_pair(
    states: ArrayLike,
    mask: ArrayLike,
    at: ArrayLike,
    labels: ArrayLike,
    penalty: float = PENALTY_OF_K,
) -> Pair:
    """A pair fitted with known locations: two logistic regressions on the states of one layer.

    k separates the informative tokens (number ``at`` of each sentence) from all others, v predicts
    their labels. Tokens (n, T, D) outside the mask are ignored. ``penalty`` is that of k (1 / C in
    scikit-learn), that of v is 1; its default was chosen on other word lists than the book's.

    Book: {eq}`eq-pair`.
    """
    states, mask = check_tokens(states, mask)
    labels, at = check_labels(labels, len(states)), check_places(at, mask)
    penalty = checks.one_positive("penalty", penalty)
    tokens = check_finite("states", states[mask])
    informative = (np.arange(mask.shape[1]) == at[:, None])[mask]
    mean, scale = standardisation(tokens)
    tokens = (tokens - mean) / scale
    k, _ = logistic(tokens, informative, penalty)
    v, bias = logistic(tokens[informative], labels, 1.0)
    return Pair(k, v, bias, mean, scale)

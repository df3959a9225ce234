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
    """A pair (k, v): scores along k and values along v, of tokens standardized by (mean, scale).

    Parameters
    ----------
    k, v : ndarray
        Shape (D,), in standardized coordinates.
    bias : float
        Added to each value.
    mean, scale : ndarray
        Shape (D,): a token x is standardized to (x - mean) / scale.
    """

    k: np.ndarray
    v: np.ndarray
    bias: float
    mean: np.ndarray
    scale: np.ndarray


class Projected(NamedTuple):
    """The tokens of n sentences, projected on the plane of (k, v)."""

    score: np.ndarray  # (n, T), X k, minus infinity where there is only padding
    value: np.ndarray  # (n, T), X v + bias


def project(pair: Pair, states: ArrayLike, mask: ArrayLike) -> Projected:
    """Compute the score and the value of each token: all that the prediction of a pair depends on.

    Parameters
    ----------
    pair : Pair
        The pair (k, v), such as ``fit_pair`` gives.
    states : array_like
        Shape (n, T, D): the states of one layer, of n sentences padded to T tokens.
    mask : array_like
        Shape (n, T), bool: False where there is only padding.

    Returns
    -------
    Projected
        ``score`` (n, T), X k, minus infinity at padding; ``value`` (n, T), X v + bias.

    Examples
    --------
    >>> pair = Pair(np.eye(4)[0], np.eye(4)[1], 0.0, np.zeros(4), np.ones(4))
    >>> project(pair, np.ones((2, 3, 4)), np.full((2, 3), True)).score.shape
    (2, 3)

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
    """Compute the weight of each token: the softmax of ``lam`` times the scores X k.

    Parameters
    ----------
    score : array_like
        Shape (..., T): X k, minus infinity at padding, which gets no weight.
    lam : float
        Inverse temperature lambda, zero or more: with 0 the weights are equal, with infinity the
        token of largest score has all the weight.

    Returns
    -------
    ndarray
        Shape (..., T); the weights sum to one.

    Examples
    --------
    >>> attend([0.0, 1.0, -np.inf], lam=np.inf).tolist()
    [0.0, 1.0, 0.0]

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
    """Compute softmax(lam X k)^T (X v + bias), whose sign is the predicted label.

    Parameters
    ----------
    pair : Pair
        The pair (k, v), such as ``fit_pair`` gives.
    states : array_like
        Shape (n, T, D): the states of one layer, of n sentences padded to T tokens.
    mask : array_like
        Shape (n, T), bool: False where there is only padding.
    lam : float
        Inverse temperature lambda, zero or more, or infinity.

    Returns
    -------
    ndarray
        Shape (n,): one number for each sentence.

    Examples
    --------
    >>> pair = Pair(np.eye(4)[0], np.eye(4)[1], 0.0, np.zeros(4), np.ones(4))
    >>> pair_predict(pair, np.ones((2, 3, 4)), np.full((2, 3), True)).tolist()
    [1.0, 1.0]

    Book: {eq}`eq-pair`.
    """
    projected = project(pair, states, mask)
    return np.sum(attend(projected.score, lam) * projected.value, axis=-1)


def hit_rates(
    pair: Pair, states: ArrayLike, mask: ArrayLike, at: ArrayLike, labels: ArrayLike
) -> tuple[float, float]:
    """Compute how often the informative token has the largest score X k, for each label.

    Parameters
    ----------
    pair : Pair
        The pair (k, v), such as ``fit_pair`` gives.
    states : array_like
        Shape (n, T, D): the states of one layer, of n sentences padded to T tokens.
    mask : array_like
        Shape (n, T), bool: False where there is only padding.
    at : array_like
        Shape (n,): number of the informative token of each sentence.
    labels : array_like
        Shape (n,): +1 or -1; both must occur.

    Returns
    -------
    positive, negative : float
        The fraction of the sentences with label +1, and with label -1.

    Examples
    --------
    >>> pair = Pair(np.eye(4)[0], np.eye(4)[1], 0.0, np.zeros(4), np.ones(4))
    >>> hit_rates(pair, np.ones((2, 3, 4)), np.full((2, 3), True), [0, 1], [1, -1])
    (1.0, 0.0)
    """
    score = project(pair, states, mask).score
    at, labels = check_places(at, np.asarray(mask)), check_labels(labels, len(score))
    hit = np.argmax(score, axis=-1) == at
    return float(np.mean(hit[labels > 0])), float(np.mean(hit[labels < 0]))


def cosine(pair: Pair) -> float:
    """Compute the cosine of the angle between k and v, in standardized coordinates."""
    return float(pair.k @ pair.v / np.linalg.norm(pair.k) / np.linalg.norm(pair.v))


def end_of(hits: Iterable[float]) -> str:
    """Name the outcome of a fit, from its hit rates on sentences with known locations.

    Parameters
    ----------
    hits : iterable of float
        The hit rates of the two labels, such as ``hit_rates`` gives.

    Returns
    -------
    str
        "found" if both rates exceed 1/2, "shortcut" if one does, "lost" if neither does.

    Examples
    --------
    >>> end_of((0.9, 0.2))
    'shortcut'
    """
    return ("lost", "shortcut", "found")[sum(rate > 0.5 for rate in hits)]


def fit_pair(
    states: ArrayLike,
    mask: ArrayLike,
    at: ArrayLike,
    labels: ArrayLike,
    penalty: float = PENALTY_OF_K,
) -> Pair:
    """Fit a pair (k, v) with known locations, by two logistic regressions on one layer's states.

    k separates the informative tokens from all others, v predicts their labels.

    Parameters
    ----------
    states : array_like
        Shape (n, T, D): the states of one layer, of n sentences padded to T tokens.
    mask : array_like
        Shape (n, T), bool: False where there is only padding.
    at : array_like
        Shape (n,): number of the informative token of each sentence.
    labels : array_like
        Shape (n,): +1 or -1.
    penalty : float
        l2 penalty of k (1 / C in scikit-learn); that of v is 1. The default was chosen on other
        word lists than the book's.

    Returns
    -------
    Pair
        ``k`` and ``v`` of shape (D,), the ``bias`` of the values, and the standardization.

    Examples
    --------
    >>> seen = load().read(subset(sentence_sets()["train"], 64, key=jax.random.key(0)))
    >>> pair = fit_pair(seen.states[5], seen.mask, seen.at, seen.labels)

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

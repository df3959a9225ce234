"""Linear probes: the label of a sentence predicted from a summary of its states at a layer."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.language.checks import (
    check_finite,
    check_labels,
    check_rows,
    check_tokens,
)
from slrlib.language.extra import needed
from slrlib.special.fractions import wilson


class Probe(NamedTuple):
    """A logistic regression: the label is the sign of ((x - mean) / scale).weight + bias."""

    mean: np.ndarray
    scale: np.ndarray
    weight: np.ndarray
    bias: float


class Score(NamedTuple):
    """How often a predictor is right, the Wilson interval of that, and the area under the ROC."""

    accuracy: np.ndarray | float
    low: np.ndarray | float
    high: np.ndarray | float
    auc: np.ndarray | float


def standardisation(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation of each column; infinity instead for a column that hardly
    changes, which then tells nothing: divided by it, rounding errors are zero too.
    """
    mean, scale = (f(x, axis=0, dtype=np.float64) for f in (np.mean, np.std))
    scale = np.where(scale > 1e-6 * (1 + np.abs(mean)), scale, np.inf)
    return mean.astype(x.dtype), scale.astype(x.dtype)


def logistic(x: np.ndarray, labels: np.ndarray, penalty: float) -> tuple[np.ndarray, float]:
    """(weight, intercept) of scikit-learn's logistic regression on standardised rows.

    One thread: on matrices of this size, several would mostly wait for one another.
    """
    fit = needed("sklearn.linear_model").LogisticRegression
    with needed("threadpoolctl").threadpool_limits(1):
        fitted = fit(C=1 / penalty, max_iter=1000).fit(x, labels)
    return fitted.coef_[0], float(fitted.intercept_[0])


def fit_probe(x: ArrayLike, labels: ArrayLike, penalty: float = 1.0) -> Probe:
    """The ``Probe`` fitted to rows ``x`` (n, D), standardised, with an l2 penalty.

    The mean logistic loss is minimised plus ``penalty`` / n times half the squared weight: this is
    scikit-learn's C = 1 / ``penalty``.

    Book: {eq}`eq-probe`.
    """
    x = check_finite("x", np.asarray(check_rows("x", x, (None, None)), np.float32))
    labels = check_labels(labels, len(x))
    penalty = checks.one_positive("penalty", penalty)
    mean, scale = standardisation(x)
    return Probe(mean, scale, *logistic((x - mean) / scale, labels, penalty))


def decide(probe: Probe, x: ArrayLike) -> np.ndarray:
    """(n,) real numbers, whose signs are the predicted labels.

    Book: {eq}`eq-probe`.
    """
    x = check_rows("x", x, (None, len(probe.weight)))
    return (x - probe.mean) / probe.scale @ probe.weight + probe.bias


def score(decisions: ArrayLike, labels: ArrayLike) -> Score:
    """The ``Score`` of signs as labels; zero counts as -1."""
    decisions = check_finite("decisions", check_rows("decisions", decisions, (None,)))
    labels = check_labels(labels, len(decisions))
    right, n = np.sum((decisions > 0) == (labels > 0)), len(labels)
    low, high = wilson(right, n)
    area = needed("sklearn.metrics").roc_auc_score(labels, decisions)
    return Score(right / n, low, high, float(area))


def mean_pooled(states: ArrayLike, mask: ArrayLike) -> np.ndarray:
    """(n, D): the mean of the states (n, T, D) of all tokens of each sentence."""
    states, mask = check_tokens(states, mask)
    return np.where(mask[..., None], states, 0).sum(1) / mask.sum(1)[:, None]


def concatenated(states: ArrayLike, mask: ArrayLike, length: int) -> np.ndarray:
    """(n, length D): the states one after another, by place, zeros where a sentence has ended."""
    (states, mask), length = check_tokens(states, mask), checks.count("length", length)
    kept = np.where(mask[..., None], states, 0)[:, :length]
    kept = np.pad(kept, ((0, 0), (0, length - kept.shape[1]), (0, 0)))
    return kept.reshape(len(kept), -1)


def hits_of_heads(attention: np.ndarray, at: ArrayLike, mask: np.ndarray) -> np.ndarray:
    """(layers, heads): how often the word that [CLS] attends to most is the informative one.

    ``attention`` (layers, n, heads, T) of [CLS]; [CLS] and [SEP] themselves do not count as words.
    """
    length = mask.shape[1]
    words = mask & (np.arange(length) > 0) & (np.arange(length) < mask.sum(1)[:, None] - 1)
    seen = np.argmax(np.where(words[:, None], attention, -1), axis=-1)
    return np.mean(seen == np.asarray(at)[:, None], axis=1)

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
from slrlib.special import wilson


class Probe(NamedTuple):
    """A logistic regression: the label is the sign of ((x - mean) / scale).weight + bias."""

    mean: np.ndarray
    scale: np.ndarray
    weight: np.ndarray
    bias: float


class Score(NamedTuple):
    """The accuracy of a predictor, its 95% Wilson interval (low, high), the area under the ROC."""

    accuracy: np.ndarray | float
    low: np.ndarray | float
    high: np.ndarray | float
    auc: np.ndarray | float


def standardisation(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean and the standard deviation of each column.

    A column that hardly changes gets the deviation infinity instead: divided by it, its rounding
    errors become zero.
    """
    mean, scale = (f(x, axis=0, dtype=np.float64) for f in (np.mean, np.std))
    scale = np.where(scale > 1e-6 * (1 + np.abs(mean)), scale, np.inf)
    return mean.astype(x.dtype), scale.astype(x.dtype)


def logistic(x: np.ndarray, labels: np.ndarray, penalty: float) -> tuple[np.ndarray, float]:
    """Return (weight, intercept) of scikit-learn's logistic regression on standardized rows.

    It uses one thread: on matrices of this size, several would mostly wait for one another.
    """
    fit = needed("sklearn.linear_model").LogisticRegression
    with needed("threadpoolctl").threadpool_limits(1):
        fitted = fit(C=1 / penalty, max_iter=1000).fit(x, labels)
    return fitted.coef_[0], float(fitted.intercept_[0])


def fit_probe(x: ArrayLike, labels: ArrayLike, penalty: float = 1.0) -> Probe:
    """Fit a logistic regression with an l2 penalty to standardized rows.

    It minimizes the mean logistic loss plus ``penalty`` / n times half the squared weight, which is
    C = 1 / ``penalty`` in scikit-learn.

    Parameters
    ----------
    x : array_like
        Shape (n, D), such as the states of [CLS] at one layer.
    labels : array_like
        Shape (n,): +1 or -1.
    penalty : float
        The l2 penalty, positive.

    Returns
    -------
    Probe
        ``weight`` (D,), ``bias``, and the standardization ``mean``, ``scale`` (D,).

    Examples
    --------
    >>> probe = fit_probe([[0.0], [1.0], [2.0], [3.0]], [-1, -1, 1, 1])
    >>> (decide(probe, [[0.0], [3.0]]) > 0).tolist()
    [False, True]

    Book: {eq}`eq-probe`.
    """
    x = check_finite("x", np.asarray(check_rows("x", x, (None, None)), np.float32))
    labels = check_labels(labels, len(x))
    penalty = checks.one_positive("penalty", penalty)
    mean, scale = standardisation(x)
    return Probe(mean, scale, *logistic((x - mean) / scale, labels, penalty))


def decide(probe: Probe, x: ArrayLike) -> np.ndarray:
    """Compute the decision of a probe for each row; its sign is the predicted label.

    Parameters
    ----------
    probe : Probe
        A fitted probe, see ``fit_probe``.
    x : array_like
        Shape (n, D).

    Returns
    -------
    ndarray
        Shape (n,): ((x - mean) / scale).weight + bias.

    Examples
    --------
    >>> decide(Probe(np.zeros(1), np.ones(1), np.ones(1), 0.5), [[1.0], [-1.0]]).tolist()
    [1.5, -0.5]

    Book: {eq}`eq-probe`.
    """
    x = check_rows("x", x, (None, len(probe.weight)))
    return (x - probe.mean) / probe.scale @ probe.weight + probe.bias


def score(decisions: ArrayLike, labels: ArrayLike) -> Score:
    """Compute the accuracy of decisions, its 95% Wilson interval, and the area under the ROC.

    Parameters
    ----------
    decisions : array_like
        Shape (n,): the predicted label is the sign; zero counts as -1.
    labels : array_like
        Shape (n,): +1 or -1.

    Returns
    -------
    Score
        ``accuracy``, the ends ``low`` and ``high`` of its interval, and ``auc``.

    Examples
    --------
    >>> float(score([1.0, 2.0, -1.0, -2.0], [1, 1, -1, 1]).accuracy)
    0.75
    """
    decisions = check_finite("decisions", check_rows("decisions", decisions, (None,)))
    labels = check_labels(labels, len(decisions))
    right, n = np.sum((decisions > 0) == (labels > 0)), len(labels)
    low, high = wilson(right, n)
    area = needed("sklearn.metrics").roc_auc_score(labels, decisions)
    return Score(right / n, low, high, float(area))


def mean_pooled(states: ArrayLike, mask: ArrayLike) -> np.ndarray:
    """Compute the mean (n, D) of the states (n, T, D) of all tokens of each sentence."""
    states, mask = check_tokens(states, mask)
    return np.where(mask[..., None], states, 0).sum(1) / mask.sum(1)[:, None]


def concatenated(states: ArrayLike, mask: ArrayLike, length: int) -> np.ndarray:
    """Return (n, length D): the states of each sentence in order, followed by zeros."""
    (states, mask), length = check_tokens(states, mask), checks.count("length", length)
    kept = np.where(mask[..., None], states, 0)[:, :length]
    kept = np.pad(kept, ((0, 0), (0, length - kept.shape[1]), (0, 0)))
    return kept.reshape(len(kept), -1)


def hits_of_heads(attention: np.ndarray, at: ArrayLike, mask: np.ndarray) -> np.ndarray:
    """Compute (layers, heads): how often [CLS] gives the informative word its largest weight.

    ``attention`` (layers, n, heads, T) is that of [CLS]; [CLS] and [SEP] do not count as words.
    """
    length = mask.shape[1]
    words = mask & (np.arange(length) > 0) & (np.arange(length) < mask.sum(1)[:, None] - 1)
    seen = np.argmax(np.where(words[:, None], attention, -1), axis=-1)
    return np.mean(seen == np.asarray(at)[:, None], axis=1)

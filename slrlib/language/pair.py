"""Pairs (k, v) and probes fitted to states of a model."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.example_libraries.optimizers import adam
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.checks import shown
from slrlib.language.extra import needed
from slrlib.special import wilson

__all__ = [
    "attend",
    "decide",
    "end_of",
    "fit_pair",
    "fit_pair_label_only",
    "fit_probe",
    "hit_rates",
    "pair_predict",
    "project",
    "score",
]


def check_labels(labels: ArrayLike, n: int, both: bool = True) -> np.ndarray:
    """Return ``labels`` as n numbers, each +1 or -1; if ``both``, both values must occur."""
    signs = np.asarray(labels)
    if signs.shape != (n,) or not np.all(np.isin(signs, (1, -1))):
        raise ValueError(f"labels must be +1 or -1, one for each of {n}, got {shown(labels)}")
    if both and abs(signs.sum()) == n:
        raise ValueError(f"labels must hold both +1 and -1, got {shown(labels)}")
    return signs


def check_tokens(
    states: ArrayLike, mask: ArrayLike, size: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return ``states`` (n, T, size) in float32 and ``mask`` (n, T); no row is all padding."""
    if np.ndim(states) != 3:
        raise ValueError(
            "states must have shape (n, T, D), those of one layer such as states[3], got "
            f"{np.shape(states)}"
        )
    states, mask = np.asarray(states, np.float32), np.asarray(mask)
    if size not in (None, states.shape[2]):
        raise ValueError(f"states must have vectors of size {size}, got {states.shape}")
    if mask.dtype != bool or mask.shape != states.shape[:2] or not np.all(mask.any(1)):
        raise ValueError(
            f"mask must be True or False for each token, of shape {states.shape[:2]}, and True for "
            f"one in each sentence, got {mask.dtype} of shape {mask.shape}"
        )
    if not np.all(np.isfinite(states[mask])):
        raise ValueError("states must be finite, got a number that is not")
    return states, mask


def check_whole(name: str, x: ArrayLike, n: int) -> np.ndarray:
    """Return ``x`` as an array of one whole number for each of n sentences."""
    x = np.asarray(x)
    if x.shape != (n,) or x.dtype.kind not in "iu":
        raise ValueError(
            f"{name} must be one whole number for each of the {n} sentences, got {shown(x)}"
        )
    return x


def check_places(at: ArrayLike, mask: np.ndarray) -> np.ndarray:
    """Return ``at`` if it is the index of a token, not padding, of each sentence."""
    at = check_whole("at", at, len(mask))
    there = np.any(mask & (np.arange(mask.shape[1]) == at[:, None]), axis=1)
    if not there.all():
        first = np.argmin(there)
        raise ValueError(f"at must be a token of its sentence, got {at[first]} in sentence {first}")
    return at


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


def standardization(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean and the standard deviation of each column.

    A column that is constant up to rounding gets an infinite deviation instead, so that dividing by
    it sets the rounding errors to zero.
    """
    mean, scale = (f(x, axis=0, dtype=np.float64) for f in (np.mean, np.std))
    scale = np.where(scale > 1e-6 * (1 + np.abs(mean)), scale, np.inf)
    return mean.astype(x.dtype), scale.astype(x.dtype)


def logistic(x: np.ndarray, labels: np.ndarray, penalty: float) -> tuple[np.ndarray, float]:
    """Return (weight, intercept) of scikit-learn's logistic regression on standardized rows.

    It uses one thread, because on matrices of this size several threads mostly wait for each other.
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
    x = np.asarray(checks.ends_in("x", x, (None, None)), np.float32)
    labels = check_labels(labels, len(x))
    penalty = checks.one_positive("penalty", penalty)
    mean, scale = standardization(x)
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
    x = np.asarray(checks.ends_in("x", x, (None, len(probe.weight))))
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
    decisions = np.asarray(checks.vectors("decisions", decisions))
    labels = check_labels(labels, len(decisions))
    right, n = np.sum((decisions > 0) == (labels > 0)), len(labels)
    low, high = wilson(right, n)
    area = needed("sklearn.metrics").roc_auc_score(labels, decisions)
    return Score(right / n, low, high, float(area))


def mean_pooled(states: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Compute the mean (n, D) of the states (n, T, D) of all tokens of each sentence."""
    return np.where(mask[..., None], states, 0).sum(1) / mask.sum(1)[:, None]


def concatenated(states: np.ndarray, mask: np.ndarray, length: int) -> np.ndarray:
    """Concatenate the states of each sentence and append zeros, to shape (n, length D)."""
    kept = np.where(mask[..., None], states, 0)[:, :length]
    kept = np.pad(kept, ((0, 0), (0, length - kept.shape[1]), (0, 0)))
    return kept.reshape(len(kept), -1)


def hits_of_heads(attention: np.ndarray, at: ArrayLike, mask: np.ndarray) -> np.ndarray:
    """Compute how often [CLS] gives the informative word its largest weight, as (layers, heads).

    ``attention`` (layers, n, heads, T) is that of [CLS]; [CLS] and [SEP] do not count as words.
    """
    length = mask.shape[1]
    words = mask & (np.arange(length) > 0) & (np.arange(length) < mask.sum(1)[:, None] - 1)
    seen = np.argmax(np.where(words[:, None], attention, -1), axis=-1)
    return np.mean(seen == np.asarray(at)[:, None], axis=1)


PENALTY_OF_K = 100.0  # l2 penalty of k with known locations; that of v is 1


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
    """Compute the score and the value of each token, which determine the prediction of a pair.

    Parameters
    ----------
    pair : Pair
        The pair (k, v), for example from ``fit_pair``.
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
    lam = float(checks.one("lam", checks.nonnegative("lam", lam, at_most=np.inf)))
    gap = np.asarray(score) - np.max(score, axis=-1, keepdims=True)
    with np.errstate(invalid="ignore", over="ignore"):  # at the top and at padding
        weights = np.where(gap == 0, 1, np.where(gap > -np.inf, np.exp(lam * gap), 0))
    return weights / weights.sum(-1, keepdims=True)


def pair_predict(pair: Pair, states: ArrayLike, mask: ArrayLike, lam: float = 1.0) -> np.ndarray:
    """Compute softmax(lam X k)^T (X v + bias), whose sign is the predicted label.

    Parameters
    ----------
    pair : Pair
        The pair (k, v), for example from ``fit_pair``.
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
        The pair (k, v), for example from ``fit_pair``.
    states : array_like
        Shape (n, T, D): the states of one layer, of n sentences padded to T tokens.
    mask : array_like
        Shape (n, T), bool: False where there is only padding.
    at : array_like
        Shape (n,): index of the informative token of each sentence.
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


def end_of(hits: Iterable[float]) -> str:
    """Name the outcome of a fit, from its hit rates on sentences with known locations.

    Parameters
    ----------
    hits : iterable of float
        The hit rates of the two labels, for example from ``hit_rates``.

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
        Shape (n,): index of the informative token of each sentence.
    labels : array_like
        Shape (n,): +1 or -1.
    penalty : float
        l2 penalty of k (1 / C in scikit-learn); that of v is 1. The default was chosen on word
        lists other than the book's.

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
    tokens = states[mask]
    informative = (np.arange(mask.shape[1]) == at[:, None])[mask]
    mean, scale = standardization(tokens)
    tokens = (tokens - mean) / scale
    k, _ = logistic(tokens, informative, penalty)
    v, bias = logistic(tokens[informative], labels, 1.0)
    return Pair(k, v, bias, mean, scale)


def _loss(weights, tokens, mask, labels, penalty):
    """Return the mean logistic loss plus penalty/2 (|k|^2 + |v|^2), summed over the pairs.

    The prediction of a pair is softmax(X k)^T X v + bias; ``tokens`` has shape (n, T, D).
    """
    n, length, size = tokens.shape
    both = tokens.reshape(-1, size) @ jnp.concatenate([weights["k"], weights["v"]]).T
    score, value = jnp.split(both.T.reshape(-1, n, length), 2)
    attention = jax.nn.softmax(jnp.where(mask[None], score, -jnp.inf), axis=-1)
    margins = (jnp.sum(attention * value, axis=-1) + weights["bias"][:, None]) * labels[None]
    size = jnp.sum(weights["k"] ** 2) + jnp.sum(weights["v"] ** 2)
    return jnp.sum(jnp.mean(jax.nn.softplus(-margins), axis=-1)) + 0.5 * penalty * size


@partial(jax.jit, static_argnames="inits")
def _learned(key, tokens, mask, labels, inits, steps, rate, penalty):
    """Take ``steps`` full-batch steps of Adam from ``inits`` small random starts."""
    start = 0.02 * jax.random.normal(key, (2, inits, tokens.shape[-1]), tokens.dtype)
    weights = {"k": start[0], "v": start[1], "bias": jnp.zeros(inits, tokens.dtype)}

    init, update, weights_of = adam(rate)

    def step(i, state):
        slope = jax.grad(_loss)(weights_of(state), tokens, mask, labels, penalty)
        return update(i.astype(tokens.dtype), slope, state)

    return weights_of(jax.lax.fori_loop(0, steps, step, init(weights)))


def fit_pair_label_only(
    states: ArrayLike,
    mask: ArrayLike,
    labels: ArrayLike,
    *,
    inits: int = 4,
    steps: int = 500,
    rate: float = 0.003,
    penalty: float = 0.001,
    key: jax.Array,
) -> list[Pair]:
    """Fit pairs (k, v) to the labels alone, each from its own random start.

    The predictor softmax(X k)^T X v + bias is trained with the logistic loss on the states of one
    frozen layer, by Adam on all sentences at once. The location of the informative token is not
    given.

    Parameters
    ----------
    states : array_like
        Shape (n, T, D): the states of one layer, of n sentences padded to T tokens.
    mask : array_like
        Shape (n, T), bool: False where there is only padding.
    labels : array_like
        Shape (n,): +1 or -1.
    inits : int
        Number of starts.
    steps : int
        Steps of Adam.
    rate : float
        Learning rate.
    penalty : float
        Factor of (|k|^2 + |v|^2) / 2 in the loss.
    key : Array
        Random key of the starts.

    Returns
    -------
    list of Pair
        One pair for each start.

    Examples
    --------
    >>> seen = load().read(subset(sentence_sets()["train"], 64, key=jax.random.key(0)))
    >>> pairs = fit_pair_label_only(seen.states[5], seen.mask, seen.labels, key=jax.random.key(1))

    Book: {eq}`eq-pair`.
    """
    tokens, mask = check_tokens(states, mask)
    labels = check_labels(labels, len(tokens))
    inits, steps = checks.count("inits", inits), checks.count("steps", steps)
    rate = checks.one_positive("rate", rate)
    penalty = float(checks.one("penalty", checks.nonnegative("penalty", penalty)))
    mean, scale = standardization(tokens[mask])
    tokens, signs = (tokens - mean) / scale, np.asarray(labels, np.float32)
    numbers = np.int32(steps), np.float32(rate), np.float32(penalty)
    learned = _learned(checks.random_key(key), tokens, mask, signs, inits, *numbers)
    k, v, bias = (np.asarray(learned[name]) for name in ("k", "v", "bias"))
    return [Pair(k[i], v[i], float(bias[i]), mean, scale) for i in range(inits)]

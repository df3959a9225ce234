"""The pair (k, v) learned from the labels alone: the paper's model on the tokens of one layer."""

from __future__ import annotations

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.language.checks import check_finite, check_labels, check_tokens
from slrlib.language.pair import Pair
from slrlib.language.probes import standardisation

# Adam with the usual constants.
_MOMENTUM, _SQUARES, _SMALL = 0.9, 0.999, 1e-8


def _predictions(weights, tokens, mask):
    """(inits, n) softmax(X k)^T X v + bias of all pairs; ``tokens`` (n, T, D)."""
    n, length, size = tokens.shape
    both = tokens.reshape(-1, size) @ jnp.concatenate([weights["k"], weights["v"]]).T
    score, value = jnp.split(both.T.reshape(-1, n, length), 2)
    attention = jax.nn.softmax(jnp.where(mask[None], score, -jnp.inf), axis=-1)
    return jnp.sum(attention * value, axis=-1) + weights["bias"][:, None]


def _loss(weights, tokens, mask, labels, penalty):
    """Return the mean logistic loss plus penalty/2 (|k|^2 + |v|^2), summed over the pairs."""
    margins = _predictions(weights, tokens, mask) * labels[None]
    size = jnp.sum(weights["k"] ** 2) + jnp.sum(weights["v"] ** 2)
    return jnp.sum(jnp.mean(jax.nn.softplus(-margins), axis=-1)) + 0.5 * penalty * size


@partial(jax.jit, static_argnames="inits")
def _learned(key, tokens, mask, labels, inits, steps, rate, penalty):
    """``steps`` steps of Adam on all sentences at once, from ``inits`` small random starts."""
    start = 0.02 * jax.random.normal(key, (2, inits, tokens.shape[-1]), tokens.dtype)
    weights = {"k": start[0], "v": start[1], "bias": jnp.zeros(inits, tokens.dtype)}

    def step(i, state):
        weights, first, second = state
        number = (i + 1).astype(tokens.dtype)
        slope = jax.grad(_loss)(weights, tokens, mask, labels, penalty)
        first = jax.tree.map(lambda m, g: _MOMENTUM * m + (1 - _MOMENTUM) * g, first, slope)
        second = jax.tree.map(lambda m, g: _SQUARES * m + (1 - _SQUARES) * g**2, second, slope)
        now, grown = 1 - _MOMENTUM**number, 1 - _SQUARES**number

        def moved(w, m, s):
            return w - rate * (m / now) / (jnp.sqrt(s / grown) + _SMALL)

        return jax.tree.map(moved, weights, first, second), first, second

    zero = jax.tree.map(jnp.zeros_like, weights)
    return jax.lax.fori_loop(0, steps, step, (weights, zero, zero))[0]


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
    mean, scale = standardisation(check_finite("states", tokens[mask]))
    tokens, signs = (tokens - mean) / scale, np.asarray(labels, np.float32)
    numbers = np.int32(steps), np.float32(rate), np.float32(penalty)
    learned = _learned(checks.random_key(key), tokens, mask, signs, inits, *numbers)
    k, v, bias = (np.asarray(learned[name]) for name in ("k", "v", "bias"))
    return [Pair(k[i], v[i], float(bias[i]), mean, scale) for i in range(inits)]

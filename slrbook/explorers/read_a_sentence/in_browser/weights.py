"""The weights of the encoder up to one layer, each row of a matrix rounded to eight bits.

A row r becomes integers q from -127 to 127 and one number s, so that r is s q up to s / 2. Layer
norms, biases and positions stay in 32 bits.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from jax.typing import ArrayLike

from slrlib.language.encoder import Bert
from slrlib.language.pair import Pair

LEVELS = 127


class Rounded(NamedTuple):
    """A matrix in eight bits, one row per output: ``whole * scale[:, None]``."""

    whole: np.ndarray  # (rows, columns), int8
    scale: np.ndarray  # (rows,), float32


def rounded(matrix: ArrayLike) -> Rounded:
    """Round each row to integers, in units of its largest absolute entry divided by 127."""
    matrix = np.asarray(matrix, np.float32)
    largest = np.abs(matrix).max(axis=1)
    scale = np.where(largest > 0, largest, 1).astype(np.float32) / np.float32(LEVELS)
    return Rounded(np.round(matrix / scale[:, None]).astype(np.int8), scale)


def arrays(bert: Bert, layers: int, longest: int) -> Iterator[tuple[str, np.ndarray]]:
    """Yield (name, array) of all that ``encoder.js`` needs for sentences of ``longest`` tokens.

    A matrix ``x`` is given as ``x.whole`` and ``x.scale``; names in layer i begin with ``i.``.
    """
    weights = bert.weights

    def matrix(name, values):
        for kind, array in rounded(values)._asdict().items():
            yield f"{name}.{kind}", array

    def dense(name, values):
        yield f"{name}.bias", np.asarray(values.bias, np.float32)
        if np.ndim(values.weight) == 1:
            yield f"{name}.weight", np.asarray(values.weight, np.float32)
        else:
            yield from matrix(name, np.asarray(values.weight).T)

    yield from matrix("word", weights.word)
    place = np.asarray(weights.position[:longest]) + np.asarray(weights.segment)
    yield "position", place.astype(np.float32)
    yield from dense("norm", weights.embedding_norm)
    for i in range(layers):
        for name, values in weights.blocks._asdict().items():
            yield from dense(f"{i}.{name}", type(values)(values.weight[i], values.bias[i]))


def seen_by(pair: Pair) -> dict:
    """Return the pair as two affine maps x -> x @ direction + offset."""
    directions = {"score": (pair.k / pair.scale, 0.0), "value": (pair.v / pair.scale, pair.bias)}
    return {
        name: {
            "direction": [float(f"{x:.8g}") for x in way],
            "offset": float(bias - pair.mean @ way),
        }
        for name, (way, bias) in directions.items()
    }


def packed(bert: Bert, pair: Pair, layers: int, longest: int) -> tuple[dict, bytes]:
    """Return (manifest, bytes): the 32-bit arrays, then the 8-bit arrays, then the vocabulary."""
    found = sorted(arrays(bert, layers, longest), key=lambda named: named[1].itemsize == 1)
    numbered = bert.tokenizer.get_vocab()
    words = "\n".join(sorted(numbered, key=numbered.get)).encode()
    manifest = {
        "layers": layers,
        "heads": bert.shape.heads,
        "epsilon": bert.shape.epsilon,
        "longest": longest,
        "arrays": [[name, array.size, 8 * array.itemsize] for name, array in found],
        "words": len(words),
        "pair": seen_by(pair),
    }
    return manifest, b"".join([array.tobytes() for _, array in found]) + words

"""Sentences as word pieces: ids for the encoder, and the position of each piece in the text."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from jax.typing import ArrayLike

from slrlib.language.extra import needed


class Tokens(NamedTuple):
    """A set of n sentences, all padded to its longest one, of T tokens with [CLS] and [SEP]."""

    ids: np.ndarray  # (n, T), int32
    mask: np.ndarray  # (n, T), False where there is only padding
    spans: np.ndarray  # (n, T, 2), first character and the one after the last; (0, 0) if none
    pieces: list[list[str]]  # n lists of word pieces, without padding

    def at(self, place: ArrayLike) -> np.ndarray:
        """(n,) index of the token that holds character number ``place`` of each sentence."""
        place = np.asarray(place)
        if place.shape != (len(self.ids),) or place.dtype.kind not in "iu":
            raise ValueError(
                f"place must be one whole number for each of the {len(self.ids)} sentences, got "
                f"{place.dtype} numbers of shape {place.shape}"
            )
        holds = (self.spans[..., 0] <= place[:, None]) & (place[:, None] < self.spans[..., 1])
        if not holds.any(1).all():
            first = int(np.argmin(holds.any(1)))
            raise ValueError(
                f"place must be within a word of its sentence, got {place[first]} in sentence "
                f"{first}"
            )
        return np.argmax(holds, axis=1)


def read_tokenizer(folder: Path) -> Any:
    """Read ``tokenizer.json``, without the padding and truncation that it may specify."""
    file = folder / "tokenizer.json"
    try:
        tokenizer = needed("tokenizers").Tokenizer.from_file(str(file))
    except ModuleNotFoundError:
        raise
    except Exception as broken:  # the only kind that tokenizers raises
        raise ValueError(
            f"{file} must be a file of the package tokenizers, got {broken}"
        ) from broken
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def tokens_of(tokenizer: Any, sentences: Iterable[str], longest: int) -> Tokens:
    """Return ``Tokens`` of a set of sentences, none of them with more than ``longest`` tokens."""
    sentences = _checked(sentences)
    encoded = tokenizer.encode_batch(sentences)
    lengths = np.array([len(each.ids) for each in encoded])
    if lengths.max() > longest:
        first = int(np.argmax(lengths > longest))
        raise ValueError(
            f"sentences must have at most {longest} tokens each, got {lengths[first]} in sentence "
            f"{first}"
        )
    mask = np.arange(lengths.max()) < lengths[:, None]
    ids = np.zeros(mask.shape, np.int32)
    spans = np.zeros((*mask.shape, 2), np.int32)
    ids[mask] = np.concatenate([each.ids for each in encoded])
    spans[mask] = np.concatenate([each.offsets for each in encoded])
    return Tokens(ids, mask, spans, [each.tokens for each in encoded])


def _checked(sentences):
    if isinstance(sentences, str) or not hasattr(sentences, "__iter__"):
        raise ValueError(f"sentences must be a list of sentences, got {sentences!r}")
    sentences = list(sentences)
    if not sentences:
        raise ValueError("sentences must hold at least one sentence, got an empty list")
    for number, sentence in enumerate(sentences):
        if not isinstance(sentence, str):
            raise ValueError(
                f"sentences must be text, got {sentence!r} ({type(sentence).__name__}) as "
                f"sentence {number}"
            )
    return [str(sentence) for sentence in sentences]

"""Checks of labels, tokens and locations before anything is fitted to them."""

from __future__ import annotations

import numpy as np
from jax.typing import ArrayLike

from slrlib.checks import shown

_LABELS = "labels must be +1 or -1, one for each of {n} sentence{s}{also}, got {got}"


def check_signs(labels: ArrayLike, n: int, also: str = "") -> np.ndarray:
    """Return ``labels`` as n numbers, each +1 or -1; ``also`` is added to the message."""
    signs = np.asarray(labels)
    if signs.dtype.kind not in "fiu" or signs.shape != (n,) or not np.all(np.abs(signs) == 1):
        raise ValueError(_LABELS.format(n=n, s="s" * (n != 1), also=also, got=shown(labels)))
    return signs


def check_labels(labels: ArrayLike, n: int) -> np.ndarray:
    """Return ``labels`` as n numbers, each +1 or -1; both values must occur."""
    also = ", with both of them there"
    signs = check_signs(labels, n, also)
    if abs(signs.sum()) == n:
        raise ValueError(_LABELS.format(n=n, s="s" * (n != 1), also=also, got=shown(labels)))
    return signs


def check_rows(name: str, x: ArrayLike, shape: tuple[int | None, ...]) -> np.ndarray:
    """``x`` as a full array of numbers of this ``shape``; None there stands for any size."""
    if np.ma.is_masked(x):
        raise ValueError(f"{name} must have no masked entries, got {np.ma.count_masked(x)}")
    given, x = x, np.asarray(x)
    if x.dtype.kind not in "fiu":
        raise ValueError(f"{name} must be numbers, got {shown(given)}")
    if x.ndim != len(shape) or any(
        want not in (None, size) for want, size in zip(shape, x.shape, strict=True)
    ):
        wanted = ", ".join("any" if size is None else str(size) for size in shape)
        raise ValueError(f"{name} must have shape ({wanted}), got {x.shape}")
    return x


def check_finite(name: str, x: np.ndarray) -> np.ndarray:
    """Return ``x``; refuse numbers that are infinite or NaN."""
    if not np.all(np.isfinite(x)):
        first = x[~np.isfinite(x)][0]
        raise ValueError(f"{name} must be finite, got {first} in an array of shape {x.shape}")
    return x


def check_tokens(
    states: ArrayLike, mask: ArrayLike, size: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """``states`` (n, T, size) in float32 and ``mask`` (n, T), with a token in each sentence."""
    if np.ndim(states) != 3:
        raise ValueError(
            "states must have shape (n, T, D), those of one layer such as states[3], got "
            f"{np.shape(states)}"
        )
    states, mask = check_rows("states", states, (None, None, size)), np.asarray(mask)
    if mask.dtype != bool or mask.shape != states.shape[:2]:
        raise ValueError(
            f"mask must be True or False for each token, of shape {states.shape[:2]}, got "
            f"{mask.dtype} of shape {mask.shape}"
        )
    if not np.all(mask.any(1)):
        raise ValueError(
            f"mask must leave each sentence a token, got none in sentence {np.argmin(mask.any(1))}"
        )
    return np.asarray(states, np.float32), mask


def check_places(at: ArrayLike, mask: np.ndarray) -> np.ndarray:
    """``at`` as the number of one token of each sentence, none of them padding."""
    at, n = np.asarray(at), len(mask)
    if at.shape != (n,) or at.dtype.kind not in "iu":
        raise ValueError(
            f"at must be one whole number for each of the {n} sentences, got {shown(at)}"
        )
    there = (at >= 0) & (at < mask.shape[1])
    there[there] = mask[there, at[there]]
    if not there.all():
        first = np.argmin(there)
        raise ValueError(f"at must be a token of its sentence, got {at[first]} in sentence {first}")
    return at

"""The symmetries of the risk of several heads: signed permutations of k*, v*, k, v."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np


def _signed(order, signs):
    """Return the matrix that moves row ``order[i]``, times ``signs[i]``, to position i."""
    return np.eye(len(order))[list(order)] * np.asarray(signs, float)[:, None]


def symmetries(m: int, H: int, target_gram: np.ndarray, shared_noise: bool) -> np.ndarray:
    """Return the symmetries that also preserve the inner products of the targets.

    Heads may be exchanged, and (k_h, v_h) replaced by -(k_h, v_h). Locations may be exchanged. A
    token may change its sign with its k_i* and v_i*; with shared noise, all of them together. All
    v_i* may change their sign with all v_h.
    """
    turns = list(product([1, -1], repeat=m))
    if shared_noise:
        turns = [(sign,) * m for sign in (1, -1)]
    none, found = np.zeros((2 * m, 2 * H)), []
    for places, turn, v_sign in product(permutations(range(m)), turns, (1, -1)):
        signs = *turn, *(v_sign * sign for sign in turn)
        targets = _signed([*places, *(m + i for i in places)], signs)
        if np.allclose(targets @ target_gram @ targets.T, target_gram, atol=1e-9):
            for order, both in product(permutations(range(H)), product([1, -1], repeat=H)):
                signs = *both, *(v_sign * sign for sign in both)
                heads = _signed([*order, *(H + i for i in order)], signs)
                found.append(np.block([[targets, none], [none.T, heads]]))
    return np.array(found)


def canonical(gram: np.ndarray, m: int, H: int, shared_noise: bool) -> np.ndarray:
    """Return the image of ``gram`` (n, n) that matches head i to pair i, by nu, then by kappa.

    Small weights on the other products break ties.
    """
    moves = symmetries(m, H, gram[: 2 * m, : 2 * m], shared_noise)
    weights = 1e-3 / (2.0 + np.arange(gram.size).reshape(gram.shape))
    for i in range(min(m, H)):
        weights[m + i, 2 * m + H + i] = 1.0 + 1e-2 / (1 + i)
        weights[i, 2 * m + i] = 0.5
    images = moves @ gram @ moves.transpose(0, 2, 1)
    return images[np.argmax(np.sum(weights * images, axis=(1, 2)))]

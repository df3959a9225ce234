"""What a step of SGD draws, and what of it does not depend on where the run stands.

Along k and along the direction ``side`` of v without its part along k, a noise token has two
standard normal coordinates s and h. So X k = s, X v = rho s + sqrt(1 - rho^2) h, and all that the
step needs of the noise tokens of a sample is eleven sums of products of s, h, e = erf(lam s) and
f = lam erf'(lam s). They hold neither k nor v: many steps' sums can be taken ahead of the steps.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp

from slrlib.dynamics.draws import _chi_squares, _normals
from slrlib.special import erf, erf_prime

SPARE = 10  # normal numbers of a step beside those of its tokens


class _Sums(NamedTuple):
    """Sums over the noise tokens of a sample, each of shape (B, *batch)."""

    es: jax.Array
    eh: jax.Array
    ee: jax.Array
    fss: jax.Array
    fsh: jax.Array
    fhh: jax.Array
    ffss: jax.Array
    ffsh: jax.Array
    ffhh: jax.Array
    efs: jax.Array
    efh: jax.Array


class _Drawn(NamedTuple):
    """The normal numbers of a step in float32, and its two chi-squares."""

    s: jax.Array  #     (B, L - 1, *batch)
    h: jax.Array
    own: jax.Array  #   (5, B, *batch): the informative token in the frame, and the label noise
    spare: jax.Array  # (SPARE, *batch)
    chi: jax.Array  #   (2, *batch): square roots


def _pairs_drawn(batch, tokens):
    """How many pairs of words a step needs: noise tokens, informative tokens, spare numbers."""
    return batch * (tokens - 1) + 3 * batch + SPARE // 2


def _draw(words, key, step, d, batch, tokens, like):
    """All that step ``step`` draws; ``like`` has the shape of the batch of runs, and the type."""
    lanes, others, rows = like.shape, batch * (tokens - 1), _pairs_drawn(batch, tokens)
    x, y = _normals(*words)
    own = jnp.concatenate([x[others:], y[others:]])
    freedom = jnp.broadcast_to(jnp.asarray(d, like.dtype), lanes) - 4.0
    return _Drawn(
        s=x[:others].reshape(batch, tokens - 1, *lanes),
        h=y[:others].reshape(batch, tokens - 1, *lanes),
        own=own[: 5 * batch].reshape(5, batch, *lanes),
        spare=own[6 * batch :],
        chi=jnp.sqrt(_chi_squares(key, step, rows, jnp.stack([freedom, freedom - 1.0]))),
    )


def _summed(s, h, lam):
    """The eleven sums of the noise tokens at ``lam``, whose precision they take."""
    s, h = s.astype(lam.dtype), h.astype(lam.dtype)
    e, f = erf(lam * s), lam * erf_prime(lam * s)
    fs, fh = f * s, f * h
    pairs = (e, s), (e, h), (e, e), (fs, s), (fs, h), (fh, h)
    pairs += (fs, fs), (fs, fh), (fh, fh), (e, fs), (e, fh)
    return _Sums(*(jnp.sum(x * y, axis=1) for x, y in pairs))

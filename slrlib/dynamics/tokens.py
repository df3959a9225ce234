"""The random numbers of a step of SGD, and the sums over them that do not depend on (k, v).

Let ``side`` be the direction of v without its part along k. A noise token has two standard normal
coordinates, s along k and h along ``side``. So X k = s and X v = rho s + sqrt(1 - rho^2) h, and a
step needs only eleven sums over the noise tokens of a sample, of products of s, h, e = erf(lam s)
and f = lam erf'(lam s). The sums do not depend on k and v: they can be computed for many steps
before the first of these.

The normal numbers are float32, and so are erf, its derivative and the sums. Relative to the spread
of one sample, their rounding error is 1e-7.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from slrlib.dynamics.draws import chi_squares
from slrlib.special import erf, erf_prime

SPARE = 10  # normal numbers of a step beside those of its tokens


class Sums(NamedTuple):
    """Sums over the noise tokens of a sample in float32, each of shape (B, *batch)."""

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


class Drawn(NamedTuple):
    """The other random numbers of a step: normals in float32, and square roots of chi-squares."""

    own: jax.Array  #   (5, B, *batch): the informative token in the frame, and the label noise
    spare: jax.Array  # (SPARE, *batch)
    chi: jax.Array  #   (2, *batch): square roots


def pairs_drawn(batch: int, tokens: int) -> int:
    """Count the pairs of words of a step: noise tokens, informative tokens, spare numbers."""
    return batch * (tokens - 1) + 3 * batch + SPARE // 2


def noise_tokens(
    normals: tuple[jax.Array, jax.Array], batch: int, tokens: int, lanes: tuple[int, ...]
) -> tuple[jax.Array, jax.Array]:
    """The coordinates s and h, each of shape (L - 1, B, *batch)."""
    others = batch * (tokens - 1) * math.prod(lanes)
    s, h = (x[:others].reshape(tokens - 1, batch, *lanes) for x in normals)
    return s, h


def draw_rest(
    normals: tuple[jax.Array, jax.Array],
    key: jax.Array,
    step: ArrayLike,
    d: ArrayLike,
    batch: int,
    tokens: int,
    like: jax.Array,
) -> Drawn:
    """Draw the other random numbers of a step; ``like`` has the shape and the type of the runs."""
    lanes, rows = like.shape, pairs_drawn(batch, tokens)
    others = batch * (tokens - 1) * like.size
    rest = jnp.concatenate([x[others:] for x in normals]).reshape(-1, *lanes)
    freedom = jnp.broadcast_to(jnp.asarray(d, like.dtype), lanes) - 4.0
    chi = chi_squares(key, step, rows, jnp.stack([freedom, freedom - 1.0]))
    own = rest[: 5 * batch].reshape(5, batch, *lanes)
    return Drawn(own, rest[6 * batch :], jnp.sqrt(chi))


def summed(s: jax.Array, h: jax.Array, lam: jax.Array) -> Sums:
    """The eleven sums of the noise tokens at ``lam``, in the precision of ``s`` and ``h``."""
    shape, lam = s.shape, lam.astype(s.dtype)
    s, h = (x.reshape(len(x), math.prod(shape[1:])) for x in (s, h))
    e, f = erf(lam * s), lam * erf_prime(lam * s)
    fs, fh = f * s, f * h
    pairs = (e, s), (e, h), (e, e), (fs, s), (fs, h), (fh, h)
    pairs += (fs, fs), (fs, fh), (fh, fh), (e, fs), (e, fh)
    return Sums(*(jnp.sum(x * y, axis=0).reshape(shape[1:]) for x, y in pairs))

"""Overlaps of random starts, with their exact distribution in any dimension."""

from __future__ import annotations

from functools import partial

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from slrlib import checks, sphere
from slrlib.overlaps.five import Overlaps
from slrlib.overlaps.frame import Frame, from_frame


@partial(jax.jit, static_argnames=("shape", "on_manifold"))
def _drawn(key, d, shape, on_manifold):
    keys = jax.random.split(key, 3)
    g = sphere.in_a_row(jax.random.normal, keys[0], (*shape, 5))
    # The norms of standard Gaussian vectors in 2 half dimensions, zero if none. One loop samples
    # both, because the gamma distribution takes most of the compile time.
    half = jnp.stack([(jnp.asarray(d, float) - less) / 2.0 for less in (2.0, 3.0)])
    draw = jax.vmap(lambda key, a: jax.random.gamma(key, a, shape))
    drawn = draw(keys[1:], jnp.maximum(half, 0.5))
    lengths = (jnp.where(h > 0, jnp.sqrt(2.0 * x), 0.0) for x, h in zip(drawn, half, strict=True))
    chi_k, chi_v = lengths
    if on_manifold:
        kappa, nu = g[..., 0] / jnp.hypot(g[..., 0], chi_k), g[..., 1] / jnp.hypot(g[..., 1], chi_v)
        zero = jnp.zeros_like(kappa)
        return Overlaps(kappa, nu, zero, zero, zero)
    third = jnp.where(half[0] > 0, g[..., 4], 0.0)  # R^2 has no third axis
    k = jnp.stack([g[..., 0], g[..., 1], chi_k], -1)
    v = jnp.stack([g[..., 2], g[..., 3], third, chi_v], -1)
    return from_frame(Frame(sphere.project(k), sphere.project(v)))


def random_overlaps(
    key: jax.Array, d: ArrayLike, shape: tuple[int, ...] = (), on_manifold: bool = False
) -> Overlaps:
    """Sample overlaps of random starts (k, v) in R^d, with their exact distribution.

    No vector of length d is made, so d may be 1e9. Off M, k and v are independent and uniform on
    the unit sphere. On M they are sampled as in the paper's experiments: k is uniform among the
    unit vectors orthogonal to v*, then v is uniform among those orthogonal to k* and k. So kappa is
    a coordinate of a uniform point of the unit sphere of R^(d-1), nu one of R^(d-2), and the two
    are independent.

    Parameters
    ----------
    key : jax.Array
        Random key.
    d : array_like
        Dimension, a whole number >= 2; a shape that broadcasts with ``shape``.
    shape : tuple of int
        Shape of the batch.
    on_manifold : bool
        Whether to start on M, where theta = eta = rho = 0.

    Returns
    -------
    Overlaps
        The five overlaps, each of shape ``shape``.

    Examples
    --------
    >>> o = random_overlaps(jax.random.key(0), 400, (3,), on_manifold=True)
    >>> o.kappa.shape, float(o.rho[0])
    ((3,), 0.0)

    Book: {eq}`eq-start`.
    """
    d = checks.whole("d", d, 2)
    key, shape = checks.random_key(key), checks.shape("shape", shape)
    return _drawn(key, d, shape, checks.flag("on_manifold", on_manifold))

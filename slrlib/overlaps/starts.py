"""Overlaps of random starts, exactly in law at any dimension."""

import jax
import jax.numpy as jnp

from slrlib import _door, sphere
from slrlib.overlaps.five import Overlaps
from slrlib.overlaps.frame import Frame, from_frame


def _chi(key, freedom, shape):
    """The length of a standard Gaussian vector in ``freedom`` dimensions, zero if none."""
    half = jnp.asarray(freedom, float) / 2.0
    drawn = jax.random.gamma(key, jnp.maximum(half, 0.5), shape)
    return jnp.where(half > 0, jnp.sqrt(2.0 * drawn), 0.0)


def random_overlaps(key, d, shape=(), on_manifold=False):
    """Overlaps of random starts in R^d, exactly in law; no d-vector is made, so d may be 1e9.

    Off M, k and v are independent and uniform on the sphere. On M, they are drawn as the paper's
    experiments draw them: k uniform among the unit vectors orthogonal to v*, then v uniform among
    those orthogonal to k* and k. So kappa is a coordinate of a uniform point in R^(d-1), nu one in
    R^(d-2), and the two are independent.

    Book: {eq}`eq-start`.
    """
    d = _door.whole("d", d, 2)
    key_g, key_k, key_v = jax.random.split(_door.random_key(key), 3)
    g = jax.random.normal(key_g, (*shape, 5))
    if on_manifold:
        kappa = g[..., 0] / jnp.hypot(g[..., 0], _chi(key_k, d - 2.0, shape))
        nu = g[..., 1] / jnp.hypot(g[..., 1], _chi(key_v, d - 3.0, shape))
        zero = jnp.zeros_like(kappa)
        return Overlaps(kappa, nu, zero, zero, zero)
    third = jnp.where(jnp.asarray(d) > 2, g[..., 4], 0.0)  # in the plane nothing is left
    k = jnp.stack([g[..., 0], g[..., 1], _chi(key_k, d - 2.0, shape)], -1)
    v = jnp.stack([g[..., 2], g[..., 3], third, _chi(key_v, d - 3.0, shape)], -1)
    return from_frame(Frame(sphere.project(k), sphere.project(v)))

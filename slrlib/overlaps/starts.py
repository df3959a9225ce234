"""Overlaps of random starts, exactly in law at any dimension."""

from functools import partial

import jax
import jax.numpy as jnp

from slrlib import _door, sphere
from slrlib.overlaps.five import Overlaps
from slrlib.overlaps.frame import Frame, from_frame


# Few compiled programs instead of many small ones; the large one, of the gamma draws, serves twice.
@jax.jit
def _prepared(key, d):
    """Keys for the normal numbers, k and v, and half the degrees of freedom of k and v."""
    half = [(jnp.asarray(d, float) - less) / 2.0 for less in (2.0, 3.0)]
    return jax.random.split(key, 3), half, [jnp.maximum(x, 0.5) for x in half]


@partial(jax.jit, static_argnames="on_manifold")
def _placed(g, drawn, half, on_manifold):
    # The lengths of standard Gaussian vectors in 2 half dimensions, zero if none.
    lengths = (jnp.where(h > 0, jnp.sqrt(2.0 * x), 0.0) for x, h in zip(drawn, half, strict=True))
    chi_k, chi_v = lengths
    if on_manifold:
        kappa, nu = g[..., 0] / jnp.hypot(g[..., 0], chi_k), g[..., 1] / jnp.hypot(g[..., 1], chi_v)
        zero = jnp.zeros_like(kappa)
        return Overlaps(kappa, nu, zero, zero, zero)
    third = jnp.where(half[0] > 0, g[..., 4], 0.0)  # in the plane nothing is left
    k = jnp.stack([g[..., 0], g[..., 1], chi_k], -1)
    v = jnp.stack([g[..., 2], g[..., 3], third, chi_v], -1)
    return from_frame(Frame(sphere.project(k), sphere.project(v)))


def random_overlaps(key, d, shape=(), on_manifold=False):
    """Overlaps of random starts in R^d, exactly in law; no d-vector is made, so d may be 1e9.

    Off M, k and v are independent and uniform on the sphere. On M, they are drawn as the paper's
    experiments draw them: k uniform among the unit vectors orthogonal to v*, then v uniform among
    those orthogonal to k* and k. So kappa is a coordinate of a uniform point in R^(d-1), nu one in
    R^(d-2), and the two are independent.

    Book: {eq}`eq-start`.
    """
    d = _door.whole("d", d, 2)
    keys, half, shapes = _prepared(_door.random_key(key), d)
    g = jax.random.normal(keys[0], (*shape, 5))
    drawn = [jax.random.gamma(k, a, shape) for k, a in zip(keys[1:], shapes, strict=True)]
    return _placed(g, drawn, half, bool(on_manifold))

"""Where a run stands now, in one word: the basin that it is in, and whether the pair is found."""

from __future__ import annotations

import jax.numpy as jnp
from jax import Array
from jax.typing import ArrayLike

from slrlib.landscape.basins import LARGE, basin
from slrlib.overlaps import Overlaps
from slrlib.task import Task

LOCKED = 0.95  # both |kappa| and |nu| of a pair that is found
NEAR_SADDLE = 0.1
STATES = ("under way", "locked on", "swapped", "tilted", "on the plateau")
MANIFOLD_STATES = ("under way", "locked on", "at a maximum", "at the saddle", "on the plateau")


def found(kappa: ArrayLike, nu: ArrayLike) -> Array:
    """Whether both directions are found: |kappa| and |nu| at least ``LOCKED``, of one sign."""
    kappa, nu = jnp.asarray(kappa), jnp.asarray(nu)
    return (abs(kappa) >= LOCKED) & (abs(nu) >= LOCKED) & (kappa * nu > 0)


def state(o: Overlaps, lam: ArrayLike, task: Task) -> Array:
    """Where a run at overlaps ``o`` stands at ``lam``, as an index into ``STATES``, of any shape.

    It is the ``basin`` of ``o``, told apart in time: a run that locks on is "locked on" once the
    pair is found, and "on the plateau" before, when v reads v* and k still looks elsewhere. What
    is undecided is "under way".
    """
    return in_time(basin(o, lam, task), o.kappa, o.nu)


def in_time(code: ArrayLike, kappa: ArrayLike, nu: ArrayLike) -> Array:
    """The index into ``STATES`` of a run at these overlaps in the basin of this ``code``."""
    code = jnp.asarray(code)
    return jnp.where((code == 1) & ~found(kappa, nu), 4, code)


def manifold_state(kappa: ArrayLike, nu: ArrayLike) -> Array:
    """Where a run on M stands, as an index into ``MANIFOLD_STATES``.

    "locked on" and "on the plateau" mean what they mean in ``state``, while (k*, v*) is a minimum.
    At a maximum both overlaps are past ``LOCKED``, with opposite signs; at the saddle both are
    below ``NEAR_SADDLE``.
    """
    kappa, nu = jnp.asarray(kappa), jnp.asarray(nu)
    past = (abs(kappa) >= LOCKED) & (abs(nu) >= LOCKED)
    near = (abs(kappa) < NEAR_SADDLE) & (abs(nu) < NEAR_SADDLE)
    rest = jnp.where(near, 3, jnp.where(abs(nu) > LARGE, 4, 0))
    return jnp.where(found(kappa, nu), 1, jnp.where(past, 2, rest))

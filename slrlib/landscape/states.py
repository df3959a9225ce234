"""Where a run is: at the teacher, on the plateau, swapped, tilted, or undecided."""

from __future__ import annotations

import jax.numpy as jnp
from jax import Array
from jax.typing import ArrayLike

from slrlib.landscape.basins import LARGE, basin
from slrlib.overlaps import Overlaps
from slrlib.task import Task

LOCKED = 0.95  # both |kappa| and |nu| of a pair that is found
NEAR_SADDLE = 0.1
#: The states of a run; ``state`` returns a position in this tuple.
STATES = ("undecided", "recovered the teacher", "swapped", "tilted", "on the plateau")
MANIFOLD_STATES = (
    "undecided",
    "recovered the teacher",
    "at a maximum",
    "at the saddle",
    "on the plateau",
)


def found(kappa: ArrayLike, nu: ArrayLike) -> Array:
    """Whether both directions are found: |kappa| and |nu| at least ``LOCKED``, of one sign."""
    kappa, nu = jnp.asarray(kappa), jnp.asarray(nu)
    return (abs(kappa) >= LOCKED) & (abs(nu) >= LOCKED) & (kappa * nu > 0)


def state(o: Overlaps, lam: ArrayLike, task: Task) -> Array:
    """Return where a run at overlaps ``o`` is at ``lam``, as an index into ``STATES``.

    The run has *recovered the teacher* where |kappa| and |nu| are at least ``LOCKED``, of one
    sign, and (k*, v*) is a minimum. It is *on the plateau* where ``basin`` finds it in the basin
    of the pair and kappa or nu is still smaller. *Swapped*, *tilted* and *undecided* are as in
    ``basin``.

    Parameters
    ----------
    o : Overlaps
        The overlaps of the runs, each of any shape.
    lam : float or array
        The inverse temperature.
    task : Task
        The task.

    Returns
    -------
    jax.Array
        Indices into ``STATES``, of the shape of the overlaps.

    Examples
    --------
    >>> o = Overlaps(0.2, 1.0, 0.0, 0.0, 0.0)
    >>> STATES[int(state(o, 0.1, Task(d=400, L=10)))]
    'on the plateau'
    """
    return in_time(basin(o, lam, task), o.kappa, o.nu)


def in_time(code: ArrayLike, kappa: ArrayLike, nu: ArrayLike) -> Array:
    """The index into ``STATES`` of a run at these overlaps in the basin of this ``code``."""
    code = jnp.asarray(code)
    return jnp.where((code == 1) & ~found(kappa, nu), 4, code)


def manifold_state(kappa: ArrayLike, nu: ArrayLike) -> Array:
    """Where a run on M stands, as an index into ``MANIFOLD_STATES``.

    "recovered the teacher" and "on the plateau" mean what they mean in ``state``, while (k*, v*) is
    a minimum. At a maximum both overlaps are past ``LOCKED``, with opposite signs; at the saddle
    both are below ``NEAR_SADDLE``.
    """
    kappa, nu = jnp.asarray(kappa), jnp.asarray(nu)
    past = (abs(kappa) >= LOCKED) & (abs(nu) >= LOCKED)
    near = (abs(kappa) < NEAR_SADDLE) & (abs(nu) < NEAR_SADDLE)
    rest = jnp.where(near, 3, jnp.where(abs(nu) > LARGE, 4, 0))
    return jnp.where(found(kappa, nu), 1, jnp.where(past, 2, rest))

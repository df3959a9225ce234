"""The state of a run: the point that it has reached, or the basin that it is in."""

from __future__ import annotations

from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.dynamics import advance
from slrlib.dynamics.run import Run
from slrlib.landscape.swapped import minimizer_determinant, swapped_is_minimum
from slrlib.overlaps import Overlaps, possible
from slrlib.task import Task

__all__ = ["BASINS", "STATES", "basin", "basins_of", "state"]

LOCKED = 0.95  # least |kappa| and |nu| at which the teacher is recovered
NEAR_SADDLE = 0.1
#: The states of a run; ``state`` returns an index into this tuple.
STATES = ("undecided", "recovered the teacher", "swapped", "tilted", "on the plateau")
MANIFOLD_STATES = *STATES[:2], "at a maximum", "at the saddle", STATES[-1]


def found(kappa: ArrayLike, nu: ArrayLike) -> Array:
    """Return whether |kappa| and |nu| are at least ``LOCKED``, with equal signs."""
    kappa, nu = jnp.asarray(kappa), jnp.asarray(nu)
    return (abs(kappa) >= LOCKED) & (abs(nu) >= LOCKED) & (kappa * nu > 0)


def state(o: Overlaps, lam: ArrayLike, task: Task) -> Array:
    """Return the state of a run at overlaps ``o`` and ``lam``, as an index into ``STATES``.

    The run has *recovered the teacher* if |kappa| and |nu| are at least 0.95, kappa and nu have the
    same sign, and (k*, v*) is a minimum. It is *on the plateau* if ``basin`` finds it in the basin
    of the pair but it has not recovered the teacher. *Swapped*, *tilted* and *undecided* are
    defined as in ``basin``.

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
    """Return the index into ``STATES`` of a run with these overlaps and this basin ``code``."""
    code = jnp.asarray(code)
    return jnp.where((code == 1) & ~found(kappa, nu), 4, code)


def manifold_state(kappa: ArrayLike, nu: ArrayLike) -> Array:
    """Return the state of a run on M, as an index into ``MANIFOLD_STATES``.

    "recovered the teacher" and "on the plateau" have the same meaning as in ``state``, if (k*, v*)
    is a minimum. At a maximum, |kappa| and |nu| are at least ``LOCKED`` and the signs of kappa and
    nu are opposite; at the saddle, both are below ``NEAR_SADDLE``.
    """
    kappa, nu = jnp.asarray(kappa), jnp.asarray(nu)
    past = (abs(kappa) >= LOCKED) & (abs(nu) >= LOCKED)
    near = (abs(kappa) < NEAR_SADDLE) & (abs(nu) < NEAR_SADDLE)
    rest = jnp.where(near, 3, jnp.where(abs(nu) > LARGE, 4, 0))
    return jnp.where(found(kappa, nu), 1, jnp.where(past, 2, rest))


#: The early verdicts; ``basin`` returns an index into this tuple.
BASINS = (
    "undecided",
    "in the basin of the pair",
    "in the basin of the swapped pair",
    "in the basin of the tilted pair",
)
LARGE, SMALL, TILT = 0.9, 0.3, 0.5
MANY = 500  # ``basins_of`` drops decided runs only if there are more runs than this


@checks.in_double
@checks.compiled(o=possible, lam=checks.positive)
def basin(o: Overlaps, lam: ArrayLike, task: Task) -> jax.Array:
    """Return an early verdict on where a run at overlaps ``o`` ends, as an index into ``BASINS``.

    The run is *in the basin of the pair* if |nu| > 0.9, |eta| < 0.3 and (k*, v*) is a minimum
    (lam < lambda_c); *in the basin of the swapped pair* if |eta| > 0.9, |nu| < 0.3 and the swapped
    pair is a minimum; *in the basin of the tilted pair* if |nu| > 0.9, |eta| > 0.5 and
    lam > lambda_c; and *undecided* otherwise.

    The verdict is a heuristic. It does not use kappa, so it does not show that a run has recovered
    the teacher; use ``state`` for this. The method ``errors`` of a result of
    ``slrlib.experiments``, such as ``load("ends-fig7a")``, counts how often the verdict was wrong.

    Parameters
    ----------
    o : Overlaps
        The overlaps of the runs, each of shape (...).
    lam : array_like
        Inverse temperature lambda > 0.
    task : Task
        The task; d, L and gamma enter.

    Returns
    -------
    jax.Array
        Indices into ``BASINS``, of the broadcast shape.

    Examples
    --------
    >>> from slrlib import Task
    >>> BASINS[int(basin(Overlaps(0.2, 0.95, 0.0, 0.0, 0.0), 0.1, Task(d=400, L=10)))]
    'in the basin of the pair'

    Book: {eq}`eq-race`.
    """
    lam, nu, eta = jnp.asarray(lam), jnp.abs(o.nu), jnp.abs(o.eta)
    stable, swaps = minimizer_determinant(lam, task) > 0, swapped_is_minimum(lam, task)
    pair = stable & (nu > LARGE) & (eta < SMALL)
    swapped = swaps & (eta > LARGE) & (nu < SMALL)
    tilted = ~stable & (nu > LARGE) & (eta > TILT)
    return jnp.where(pair, 1, jnp.where(swapped, 2, jnp.where(tilted, 3, 0)))


def basins_of(run: Run, check_every: int, most_steps: int) -> np.ndarray:
    """Advance every start of ``run`` until ``basin`` gives a verdict, and return the verdicts.

    A verdict counts only if ``basin`` also gives it at the last lam. Once three quarters of more
    than ``MANY`` runs are decided, only a quarter of the array, which contains all undecided runs,
    is advanced further. Smaller arrays are not reduced, because each size needs a new compilation.

    Parameters
    ----------
    run : Run
        A run from ``dynamics.start``, with overlaps of shape (n,) and one setting.
    check_every : int
        Number of steps between verdicts.
    most_steps : int
        Number of steps after which runs without a verdict remain undecided.

    Returns
    -------
    ndarray
        Shape (n,): indices into ``BASINS``.

    Examples
    --------
    >>> from slrlib import Task, dynamics
    >>> starts = Overlaps(*np.array([[0.1, -0.1], [0.1, 0.1], [0, 0], [0, 0], [0, 0]]))
    >>> run = dynamics.start(starts, Task(d=400, L=10), dynamics.constant(0.1), 0.004)
    >>> basins_of(run, 1000, 4000)
    array([1, 1])

    Book: {eq}`eq-race`.
    """
    last, codes = run.step + most_steps, np.zeros(run.pair.nu.shape, int)
    followed = np.arange(codes.size)
    for _ in range(most_steps // check_every):
        run, rows = advance(run, check_every, check_every)
        o = Overlaps(*(x[-1] for x in rows.overlaps))
        now, then = (basin(o, run.schedule(step), run.task) for step in (run.step, last))
        before = codes[followed]
        codes[followed] = np.where((before == 0) & (now == then), now, before)
        decided = codes[followed] > 0
        if np.all(decided):
            break
        if len(decided) > MANY and np.mean(decided) >= 0.75:
            keep = np.argsort(decided, kind="stable")[: -(-len(decided) // 4)]
            run = replace(run, pair=jax.tree.map(lambda x, i=keep: np.asarray(x)[i], run.pair))
            followed = followed[keep]
    return codes

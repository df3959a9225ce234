"""Where a run is: at which of the points of descent, or in which basin."""

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

LOCKED = 0.95  # both |kappa| and |nu| of a pair that is found
NEAR_SADDLE = 0.1
#: Where a run is; ``state`` returns a position in this tuple.
STATES = ("undecided", "recovered the teacher", "swapped", "tilted", "on the plateau")
MANIFOLD_STATES = *STATES[:2], "at a maximum", "at the saddle", STATES[-1]


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


#: The early verdicts; ``basin`` returns a position in this tuple.
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
    """Return an early verdict on the end of a run at overlaps ``o``, as an index into ``BASINS``.

    It is *in the basin of the pair* where |nu| > 0.9 and |eta| < 0.3, while (k*, v*) is a minimum
    (lam < lambda_c); *in the basin of the swapped pair* where |eta| > 0.9 and |nu| < 0.3, while
    that is a minimum; *in the basin of the tilted pair* where |nu| > 0.9 and |eta| > 0.5, for
    lam > lambda_c; and *undecided* otherwise.

    The verdict is a heuristic. It does not use kappa, so it does not show that a run has recovered
    the teacher: ``state`` does. ``errors`` of a result of ``slrlib.experiments`` such as
    ``load("ends-fig7a")`` counts how often the verdict was wrong.

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
    """Follow every start of ``run`` until ``basin`` decides.

    A verdict counts if the predicted end is also a minimum at the last lam. Once three quarters of
    more than ``MANY`` runs are decided, only a quarter of the array is followed, which contains all
    undecided runs. Smaller arrays are not cut, because each size is a new program to compile.

    Parameters
    ----------
    run : Run
        A run of ``dynamics.start``, with overlaps of shape (n,) and one setting.
    check_every : int
        Number of steps from one verdict to the next.
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

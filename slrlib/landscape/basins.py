"""Where a run will end, told early: a rule on nu and eta, and runs that stop once it decides."""

from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np

from slrlib import _door
from slrlib.dynamics import advance
from slrlib.landscape.swapped import swapped_is_minimum
from slrlib.landscape.transverse import lambda_c
from slrlib.overlaps import Frame, from_frame
from slrlib.overlaps.five import _possible

BASINS = ("undecided", "locks on", "swapped", "tilted")
_LARGE, _SMALL, _TILT = 0.9, 0.3, 0.5


@_door.compiled(o=_possible, lam=_door.positive)
def basin(o, lam, task):
    """The minimum that overlaps ``o`` are drawn to at ``lam``, as an index into ``BASINS``.

    locks on    v reads v*: |nu| > 0.9, |eta| < 0.3, while (k*, v*) is a minimum (lam < lambda_c)
    swapped     k looks along v*: |eta| > 0.9, |nu| < 0.3, while the swapped family is a minimum
    tilted      k and v both lean on v*: |nu| > 0.9, |eta| > 0.5, for lam > lambda_c
    undecided   anything else, or (k*, v*) and its like where they are not minima

    A rule of thumb, not a theorem: runs that go on confirm it (the tests, and the chapter on PGD).

    Book: {eq}`eq-race`.
    """
    stable, nu, eta = lam < lambda_c(task), jnp.abs(o.nu), jnp.abs(o.eta)
    locks_on = stable & (nu > _LARGE) & (eta < _SMALL)
    swapped = swapped_is_minimum(lam, task) & (eta > _LARGE) & (nu < _SMALL)
    tilted = ~stable & (nu > _LARGE) & (eta > _TILT)
    return jnp.where(locks_on, 1, jnp.where(swapped, 2, jnp.where(tilted, 3, 0)))


@jax.jit
def _overlaps_of(pair):
    return from_frame(Frame(jnp.stack(pair[:3], -1), jnp.stack(pair[3:], -1)))


def _fewer(run, keep):
    """The runs in ``keep``, the last one repeated up to a power of two: few shapes to compile."""
    size = 1 << int(np.ceil(np.log2(max(len(keep), 1))))
    keep = np.concatenate([keep, np.repeat(keep[-1:], size - len(keep))])
    return replace(run, pair=jax.tree.map(lambda x: jnp.asarray(np.asarray(x)[keep]), run.pair))


def basins_of(run, check_every, most_steps):
    """``basin`` of every start of ``run``, each followed only until the rule has decided.

    ``run`` comes from ``slrlib.dynamics.start`` with overlaps of shape (n,). The rule is asked
    every ``check_every`` steps; after ``most_steps`` what is left stays undecided. Returns the n
    indices and the step at which each was decided.
    """
    check_every = _door.count("check_every", check_every)
    most_steps = _door.count("most_steps", most_steps)
    o = _overlaps_of(run.pair)
    if jnp.ndim(o.kappa) != 1:
        raise ValueError(f"run must hold overlaps of shape (n,), got {jnp.shape(o.kappa)}")
    codes = np.zeros(len(o.kappa), int)
    steps = np.full(len(codes), most_steps)
    left = np.arange(len(codes))
    for step in range(check_every, most_steps + 1, check_every):
        run, _ = advance(run, check_every, check_every)
        found = basin(_overlaps_of(run.pair), run.schedule(run.step), run.task)
        found = np.asarray(found)[: len(left)]
        codes[left], steps[left[found > 0]] = found, step
        keep = np.flatnonzero(found == 0)
        if not len(keep):
            break
        if 2 * len(keep) <= len(run.pair[0]):
            run, left = _fewer(run, keep), left[keep]
    return codes, steps

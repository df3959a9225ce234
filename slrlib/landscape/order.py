"""Order on M: PGD preserves it, so the starts that fail form one decreasing curve.

One start lies above another if both its kappa and its nu are at least as large. A step of at most
``certified_step`` preserves this order, because the mixed derivative of the risk in the two angles
is never positive: a larger kappa increases the step of nu, and the reverse.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.overlaps import Overlaps
from slrlib.risk import excess_risk_gradient
from slrlib.task import Task

_HALVINGS = 50  # of an interval of length pi / 2, so to 1e-15
_LONGEST = 100_000  # steps of a run that is still undecided


def _step(a, b, lam, task, alpha):
    """Take one step in latitudes, kappa = sin a and nu = sin b."""
    o = Overlaps(jnp.sin(a), jnp.sin(b), 0.0, 0.0, 0.0)
    slope = excess_risk_gradient(o, lam, task)
    return (
        a - jnp.arctan(alpha * jnp.cos(a) * slope.kappa),
        b - jnp.arctan(alpha * jnp.cos(b) * slope.nu),
    )


def _decided(a, b):
    """1 where both latitudes are at least 0, -1 where both are at most 0, else 0."""
    return jnp.sign(jnp.sign(a) + jnp.sign(b))


def _ends(a, b, lam, task, alpha):
    """Return 1 or -1 for the runs that converge to (1, 1) or (-1, -1), 0 if undecided."""

    def undecided(state):
        count, a, b = state
        return (count < _LONGEST) & jnp.any(_decided(a, b) == 0)

    def step(state):
        count, a, b = state
        here = _decided(a, b)
        after = _step(a, b, lam, task, alpha)
        # A run that is decided stays so, and need not be followed.
        a, b = (jnp.where(here == 0, new, old) for new, old in zip(after, (a, b), strict=True))
        return count + 1, a, b

    _, a, b = jax.lax.while_loop(undecided, step, (0, a, b))
    return _decided(a, b)


@checks.compiled(kappa=checks.cosine, lam=checks.positive, alpha=checks.positive)
def dividing_nu(kappa: ArrayLike, lam: ArrayLike, task: Task, alpha: ArrayLike) -> jax.Array:
    """Compute the nu above which PGD on M converges to (1, 1), and below which to (-1, -1).

    It is found by bisection on runs, each followed until its kappa and nu have the same sign. As a
    function of kappa it is strictly decreasing and joins the two maxima. For large lambda the curve
    is closer to the edges of the square than rounding resolves.

    Parameters
    ----------
    kappa : array_like
        The overlap kappa = k.k* of the start, from -1 to 1.
    lam : array_like
        Inverse temperature lambda > 0, of a shape that broadcasts with the task.
    task : Task
        The task; d, L and gamma enter.
    alpha : array_like
        Step size; the result is proved for at most ``certified_step``.

    Returns
    -------
    Array
        The overlap nu = v.v* of the dividing start, of the broadcast shape.

    Examples
    --------
    >>> round(float(dividing_nu(0.5, 0.1, Task(d=400, L=10), 0.002)), 4)
    -0.3009

    Book: {eq}`eq-dividing-line` (not in the paper).
    """
    shape = jnp.broadcast_shapes(jnp.shape(kappa), jnp.shape(lam), jnp.shape(alpha))
    a = jnp.broadcast_to(jnp.arcsin(jnp.abs(kappa)), shape)

    def halve(_, ends):
        low, high = ends
        middle = (low + high) / 2
        end = _ends(a, middle, lam, task, alpha)
        return jnp.where(end > 0, low, middle), jnp.where(end < 0, high, middle)

    first = jnp.full_like(a, -jnp.pi / 2), jnp.zeros_like(a)
    low, high = jax.lax.fori_loop(0, _HALVINGS, halve, first)
    return -jnp.sign(kappa) * jnp.abs(jnp.sin((low + high) / 2))

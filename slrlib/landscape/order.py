"""Order on M: descent keeps it, so the starts that fail are one decreasing curve.

One start lies above another if both its kappa and its nu are at least as large. A step that is no
longer than ``certified_step`` keeps this order, because the mixed derivative of the risk in the
two angles is never positive: the better k looks, the more v gains, and the other way round.
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
    """One step in latitudes, kappa = sin a and nu = sin b."""
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
    """1 or -1 for the runs that come to the minimum (1, 1) or (-1, -1), 0 if undecided."""

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
    """The nu above which a start (kappa, nu) on M ends at (1, 1), and below which at (-1, -1).

    Found by halving on runs that go forward, each until its kappa and nu have one sign. This is
    safe when ``alpha`` is at most the certified step size. The curve is strictly decreasing and
    ends at the two maxima; for large lam it runs so close to the edges that rounding cannot tell.

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

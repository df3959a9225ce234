"""Gradient flow from uniform starts at lam = a / sqrt(d/2), for three kinds of attention."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated, ClassVar, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from slrlib.dynamics.steps import Pair, descend_along, overlaps_of_pair, pair_of
from slrlib.experiments.chunks import InParts, parts_of
from slrlib.overlaps import random_overlaps, to_frame
from slrlib.risk import excess_risk_gradient, linear_pair_excess_risk, two_token_softmax_excess_risk
from slrlib.special import counted
from slrlib.task import Task

KINDS = ("softmax", "erf", "linear")
OUTCOMES = ("undecided", "recovered the teacher", "swapped")
ARRIVED, SHORT = 0.97, 0.3
LIMIT_STEP, LIMIT_TIME = 0.01, 20.0  # of the flow on R^4; the outcome is decided long before


def _slope(kind: str) -> Callable:
    """Return the gradient function of the excess risk in the five overlaps, arrays (start,)."""
    if kind == "erf":
        return excess_risk_gradient
    risk = linear_pair_excess_risk if kind == "linear" else two_token_softmax_excess_risk
    return jax.vmap(jax.grad(risk), in_axes=(0, None, None))


def outcome(p: Pair) -> jax.Array:
    """Return the outcome that each pair is close to, as an index into ``OUTCOMES``."""
    pair = (p.kappa * p.nu > 0) & (jnp.minimum(abs(p.kappa), abs(p.nu)) > ARRIVED)
    swap = (abs(p.eta) > ARRIVED) & (abs(p.nu) < SHORT)
    return jnp.where(pair, 1, jnp.where(swap, 2, 0))


@partial(jax.jit, static_argnames="kind")
def _followed(pair, lam, task, alpha, kind, every, most):
    """Return the outcome of each start and the steps until then, a multiple of ``every``."""
    slope = _slope(kind)

    def step(_, p):
        return descend_along(p, slope(overlaps_of_pair(p), lam, task), alpha)

    def onward(state):
        p, end, steps, now = state
        p, now = jax.lax.fori_loop(0, every, step, p), now + every
        new = jnp.where(end == 0, outcome(p), end)
        return p, new, jnp.where((end == 0) & (new > 0), now, steps), now

    def left(state):
        return jnp.any(state[1] == 0) & (state[3] < most)

    none = jnp.zeros(pair.kappa.shape, int)
    _, end, steps, _ = jax.lax.while_loop(left, onward, (pair, none, none, 0))
    return end, steps


def limit_step(scaled: jax.Array, a: jax.Array, gamma: jax.Array) -> jax.Array:
    """Take one step of Heun's method for the limit flow, shorter where the flow is stiff."""
    slope, power = 2 * a / jnp.sqrt(jnp.pi), gamma**2

    def velocity(s):
        X, V, T, H = s
        parts = [
            power * V - slope * X * (power + T**2),
            power * X,
            power * H - slope * T * (power + X**2),
            power * T,
        ]
        return 2 * slope * jnp.stack(parts)

    fast = 1.0 + slope**2 * jnp.maximum(scaled[0] ** 2, scaled[2] ** 2) / power
    size = (LIMIT_STEP / fast)[None]
    first = velocity(scaled)
    return scaled + size / 2 * (first + velocity(scaled + size * first))


@jax.jit
def limit_flow(scaled: jax.Array, a: jax.Array, gamma: jax.Array) -> jax.Array:
    """Predict the outcome for erf attention from the limit flow on R^4, independent of d.

    Parameters
    ----------
    scaled : Array
        Shape (4, start): r kappa, r nu, r theta and r eta of the starts, with r = sqrt(d/2).
    a : float
        lambda r.
    gamma : float
        Standard deviation of the informative token.

    Returns
    -------
    Array
        Shape (start,): an index into ``OUTCOMES``.

    Book: {eq}`eq-limit-flow`.
    """
    count = int(LIMIT_TIME / LIMIT_STEP)
    _, V, _, H = jax.lax.fori_loop(0, count, lambda _, s: limit_step(s, a, gamma), scaled)
    return jnp.where(abs(V) > abs(H), 1, 2)


class RandomStartsResult(NamedTuple):
    """The outcomes, one row for each start.

    The columns are the attention (an index into ``KINDS``), the dimension, the outcome (an index
    into ``OUTCOMES``), the flow time until the outcome, and the outcome that the limit flow
    predicts (erf only, otherwise 0).
    """

    kind: Annotated[np.ndarray, "row"]
    d: Annotated[np.ndarray, "row"]
    end: Annotated[np.ndarray, "row"]
    time: Annotated[np.ndarray, "row"]
    predicted: Annotated[np.ndarray, "row"]

    def at(self, kind: str, d: float) -> RandomStartsResult:
        """Return the rows with this attention and dimension."""
        those = (self.kind == KINDS.index(kind)) & (self.d == d)
        return RandomStartsResult(*(x[those] for x in self))


@dataclass(frozen=True)
class RandomStarts(InParts):
    """Gradient flow on the exact risk from uniform starts, for softmax, erf and linear attention.

    Parameters
    ----------
    name : str
        Name of the experiment.
    a : float
        lambda sqrt(d/2), the same in each dimension.
    gamma : float
        Standard deviation of the informative token.
    sizes : tuple of float
        Dimensions d.
    starts : int
        Number of starts for each attention and dimension.
    step : float
        The step size is ``step / d``.
    longest : float
        Flow time after which a run counts as undecided.
    together : int
        Number of starts computed and stored together.
    seed : int
        Seed of the starts.
    """

    a: float = 0.5**0.5
    gamma: float = 0.5**0.5
    sizes: tuple[float, ...] = (20.0, 80.0, 320.0, 1280.0)
    starts: int = 4000
    step: float = 0.5
    longest: float = 80.0
    together: int = 1000
    seed: int = 0

    result: ClassVar[type] = RandomStartsResult
    takes_minutes: ClassVar[bool] = True

    def parts(self) -> list[tuple[int, int]]:
        return parts_of(len(KINDS) * len(self.sizes), self.starts, self.together)

    def part(self, setting: int, first: int) -> RandomStartsResult:
        """Return the rows of one group of starts, beginning with number ``first``."""
        kind, d = KINDS[setting // len(self.sizes)], self.sizes[setting % len(self.sizes)]
        count = min(self.together, self.starts - first)
        key = jax.random.fold_in(jax.random.fold_in(jax.random.key(self.seed), int(d)), first)
        o = random_overlaps(key, d, (count,))  # the same starts for each kind
        task, r = Task(d=d, L=2, gamma=self.gamma), (d / 2) ** 0.5
        every = max(1, round(0.1 * d / self.step))  # a tenth of a unit of time
        most = round(self.longest * d / self.step)
        given = pair_of(to_frame(o)), self.a / r, task, self.step / d
        end, steps = _followed(*given, kind=kind, every=every, most=most)
        scaled = r * np.stack([o.kappa, o.nu, o.theta, o.eta])
        predicted = limit_flow(scaled, self.a, self.gamma) if kind == "erf" else np.zeros(count)
        time = np.asarray(steps) * self.step / d
        rows = KINDS.index(kind), d, end, time, predicted
        return RandomStartsResult(*(np.broadcast_to(x, (count,)).astype(np.float32) for x in rows))

    def finding(self, r: RandomStartsResult) -> str:
        words = np.array(OUTCOMES)
        rows = (
            f"{kind} attention, d = {d:g}: {counted(words[r.at(kind, d).end.astype(int)])}"
            for kind in KINDS
            for d in self.sizes
        )
        return "\n".join(rows)


EXPERIMENTS = (RandomStarts("random-starts"),)

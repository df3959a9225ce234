"""Schedules of the inverse temperature: step t = 0, 1, ... uses schedule(t)."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from slrlib import checks

Schedule = Callable[[jax.Array], jax.Array]  # from the number of a step to its lam


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class InverseDecay:
    """lam(t) = lam0 / (1 + rate t); a rate of zero keeps lam constant.

    Its numbers are leaves of a pytree, so new numbers need no new compilation.

    Book: {eq}`eq-schedule`.
    """

    lam0: jax.Array | Any  # or a float, which has all that is asked of an array here
    rate: jax.Array | Any

    def __call__(self, t: ArrayLike) -> jax.Array:
        return self.lam0 / (1.0 + self.rate * checks.nonnegative("t", t))


def constant(lam: ArrayLike) -> InverseDecay:
    """The schedule that stays at ``lam``.

    Book: {eq}`eq-schedule`.
    """
    return InverseDecay(checks.positive("lam", lam), 0.0)


def inverse_decay(lam0: ArrayLike, rate: ArrayLike) -> InverseDecay:
    """The schedule lam0 / (1 + rate t).

    Book: {eq}`eq-schedule`.
    """
    return InverseDecay(checks.positive("lam0", lam0), checks.nonnegative("rate", rate))


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Held:
    """Another schedule up to step ``until``, then its value there for good.

    Book: {eq}`eq-several-sgd`.
    """

    schedule: Schedule
    until: jax.Array | Any

    def __call__(self, t: ArrayLike) -> jax.Array:
        return self.schedule(jnp.minimum(jnp.asarray(t, float), self.until))


def held(schedule: Schedule, until: ArrayLike) -> Held:
    """``schedule`` until step ``until``, constant from there on.

    Book: {eq}`eq-several-sgd` (Figure 9 of the paper).
    """
    return Held(as_pytree(schedule), checks.nonnegative("until", until))


def lam_at(schedule: Schedule, step: jax.Array, like: jax.Array) -> jax.Array:
    """The inverse temperature of a step, in the precision of ``like``."""
    return jnp.asarray(schedule(step), like.dtype)


def as_pytree(schedule: Schedule) -> Schedule:
    """A schedule that compiled code takes as an argument; any function of the step will do."""
    if not callable(schedule):
        raise ValueError(
            "schedule must be a function of the step such as constant(0.1), "
            f"got {checks.shown(schedule)}"
        )
    plain = jax.tree_util.all_leaves([schedule])
    return jax.tree_util.Partial(schedule) if plain else schedule


@partial(jax.jit, static_argnames="steps")
def _values(schedule, steps):
    def at(t):
        return jnp.asarray(schedule(t), float)

    return jax.vmap(at)(jnp.arange(steps + 1))


def values(schedule: Schedule, steps: int) -> np.ndarray:
    """lam at the steps 0, 1, ..., ``steps``; each must be a finite number of zero or more."""
    lam = np.asarray(_values(as_pytree(schedule), checks.count("steps", steps, 0)))
    if lam.ndim != 1:
        raise ValueError(f"schedule must give one number a step, got shape {lam.shape[1:]}")
    good = np.isfinite(lam) & (lam >= 0)
    if not good.all():
        t = int(np.argmin(good))
        raise ValueError(f"schedule must give a lam of zero or more, got {lam[t]:g} at step {t}")
    return lam


def is_own(schedule: Schedule) -> bool:
    """Whether ``schedule`` is a function of one's own, or holds one."""
    return type(schedule) is not InverseDecay and (
        type(schedule) is not Held or is_own(schedule.schedule)
    )


def identity(schedule: Schedule, steps: int) -> dict[str, Any]:
    """What tells a schedule from all others in a run of so many ``steps``, as plain JSON.

    Those of this module are told by their numbers. A function of one's own is told by lam at every
    step: these values are all that a run takes from it, whereas its name, its source or its address
    may come again with other values.
    """
    if is_own(schedule):
        lam = values(schedule, steps)
        digest = hashlib.sha256(lam.astype(np.float64).tobytes()).hexdigest()
        return {"values": digest, "first": float(lam[0]), "last": float(lam[-1])}
    if isinstance(schedule, Held):
        inside = identity(schedule.schedule, steps)
        return {"schedule": inside, "until": np.asarray(schedule.until).tolist()}
    return {name: np.asarray(x).tolist() for name, x in vars(schedule).items()}

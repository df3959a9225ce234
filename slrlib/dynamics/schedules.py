"""Schedules of the inverse temperature: step t = 0, 1, ... uses schedule(t)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import checkify
from jax.typing import ArrayLike

from slrlib import checks

__all__ = ["constant", "held", "inverse_decay"]

Schedule = Callable[[jax.Array], jax.Array]  # from the number of a step to its lam


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class InverseDecay:
    """The schedule lam(t) = lam0 / (1 + rate t); a rate of zero keeps lam constant.

    Its numbers are leaves of a pytree, so new numbers need no new compilation.

    Parameters
    ----------
    lam0 : float or array_like
        Inverse temperature lambda at the first step.
    rate : float or array_like
        Decay per step of 1 / lam relative to 1 / lam0; zero keeps lam constant.

    Book: {eq}`eq-schedule`.
    """

    lam0: jax.Array | Any  # may be a float
    rate: jax.Array | Any

    def __call__(self, t: ArrayLike) -> jax.Array:
        return self.lam0 / (1.0 + self.rate * checks.nonnegative("t", t, at_most=checks.HUGE))


def constant(lam: ArrayLike) -> InverseDecay:
    """Return the schedule lambda_t = ``lam`` at every step t.

    Parameters
    ----------
    lam : array_like
        Inverse temperature lambda > 0; an array gives one value for each run.

    Returns
    -------
    InverseDecay
        A function of the step.

    Examples
    --------
    >>> constant(0.1)(1000)
    0.1

    Book: {eq}`eq-schedule`.
    """
    return InverseDecay(checks.positive("lam", lam), 0.0)


def inverse_decay(lam0: ArrayLike, rate: ArrayLike) -> InverseDecay:
    """Return the schedule lambda_t = ``lam0`` / (1 + ``rate`` t).

    Parameters
    ----------
    lam0 : array_like
        Inverse temperature of the first step, positive.
    rate : array_like
        Decay rate per step, zero or more.

    Returns
    -------
    InverseDecay
        A function of the step.

    Examples
    --------
    >>> round(float(inverse_decay(1.0, 1e-4)(10_000)), 4)
    0.5

    Book: {eq}`eq-schedule`.
    """
    return InverseDecay(checks.positive("lam0", lam0), checks.nonnegative("rate", rate))


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Held:
    """A schedule that follows another one up to step ``until`` and then stays constant.

    Parameters
    ----------
    schedule : Schedule
        The schedule up to step ``until``.
    until : float or array_like
        Step from which lam stays constant.

    Book: {eq}`eq-several-sgd`.
    """

    schedule: Schedule
    until: jax.Array | Any

    def __call__(self, t: ArrayLike) -> jax.Array:
        return self.schedule(jnp.minimum(jnp.asarray(t, float), self.until))


def held(schedule: Schedule, until: ArrayLike) -> Held:
    """Return the schedule that equals ``schedule`` up to step ``until`` and then stays constant.

    Parameters
    ----------
    schedule : function of the step
        The schedule to follow.
    until : array_like
        The step from which lambda keeps its value ``schedule(until)``.

    Returns
    -------
    Held
        A function of the step.

    Examples
    --------
    >>> round(float(held(inverse_decay(2.0, 1e-4), 10_000)(50_000)), 4)
    1.0

    Book: {eq}`eq-several-sgd` (Figure 9 of the paper).
    """
    return Held(as_pytree(schedule), checks.nonnegative("until", until, at_most=checks.HUGE))


def lam_at(schedule: Schedule, step: jax.Array, like: jax.Array) -> jax.Array:
    """Return lambda at a step, in the precision of ``like``."""
    return jnp.asarray(schedule(step), like.dtype)


def as_pytree(schedule: Schedule) -> Schedule:
    """Convert a schedule, which may be any function of the step, to a pytree for compiled code.

    Its values must be zero or more.
    """
    if not callable(schedule):
        raise ValueError(
            "schedule must be a function of the step such as constant(0.1), "
            f"got {checks.shown(schedule)}"
        )
    plain = jax.tree_util.all_leaves([schedule])
    if plain:
        _refuse_untraceable(schedule)
    return jax.tree_util.Partial(schedule) if plain else schedule


def _refuse_untraceable(schedule):
    """Raise an error if a user's function does not map a traced step to a number."""
    step = jax.ShapeDtypeStruct((), jnp.zeros((), int).dtype)
    try:
        jax.eval_shape(lambda t: checks.floating("the value of schedule", schedule(t)), step)
    except (jax.errors.ConcretizationTypeError, jax.errors.TracerArrayConversionError):
        raise ValueError(
            "schedule must take a traced step (jnp.maximum in place of max, jnp.where in place "
            f"of if), got {checks.shown(schedule)}"
        ) from None


def refuse_negative(schedule: Schedule, first: jax.Array, steps: int) -> None:
    """Raise an error if a schedule is negative, or a table ends, within ``steps`` steps.

    A traced schedule or step is not checked.
    """
    if checks.any_traced((schedule, first)):
        return
    if isinstance(schedule, Held):
        refuse_negative(schedule.schedule, first, steps)
    elif isinstance(schedule, InverseDecay):
        checks.nonnegative("lam0", schedule.lam0)
        checks.nonnegative("rate", schedule.rate)
    else:
        with jax.ensure_compile_time_eval():
            _checked_values(schedule, int(first), int(first) + steps)


@jax.jit
def _beyond_a_table(schedule, step):
    return checkify.checkify(lambda t: schedule(t), errors=checkify.index_checks)(step)[0]


@jax.jit
def _at_all(schedule, steps):
    return jax.vmap(lambda t: jnp.asarray(schedule(t), float))(steps)


def _checked_values(schedule, first, last):
    """Return lam at the steps from ``first`` to ``last``; each must be finite and zero or more.

    A table with too few values for the steps before ``last`` raises an error, because JAX would
    repeat its last value.
    """
    lam = np.asarray(_at_all(schedule, np.arange(first, last + 1)))
    wrong = ~((lam >= 0) & np.isfinite(lam))
    if wrong.any():
        where = np.argmax(np.any(wrong.reshape(len(lam), -1), axis=1))
        raise ValueError(
            "schedule must give a finite lam of zero or more, "
            f"got {checks.shown(lam[where])} at step {first + where}"
        )
    if beyond := _beyond_a_table(schedule, max(last - 1, 0)).get():
        raise ValueError(
            f"schedule must give lam at each of the {last} steps, got a table that ends: "
            f"{beyond.strip()} Use table[jnp.minimum(step, len(table) - 1)] to keep its last value"
        )
    return lam


def values(schedule: Schedule, steps: int) -> np.ndarray:
    """Return lam at the steps 0, 1, ..., ``steps``; each must be finite and zero or more."""
    lam = _checked_values(as_pytree(schedule), 0, checks.count("steps", steps, 0))
    if lam.ndim != 1:
        raise ValueError(f"schedule must give one number a step, got shape {lam.shape[1:]}")
    return lam


def is_own(schedule: Schedule) -> bool:
    """Return whether ``schedule`` is a user's function, or contains one."""
    return type(schedule) is not InverseDecay and (
        type(schedule) is not Held or is_own(schedule.schedule)
    )


def identity(schedule: Schedule, steps: int) -> dict[str, Any]:
    """Return plain JSON that identifies a user's function in a run of ``steps`` steps.

    It is derived from lam at every step, because a run depends on nothing else. The name, source or
    address of the function may correspond to other values in another session.
    """
    lam = values(schedule, steps)
    digest = hashlib.sha256(lam.astype(np.float64).tobytes()).hexdigest()
    return {"values": digest, "first": float(lam[0]), "last": float(lam[-1])}

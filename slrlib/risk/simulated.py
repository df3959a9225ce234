"""The risk of any predictor, by simulation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import numpy as np

from slrlib import checks
from slrlib.task import Task, Teacher, draw, sizes

NUMBERS_AT_ONCE = 2**24  # of the tokens of one chunk, so that memory stays small


class Estimate(NamedTuple):
    """Hold a mean over samples and its standard error.

    Parameters
    ----------
    mean : float
        The estimate.
    error : float
        Its standard error.
    """

    mean: float | Any
    error: float | Any


def monte_carlo_risk(
    predict: Callable[[jax.Array], jax.Array],
    task: Task,
    teacher: Teacher,
    n: int,
    *,
    key: jax.Array,
) -> Estimate:
    """Estimate the risk E[(Y - predict(X))^2] of any predictor from ``n`` new sequences.

    This is the risk itself; ``excess_risk`` and similar functions subtract noise^2.

    Parameters
    ----------
    predict : callable
        Takes tokens X of shape (m, L, d) and returns m predictions; m depends on the memory.
    task : Task
        The task; d and L cannot be traced.
    teacher : Teacher
        One teacher (k*, v*), of shapes (d,).
    n : int
        Number of sequences, >= 2.
    key : jax.Array
        Random key.

    Returns
    -------
    Estimate
        The mean and its standard error, two floats. The risk is within two standard errors of the
        mean with a probability of about 95%.

    Examples
    --------
    >>> task, teacher = Task(d=2, L=3), Teacher([1.0, 0.0], [0.0, 1.0])
    >>> key = jax.random.key(0)
    >>> null = monte_carlo_risk(lambda X: np.zeros(len(X)), task, teacher, 1000, key=key)
    >>> bool(abs(null.mean - 0.51) < 5 * null.error)
    True

    Book: {eq}`eq-slr` (section 2 of the paper).
    """
    k_star, v_star = checks.teacher(teacher)
    if k_star.ndim != 1:
        raise ValueError(f"teacher must be one pair of shape (d,), got shape {k_star.shape}")
    if not callable(predict):
        raise ValueError(f"predict must be a function of X, got {checks.shown(predict)}")
    n, L, d = sizes(task, checks.count("n", n, at_least=2), k_star.shape[-1])
    m = min(n, max(1, NUMBERS_AT_ONCE // (L * d)))
    key, total, spread, seen = checks.random_key(key), 0.0, 0.0, 0
    for number, first in enumerate(range(0, n, m)):
        one = jax.random.fold_in(key, number)
        X, y, _ = draw(task, k_star[None, :], v_star[None, :], one, (m, L, d), False)
        asked = f"predict must take X of shape {X.shape} and give {m} numbers"
        try:
            predicted = predict(X)
        except Exception as its_own:
            its_own.add_note(asked)
            raise
        if np.shape(predicted) != (m,):
            got = "None" if predicted is None else f"shape {np.shape(predicted)}"
            raise ValueError(f"{asked}, got {got}")
        loss = np.square(np.asarray(y, np.float64) - np.asarray(predicted, np.float64))
        if not np.all(np.isfinite(loss)):
            got = checks.shown(predicted[int(np.argmin(np.isfinite(loss)))])
            raise ValueError(f"predict must return finite numbers, got {got}")
        loss, before = loss[: n - first], seen
        seen, mean = before + len(loss), np.mean(loss)
        spread += np.sum(np.square(loss - mean)) + (mean - total) ** 2 * len(loss) * before / seen
        total += (mean - total) * len(loss) / seen  # of all so far, so that memory stays small
    return Estimate(float(total), float(np.sqrt(spread / (n - 1) / n)))

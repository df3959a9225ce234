"""The excess risk of attention with weight one for a score above a threshold, else zero."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax.scipy.stats import norm
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.task import Task


@checks.compiled(threshold=checks.finite)
def threshold_excess_risk(threshold: ArrayLike, task: Task) -> jax.Array:
    """Compute the excess risk of the sum of X_l.v* over the tokens with X_l.k* > threshold.

    It is gamma^2 times the probability that the informative token is below the threshold, plus the
    expected number of other tokens above it. Both are accurate also where they are tiny.

    Parameters
    ----------
    threshold : array_like
        Threshold of the scores X_l.k*.
    task : Task
        The task (d, L, gamma).

    Returns
    -------
    jax.Array
        The excess risk R - noise^2, of the broadcast shape.

    Examples
    --------
    >>> print(f"{threshold_excess_risk(4.0, Task(d=400, L=10)):.6f}")
    0.000285

    Book: {eq}`eq-risk-threshold` (not in the paper).
    """
    missed = norm.cdf((threshold - jnp.sqrt(task.d / 2)) / task.gamma)
    let_through = norm.cdf(-jnp.asarray(threshold, float))
    return jnp.square(task.gamma) * missed + (task.L - 1) * let_through

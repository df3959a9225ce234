"""The excess risk of attention that reads a token if its score exceeds a threshold, else not."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax.scipy.stats import norm
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.task import Task


@checks.compiled(threshold=checks.finite)
def threshold_excess_risk(threshold: ArrayLike, task: Task) -> jax.Array:
    """R - noise^2 of the sum of X_l v* over the tokens with X_l k* > threshold.

    What is missed, gamma^2 times the chance of a true token below the threshold, plus what is let
    through, one for each other token above it. Both are exact also where they are tiny.

    Book: {eq}`eq-risk-threshold` (not in the paper).
    """
    missed = norm.cdf((threshold - jnp.sqrt(task.d / 2)) / task.gamma)
    let_through = norm.cdf(-jnp.asarray(threshold, float))
    return jnp.square(task.gamma) * missed + (task.L - 1) * let_through

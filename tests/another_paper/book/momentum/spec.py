"""Gradient descent with momentum on a quadratic function, along one eigenvector at a time."""

import jax.numpy as jnp

from slrbook.explorers.base import Explorer
from slrbook.explorers.parts import Control


def step(x, before, curvature, alpha, beta):
    """The iterate after ``x``, whose predecessor is ``before``."""
    return x - alpha * curvature * x + beta * (x - before)


def rate(curvature, alpha, beta):
    """The factor per step by which the error shrinks in the long run: the spectral radius of
    the map from (x, before) to (next, x)."""
    trace = 1 + beta - alpha * curvature
    inside = trace**2 - 4 * beta
    real = (jnp.abs(trace) + jnp.sqrt(jnp.maximum(inside, 0.0))) / 2
    return jnp.where(inside < 0, jnp.sqrt(beta), real)


class Momentum(Explorer):
    question = "Does momentum make descent faster?"
    note = "Two eigenvectors of the Hessian, with curvature 1 and 0.02."
    python = "error = [{alpha}, {beta}]"
    functions = {"step": step, "rate": rate}

    alpha = Control(1.0, 0.1, 3.5, sign="α", words="step size", step=0.05)
    beta = Control(0.0, 0.0, 0.98, sign="β", words="momentum", step=0.02)

    @classmethod
    def constants(cls):
        return {"curvatures": [1.0, 0.02], "steps": 200}

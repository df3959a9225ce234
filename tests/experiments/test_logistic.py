"""Descent with logistic weights, in the overlaps and on vectors of R^d."""

import jax
import jax.numpy as jnp
import numpy as np
from vectors import moved

from slrlib import Task
from slrlib.experiments import logistic
from slrlib.overlaps import overlaps_of, random_overlaps, vectors_of
from slrlib.risk import activation_excess_risk
from slrlib.task import random_teacher


def test_the_descent_is_that_of_two_vectors():
    d, lam, bias, alpha, steps = 6, 0.9, 1.0, 0.02, 30
    task, keys = Task(d=d, L=4), jax.random.split(jax.random.key(0), 3)
    teacher, o = random_teacher(d, key=keys[0]), random_overlaps(keys[1], d, (3,))

    @jax.jit
    def risk(k, v):
        o = overlaps_of(k, v, teacher)
        return activation_excess_risk(jax.nn.sigmoid, o, lam, task, bias, points=logistic.POINTS)

    def step(_, pair):
        return moved(lambda k, v: jnp.sum(risk(k, v)), *pair, alpha)

    k, v = jax.jit(lambda pair: jax.lax.fori_loop(0, steps, step, pair))(
        vectors_of(o, teacher, key=keys[2])
    )
    kappa, nu, found = logistic.learned(o, lam, bias, alpha, task, steps)
    assert np.max(np.abs(k @ teacher.k_star - o.kappa)) > 0.05  # they did move
    np.testing.assert_allclose(kappa, k @ teacher.k_star, atol=1e-12)
    np.testing.assert_allclose(nu, v @ teacher.v_star, atol=1e-12)
    np.testing.assert_allclose(found, risk(k, v), atol=1e-12)

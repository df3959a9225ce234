"""PGD in the frame compared with vectors of R^d, and properties that hold for any start."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from vectors import pgd_vector_step

from slrlib import Overlaps, Task
from slrlib.dynamics import constant, inverse_decay, pgd, pgd_step
from slrlib.overlaps import (
    distance_to_manifold,
    from_frame,
    is_feasible,
    overlaps_of,
    random_overlaps,
    to_frame,
    vectors_of,
)
from slrlib.risk import excess_risk
from slrlib.task import random_teacher

TASK = Task(400, 10)
SETTINGS = {  # where rounding errors do not grow: the step is below the edge of stability
    "lam .9": (80, constant(0.9), 1e-3),
    "from 2": (80, inverse_decay(2.0, 1e-4), 1e-3),
}


@partial(jax.jit, static_argnames=("steps", "every"))
def descend_vectors(k, v, teacher, task, schedule, alpha, steps, every):
    """A loop of ``pgd_vector_step``; the overlaps at steps 0, every, ..."""

    def step(pair, t):
        return pgd_vector_step(*pair, teacher, schedule(t), task, alpha), None

    def block(pair, start):
        rows = overlaps_of(*pair, teacher)
        return jax.lax.scan(step, pair, start + jnp.arange(every))[0], rows

    pair, rows = jax.lax.scan(block, (k, v), jnp.arange(0, steps, every))
    last = jax.tree.map(lambda x: x[None], overlaps_of(*pair, teacher))
    return jax.tree.map(lambda *x: jnp.concatenate(x), rows, last)


@pytest.mark.parametrize("name", SETTINGS)
def test_six_thousand_steps_are_those_of_the_vectors(name):
    d, schedule, alpha = SETTINGS[name]
    task, teacher = Task(d, 10), random_teacher(d, key=jax.random.key(0))
    k, v = vectors_of(random_overlaps(jax.random.key(1), d, (8,)), teacher, key=jax.random.key(2))
    start = overlaps_of(k, v, teacher)
    rows = descend_vectors(k, v, teacher, task, schedule, alpha, 6000, 500)
    found = pgd(start, task, schedule, alpha, 6000, 500)
    np.testing.assert_allclose(np.array(found.overlaps), np.array(rows), rtol=0, atol=1e-10)
    assert np.ptp(np.array(rows), axis=1).max(axis=0).min() > 0.5  # every run did move


def test_the_manifold_is_kept_to_the_last_bit():
    start = random_overlaps(jax.random.key(0), 400, (50,), on_manifold=True)
    run = pgd(start, TASK, inverse_decay(1.0, 1e-4), 4e-3, 2000, 100)
    assert float(np.max(distance_to_manifold(run.overlaps))) == 0.0
    assert float(np.min(np.ptp(run.overlaps.nu, axis=0))) > 1e-3


@pytest.mark.parametrize("on_manifold, alpha", [(True, 0.13), (False, 5e-4)])
def test_the_risk_falls_below_a_certified_step(on_manifold, alpha):
    """At lam = 0.1, d = 400, on M any step below 2 / 7.67 descends; off M the curvature is 1100."""
    start = random_overlaps(jax.random.key(0), 400, (50,), on_manifold=on_manifold)
    risks = np.array(pgd(start, TASK, constant(0.1), alpha, 4000, 1).excess_risk)
    assert np.all(np.diff(risks, axis=0) <= 2e-15)
    assert np.all(risks[-1] < risks[0] - 1e-3)


def test_200_000_steps_far_beyond_stability_stay_feasible():
    start = random_overlaps(jax.random.key(0), 400, (4,))
    run = pgd(start, TASK, inverse_decay(2.0, 1e-4), 4e-3, 200_000, 2000)
    assert np.all(np.isfinite(run.excess_risk))
    assert np.all(is_feasible(run.overlaps, tolerance=4e-15))
    jumps = np.abs(np.diff(run.overlaps.rho[:6], axis=0))
    assert jumps.max() > 0.1  # the iterates do jump at first


@pytest.mark.parametrize("k_third", [0.0, 1e-200])
def test_a_pair_in_the_plane_of_the_teacher_can_be_stepped(k_third):
    """k may lie in the plane of k*, v*; the third axis is then arbitrary."""
    frame = to_frame(Overlaps(0.6, 0.5, 0.1, 0.8, 0.6 * 0.1 + 0.8 * 0.5))
    frame = frame._replace(k=jnp.array([0.6, 0.8, k_third]))
    k, v = pgd_step(frame, 0.4, Task(80, 10), 1e-3)
    np.testing.assert_allclose([jnp.linalg.norm(k), jnp.linalg.norm(v)], 1.0, atol=1e-15)


def test_rows_hold_the_risk_of_their_own_overlaps_and_lam():
    schedule = inverse_decay(1.0, 1e-2)
    start = random_overlaps(jax.random.key(0), 400, (3, 2))
    run = pgd(start, TASK, schedule, 1e-3, 60, 20)
    assert list(run.step) == [0, 20, 40, 60]
    assert run.excess_risk.shape == run.overlaps.kappa.shape == (4, 3, 2)
    for i, t in enumerate(run.step):
        row = Overlaps(*(x[i] for x in run.overlaps))
        lam = 1.0 / (1.0 + 1e-2 * float(t))
        np.testing.assert_allclose(run.excess_risk[i], excess_risk(row, lam, TASK), rtol=1e-14)
    np.testing.assert_allclose(np.array(run.overlaps)[:, 0], np.array(start), atol=1e-15)


def test_step_t_uses_the_schedule_at_t():
    schedule, frame = inverse_decay(1.0, 0.5), to_frame(Overlaps(0.3, 0.4, -0.2, 0.25, 0.35))
    run = pgd(from_frame(frame), TASK, schedule, 1e-3, 3, 1)
    for i, lam in enumerate((1.0, 1 / 1.5, 1 / 2.0)):
        frame = pgd_step(frame, lam, TASK, 1e-3)
        row = [x[i + 1] for x in run.overlaps]
        np.testing.assert_allclose(row, from_frame(frame), rtol=0, atol=1e-15)


def risk_at_the_end(lam, alpha, gamma, kappa):
    o = Overlaps(kappa, 0.2, 0.1, 0.1, 0.0)
    return pgd(o, Task(80, 10, gamma=gamma), constant(lam), alpha, 20, 10).excess_risk[-1]


GIVEN = 0.3, 1e-3, 0.7, 0.2


@pytest.mark.either_precision
def test_runs_can_be_traced_and_batched():
    many = jax.jit(jax.vmap(risk_at_the_end, in_axes=(0, None, None, None)))
    risks = many(jnp.array([0.2, 0.3]), *map(jnp.asarray, GIVEN[1:]))
    np.testing.assert_allclose(risks[1], risk_at_the_end(*GIVEN), rtol=1e-4)


def test_runs_can_be_differentiated():
    whole = jax.value_and_grad(risk_at_the_end, argnums=(0, 1, 2, 3))
    risk, slopes = jax.jit(whole)(*map(jnp.asarray, GIVEN))
    assert all(np.isfinite(x) and x != 0 for x in slopes)
    assert risk == pytest.approx(float(risk_at_the_end(*GIVEN)), rel=1e-12)

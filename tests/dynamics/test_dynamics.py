"""The step on M compared with the step on vectors, in angles, and at its fixed points."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from vectors import pgd_vector_step

from slrlib import Overlaps, Task
from slrlib.dynamics import inverse_manifold_step, manifold_step, pgd
from slrlib.dynamics.schedules import Held, InverseDecay
from slrlib.dynamics.steps import manifold_angle_step
from slrlib.landscape import certified_step
from slrlib.overlaps import distance_to_manifold, overlaps_of, random_overlaps, vectors_of
from slrlib.risk import manifold_excess_risk
from slrlib.task import random_teacher

TASKS = [Task(20, 4), Task(50, 10, gamma=1.3)]
FIXED = [(a, b) for a in (1.0, -1.0) for b in (1.0, -1.0)] + [(0.0, 0.0)]
UNIT = st.floats(-1.0, 1.0)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: f"d={task.d:.0f}")
@pytest.mark.parametrize("lam, alpha", [(0.05, 0.05), (1.5, 0.002)])
def test_the_step_is_that_of_the_vectors(task, lam, alpha):
    d = int(task.d)
    teacher = random_teacher(d, key=jax.random.key(0))
    start = random_overlaps(jax.random.key(1), d, on_manifold=True)
    k, v = vectors_of(start, teacher, key=jax.random.key(2))
    kappa, nu = start.kappa, start.nu
    small = jax.jit(lambda kappa, nu: manifold_step(kappa, nu, lam, task, alpha))
    for _ in range(30):
        k, v = pgd_vector_step(k, v, teacher, lam, task, alpha)
        kappa, nu = small(kappa, nu)
    o = overlaps_of(k, v, teacher)
    np.testing.assert_allclose([kappa, nu], [o.kappa, o.nu], rtol=0, atol=1e-12)
    assert float(distance_to_manifold(o)) < 1e-12  # M is invariant (Lemma 4)
    assert abs(float(nu - start.nu)) > 1e-4  # it did move


@settings(deadline=None, derandomize=True, max_examples=60)
@given(UNIT, UNIT, st.sampled_from([0.03, 0.3, 2.0]), st.floats(0.0, 2.0))
def test_the_angles_turn_by_an_arctangent(kappa, nu, lam, alpha):
    """phi' = phi - arctan(alpha dR/dphi), and likewise for psi."""
    task = Task(80, 10)
    phi, psi = np.arccos(kappa), np.arccos(nu)

    def risk(phi, psi):
        return manifold_excess_risk(jnp.cos(phi), jnp.cos(psi), lam, task)

    slopes = jax.grad(risk, argnums=(0, 1))(phi, psi)
    turned = [np.cos(x - np.arctan(alpha * s)) for x, s in zip((phi, psi), slopes, strict=True)]
    np.testing.assert_allclose(manifold_step(kappa, nu, lam, task, alpha), turned, atol=1e-13)


@pytest.mark.either_precision
@pytest.mark.parametrize("kappa, nu", FIXED)
def test_the_five_fixed_points_stay(kappa, nu):
    for alpha in (0.0, 0.01, 3.0):
        assert manifold_step(kappa, nu, 0.3, Task(80, 10), alpha) == (kappa, nu)


@settings(deadline=None, derandomize=True, max_examples=60)
@given(UNIT, UNIT, st.floats(0.0, 5.0))
def test_no_other_point_stays_and_the_square_is_kept(kappa, nu, alpha):
    new = [float(x) for x in manifold_step(kappa, nu, 0.3, Task(80, 10), alpha)]
    assert all(abs(x) <= 1 + 4e-16 for x in new)
    far = min(abs(kappa - a) + abs(nu - b) for a, b in FIXED)
    if alpha > 1e-3 and far > 1e-2:
        assert abs(new[0] - kappa) + abs(new[1] - nu) > 1e-12


def test_a_step_back_undoes_a_step_up_to_the_certified_size():
    """Also where the map is far from the identity, so that Newton's method must be exact."""
    task, lam = Task(80, 10), 0.3
    alpha = certified_step(lam, task)
    angles = np.random.default_rng(0).uniform(0.05, np.pi - 0.05, (2, 200))
    before = inverse_manifold_step(*angles, lam, task, alpha)
    assert np.max(np.abs(np.array(before) - angles)) > 0.15
    again = manifold_angle_step(*before, lam, task, alpha)
    np.testing.assert_allclose(again, angles, rtol=0, atol=1e-12)


@pytest.mark.parametrize("schedule", [InverseDecay(-1.0, 1e-4), Held(InverseDecay(1.0, -1e-4), 5)])
def test_a_negative_schedule_of_ours_is_refused_too(schedule):
    with pytest.raises(ValueError, match=r"^(lam0|rate) must be zero or more, got -"):
        pgd(Overlaps(0.1, 0.1, 0, 0, 0), Task(d=400, L=10), schedule, 0.004, 10, 10)

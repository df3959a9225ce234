"""Steps and thresholds at random arguments of their whole domain.

The tests check a round trip, an invariant, or a change of sign.
"""

from itertools import product

import jax
import numpy as np
import pytest
from refused import refusal

from slrlib import Task, dynamics, experiments, landscape, overlaps, risk
from slrlib.landscape.swapped import minimizer_hessian, swapped_hessian
from slrlib.task import random_teacher, sample

KEY = jax.random.key(1)
CORNERS = [
    Task(2, 1, 1e-15),
    Task(3, 2, 1e9),
    Task(400, 10),
    Task(1e18, 1e18, 1e9),
    Task(7, 1e9, 5),
]


@pytest.mark.parametrize("x64", [True, False], ids=["double", "single"])
def test_steps_and_runs_at_the_corners(x64):
    """With alpha = 0 nothing moves; otherwise all iterates stay on the spheres."""
    eps = 1e-12 if x64 else 1e-4
    with jax.enable_x64(x64):
        o = overlaps.random_overlaps(KEY, 400, (4,))
        frame = overlaps.to_frame(o)
        for task, lam, alpha in product(CORNERS, (0.0, 1e-30, 0.3, 1e9), (0.0, 1e-9, 1e9)):
            k, v = dynamics.pgd_step(frame, lam, task, alpha)
            lengths = [np.linalg.norm(np.asarray(x, float), axis=-1) for x in (k, v)]
            np.testing.assert_allclose(lengths, 1, atol=eps)
            if alpha == 0:
                np.testing.assert_allclose(k, frame.k, atol=eps)
        for task, schedule in product(CORNERS, SCHEDULES):
            still = dynamics.pgd(o, task, schedule, 0.0, 2, 1)
            np.testing.assert_allclose(still.overlaps.rho[-1], o.rho, atol=10 * eps)
            row = dynamics.pgd(o, task, schedule, 1e-9, 0, 1)
            assert row.step.tolist() == [0] and np.all(np.isfinite(row.excess_risk))


SCHEDULES = [
    dynamics.constant(0.1),
    dynamics.inverse_decay(1e9, 1e9),
    dynamics.held(dynamics.inverse_decay(0.3, 1e-3), 1e18),
    dynamics.held(dynamics.inverse_decay(0.3, 1e-3), 0),  # held from the start
]


def least(matrix):
    """The lowest eigenvalue relative to the largest, after a scaling that keeps its sign."""
    matrix = np.asarray(matrix)
    scale = np.sqrt(np.abs(np.diagonal(matrix, axis1=-2, axis2=-1)))
    scale = np.where(scale > 0, scale, 1)
    return np.linalg.eigvalsh(matrix / scale[..., None] / scale[..., None, :])[..., 0]


MARGINS = {  # positive below the threshold
    "lambda_c_exact": lambda lam, task: least(minimizer_hessian(lam, task)),
    "lambda_sw": lambda lam, task: least(swapped_hessian(lam, task)),
    "lambda_eq": lambda lam, task: (
        1 - landscape.swapped_excess_risk(lam, task) / risk.oracle_excess_risk(lam, task)
    ),
}


@pytest.mark.parametrize("name", MARGINS)
def test_thresholds_are_where_signs_change(name):
    random, finite = np.random.default_rng(7), 0
    for _ in range(25):
        d, L = np.floor(10 ** random.uniform(0.4, 5)), np.floor(10 ** random.uniform(0.35, 3))
        gamma = 10 ** random.uniform(-2, 0.5)
        task = Task(float(max(d, 2)), float(L), float(min(gamma, 9 * d**0.5)))
        lam = getattr(landscape, name)(task)
        with jax.enable_x64(False):
            assert getattr(landscape, name)(task) == lam
        finite += np.isfinite(lam)
        low = 0.2 / max(1, task.gamma) / task.d**0.5
        high = lam if np.isfinite(lam) else 1e3
        below = np.geomspace(min(low, high / 10), high * (1 - 1e-3), 40)
        margin = np.asarray(MARGINS[name](below, task))
        assert np.all(margin > -1e-9), (task, lam)
        if np.isfinite(lam):
            above = float(np.asarray(MARGINS[name](np.array([lam * (1 + 1e-3)]), task))[0])
            assert above < 1e-9, (task, lam)
    assert finite > 3


TOO_BIG = {
    "sample": lambda task: sample(task, random_teacher(6, key=KEY), 1e15, key=KEY),
    "rows": lambda task: dynamics.pgd(overlaps.ORACLE, task, dynamics.constant(0.1), 0.1, 1e15, 1),
    "cells": lambda task: experiments.sweep(
        {"d": range(6, 10**5), "L": range(1, 10**5), "seed": range(10**5)}, steps=1
    ),
}


@pytest.mark.parametrize("name", TOO_BIG)
def test_what_does_not_fit_into_memory_says_so(name):
    told = refusal(lambda: TOO_BIG[name](Task(6, 3)))
    assert " must fit into the " in told and " GB of this machine, got " in told

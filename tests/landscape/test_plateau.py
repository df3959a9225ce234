"""The bounds of the plateau compared with runs, its gradient with automatic differentiation."""

import jax
import mpmath as mp
import numpy as np
import pytest

from slrlib import Overlaps, Task, landscape
from slrlib.dynamics import manifold_step
from slrlib.risk import excess_risk_gradient, manifold_excess_risk

SETTINGS = [(Task(400, 10), 0.1), (Task(40, 2, gamma=1.5), 1.0)]
each = pytest.mark.parametrize(("task", "lam"), SETTINGS, ids=lambda x: str(getattr(x, "d", x)))


def steps_until(kappa, nu, high, lam, task, alpha):
    """The first step after which kappa is at least ``high``, one run for each start."""
    first = np.zeros(np.shape(kappa), int)
    for number in range(1, 5000):
        kappa, nu = map(np.asarray, manifold_step(kappa, nu, lam, task, alpha))
        first = np.where((first == 0) & (kappa >= high), number, first)
        if np.all(first > 0):
            return first
    raise AssertionError("a run takes too long")


@each
@pytest.mark.parametrize("part", [1.0, 0.3])
def test_a_run_along_the_edge_takes_as_many_steps(task, lam, part):
    alpha = part * float(landscape.certified_step(lam, task))
    low, high = map(float, landscape.plateau_bounds(0.5, 0.95, lam, task, alpha))
    steps = steps_until(np.array([0.5]), np.array([1.0]), 0.95, lam, task, alpha)[0]
    assert low <= steps <= high
    assert high < 1.7 * steps + 2 and low > 0.4 * steps


@each
def test_no_start_on_M_is_faster_than_the_lower_bound(task, lam):
    alpha = float(landscape.certified_step(lam, task))
    low = float(landscape.plateau_bounds(0.5, 0.95, lam, task, alpha)[0])
    rng = np.random.default_rng(0)
    kappa, nu = rng.uniform(0.01, 0.5, 40), rng.uniform(0.01, 1, 40)
    assert np.min(steps_until(kappa, nu, 0.95, lam, task, alpha)) >= low


@each
def test_the_slope_along_the_edge(task, lam):
    kappa = np.array([0.0, 0.3, 0.7, 1.0])
    slope = jax.vmap(jax.grad(lambda x: manifold_excess_risk(x, 1.0, lam, task)))(kappa)
    found = np.asarray(excess_risk_gradient(Overlaps(kappa, 1.0, 0.0, 0.0, 0.0), lam, task).kappa)
    np.testing.assert_allclose(found, slope, rtol=1e-9)
    g = mp.mpf(lam) * mp.mpf(float(task.gamma))
    x = mp.mpf(lam) * mp.sqrt(task.d / mp.mpf(2)) / mp.sqrt(1 + 2 * g**2) * mp.mpf("0.7")
    wanted = 4 * float(task.gamma) ** 2 / mp.sqrt(mp.pi) * x / mp.mpf("0.7")
    wanted *= mp.exp(-(x**2)) * mp.erfc(x / mp.sqrt(1 + 4 * g**2))
    assert abs(-found[2] / float(wanted) - 1) < 1e-12

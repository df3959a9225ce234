"""Random starts for three kinds of attention: the stored runs, their prediction, their theorem."""

from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.stats import fisher_exact

from slrlib import Overlaps, Task
from slrlib.dynamics.steps import overlaps_of_pair, pair_of
from slrlib.experiments import ALL, load
from slrlib.experiments.random_starts import KINDS, _followed, limit_flow
from slrlib.overlaps import random_overlaps, to_frame
from slrlib.risk import linear_pair_excess_risk


@pytest.mark.parametrize("kind", range(3))
def test_a_slice_of_the_stored_runs_is_made_again(kind):
    """The same starts in the smallest dimension end the same way, but for ties of rounding."""
    e = ALL["random-starts"]
    stored = load("random-starts").at(KINDS[kind], e.sizes[0])
    again = replace(e, together=200, starts=200).followed(kind * len(e.sizes), 0)
    table = [[int(np.sum(x.end == i)) for x in (stored, again)] for i in (1, 2)]
    assert sum(map(sum, table)) == len(stored.end) + 200
    assert fisher_exact(table).pvalue > 1e-6


def test_the_limit_flow_is_the_gradient_flow_of_its_potential():
    a, gamma = 0.9, 0.8
    slope = 2 * a / np.sqrt(np.pi)

    def potential(s):
        X, V, T, H = s
        square = slope**2 * (gamma**2 * (X**2 + T**2) + X**2 * T**2)
        return square - 2 * gamma**2 * slope * (X * V + T * H)

    gradient = jax.jit(jax.grad(potential))
    starts = np.random.default_rng(1).normal(size=(4, 12)) / np.sqrt(2)
    for start, end in zip(starts.T, np.asarray(limit_flow(starts, a, gamma)), strict=True):
        path = solve_ivp(
            lambda _, s: -np.asarray(gradient(s)), (0, 12), start, method="LSODA", rtol=1e-9
        )
        _, V, _, H = path.y[:, -1]
        assert end == (1 if abs(V) > abs(H) else 2)


def test_every_start_in_the_basin_of_linear_attention_converges_there():
    """The four sets of the theorem, from starts that are drawn in them."""
    d, task = 30.0, Task(d=30, L=4, gamma=1.3)
    o = random_overlaps(jax.random.key(5), d, (400,))
    inside = (abs(o.kappa) > abs(o.theta)) & (abs(o.nu) > abs(o.eta)) & (o.kappa * o.nu > 0)
    o = Overlaps(*(x[np.asarray(inside)] for x in o))
    lam = 0.8 / (d / 2) ** 0.5
    end, _ = _followed(
        pair_of(to_frame(o)), lam, task, 0.2 / d, kind="linear", every=50, most=40_000
    )
    assert len(end) > 30 and np.all(np.asarray(end) == 1)


def test_linear_attention_does_not_tell_k_from_v():
    o = random_overlaps(jax.random.key(6), 9, (50,))
    swapped = Overlaps(o.theta, o.eta, o.kappa, o.nu, o.rho)
    task = Task(d=9, L=5, gamma=0.7)
    risks = [np.asarray(linear_pair_excess_risk(x, 0.2, task)) for x in (o, swapped)]
    np.testing.assert_allclose(*risks, rtol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_lowers_its_risk_and_keeps_a_possible_pair(kind):
    task, lam, alpha = Task(d=40, L=2), 0.15, 0.01
    pair = pair_of(to_frame(random_overlaps(jax.random.key(8), 40, (20,))))
    end, steps = _followed(pair, lam, task, alpha, kind=kind, every=100, most=20_000)
    assert set(np.asarray(end).tolist()) <= {1, 2} and np.all(np.asarray(steps) > 0)
    o = overlaps_of_pair(pair)
    assert bool(jnp.all(jnp.abs(o.rho) <= 1 + 1e-12))

"""Random starts for three kinds of attention: the stored runs, their prediction, their theorem."""

from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.stats import fisher_exact, ks_2samp

from slrlib import Overlaps, Task
from slrlib.dynamics.steps import pair_of
from slrlib.experiments import ALL, load
from slrlib.experiments.random_starts import KINDS, _followed, _slope, limit_flow, outcome
from slrlib.overlaps import random_overlaps, to_frame
from slrlib.risk import excess_risk, linear_pair_excess_risk, two_token_softmax_excess_risk

THEIRS = two_token_softmax_excess_risk, excess_risk, linear_pair_excess_risk
RISKS = dict(zip(KINDS, THEIRS, strict=True))


@pytest.mark.parametrize("kind", range(3))
def test_a_slice_of_the_stored_runs_is_made_again(kind):
    """The same starts in the smallest dimension end the same way, except for rounding."""
    e = ALL["random-starts"]
    stored = load("random-starts").at(KINDS[kind], e.sizes[0])
    again = replace(e, together=200, starts=200).part(kind * len(e.sizes), 0)
    table = [[int(np.sum(x.end == i)) for x in (stored, again)] for i in (1, 2)]
    assert sum(map(sum, table)) == len(stored.end) + 200
    assert fisher_exact(table).pvalue > 1e-6
    assert ks_2samp(stored.time, again.time).pvalue > 1e-6
    if KINDS[kind] == "erf":  # the limit flow predicts better than chance
        assert np.mean(stored.predicted == stored.end) > 0.7 < np.mean(again.predicted == again.end)


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


def test_every_run_ends_at_one_of_the_two_ends():
    """The ends of softmax and linear attention are (k*, v*) and (v*, k*), up to sign."""
    task, lam, alpha, d = Task(d=40, L=2), 0.15, 0.01, 40
    pair = pair_of(to_frame(random_overlaps(jax.random.key(8), d, (40,))))
    for kind, ends in (("softmax", {1}), ("linear", {1, 2})):
        end, steps = _followed(pair, lam, task, alpha, kind=kind, every=100, most=20_000)
        assert set(np.asarray(end).tolist()) == ends and np.all(np.asarray(steps) > 0)


@pytest.mark.parametrize("kind", KINDS)
def test_a_step_follows_the_gradient_of_its_own_risk(kind):
    """The gradient of each kind equals differences of its risk along each overlap."""
    risk = RISKS[kind]
    task, h, o = Task(d=40, L=2, gamma=0.8), 1e-5, Overlaps(0.3, -0.2, 0.1, 0.4, 0.25)
    slope = _slope(kind)(Overlaps(*(jnp.array([x]) for x in o)), 0.15, task)
    for i, found in enumerate(slope):
        ends = [o._replace(**{o._fields[i]: o[i] + x}) for x in (h, -h)]
        rise = float(risk(ends[0], 0.15, task) - risk(ends[1], 0.15, task)) / (2 * h)
        assert abs(float(found[0]) - rise) < 1e-7 * (1 + abs(rise))


def test_the_outcome_of_a_pair_at_each_end_and_far_from_both():
    ends = [(1, 1, 0, 0), (-1, -1, 0, 0), (0, 0, 1, 1), (0, 0, -0.7, -1), (1, -1, 0, 0)]
    rows = jnp.array([(*x, x[0] * x[2] + x[1] * x[3]) for x in ends], float)
    o = Overlaps(*rows.T)
    assert outcome(pair_of(to_frame(o))).tolist() == [1, 1, 2, 2, 0]

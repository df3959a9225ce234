"""Bounds on the oracle's lowest risk and on the risk of all erf attention."""

import math

import jax
import mpmath as mp
import numpy as np
import pytest
from booksource import defined
from scipy.special import erf, erfc

from slrlib import Task, risk, special
from slrlib.landscape import best_excess_bounds, best_lam
from slrlib.overlaps import ORACLE, Overlaps, random_overlaps

ROOT_HALF = 0.5**0.5
swapped_ceiling = defined("what_attention_reaches", "swapped_ceiling", np=np)["swapped_ceiling"]
SWAPPED = Overlaps(0.0, 0.0, 1.0, 1.0, 0.0)  # (k, v) = (v*, k*)


def test_the_best_risk_lies_between_its_bounds():
    rng = np.random.default_rng(0)
    d = np.round(10 ** rng.uniform(1, 9, 400))
    L = 2 + np.floor(d ** rng.uniform(0, 0.9, 400))
    task = Task(d, L, 10 ** rng.uniform(-1, 0.7, 400))
    low, high = map(np.asarray, best_excess_bounds(task))
    best = np.asarray(best_lam(task)[1])
    assert np.all(low <= best * (1 + 1e-9)) and np.all(best <= high * (1 + 1e-9))
    assert np.mean(np.isfinite(high)) > 0.8


@pytest.mark.parametrize(("d", "gamma", "lam"), [(20, 0.7, 0.5), (400, ROOT_HALF, 0.06), (9, 3, 2)])
def test_the_exact_form_of_what_is_not_read_and_its_bounds(d, gamma, lam):
    w = 1 + 4 * mp.mpf(lam * gamma) ** 2
    Z = mp.mpf(lam) ** 2 * d / w

    def f(x):
        return mp.exp(-x) / ((1 + x / Z) * mp.sqrt(1 + (1 + w) * x / Z))

    front = 2 * mp.sqrt(w) / (mp.pi * Z) * mp.exp(-Z)
    exact = front * mp.quad(f, [0, 1, 5, 20, 80])
    ours = float(special.mean_erfc_squared(lam * (d / 2) ** 0.5, lam * gamma))
    assert abs(ours / exact - 1) < 1e-12
    assert 2 * mp.exp(-Z) / (mp.pi * (Z + 2)) <= exact <= front


def test_no_pair_at_no_lam_is_below_the_floor():
    keys = jax.random.split(jax.random.key(0), 6)
    lams = 10 ** np.random.default_rng(1).uniform(-3, 2, 3000)
    near = Overlaps(0.0, 0.0, 0.999, 0.998, 0.0)
    tasks = Task(3, 2, 1.0), Task(10, 3, 0.3), Task(400, 10, ROOT_HALF), Task(1e4, 50, 2.0)
    for key, task in zip(keys, tasks, strict=False):
        floor = float(risk.erf_floor(task))
        assert floor > 0
        for o in (random_overlaps(key, 5, (3000,)), SWAPPED, ORACLE, near):
            o = Overlaps(*(np.broadcast_to(np.asarray(x), (3000,)) for x in o))
            assert np.min(risk.excess_risk(o, lams, task)) >= floor


def test_in_many_dimensions_the_least_risk_is_that_of_the_swapped_pair():
    """Pairs at small and large distances from the swapped one, with lam near its optimum."""
    task, rng, count = Task(1e6, 2, ROOT_HALF), np.random.default_rng(3), 40_000
    wanted = 2 * (1 + 0.25) / 1e6
    lean = 10 ** rng.uniform(-8, 0.3, (5, count)) * rng.choice([-1, 1], (5, count))
    k, v = np.zeros((2, count, 4))
    k[:, 1], v[:, 0] = 1, 1
    k[:, 0], k[:, 2], v[:, 1], v[:, 2], v[:, 3] = lean
    k, v = (x / np.linalg.norm(x, axis=1)[:, None] for x in (k, v))
    o = Overlaps(k[:, 0], v[:, 1], v[:, 0], k[:, 1], np.sum(k * v, axis=1))
    lams = (np.pi / 2e6) ** 0.5 * np.exp(rng.normal(0, 0.5, count))
    least = np.min(risk.excess_risk(o, lams, task))
    assert 0.998 * wanted < least < 1.02 * wanted
    assert float(swapped_ceiling(task)) == pytest.approx(wanted, rel=1e-3)


def test_the_bounds_behind_the_necessary_conditions():
    rng = np.random.default_rng(4)
    nodes, weights = np.polynomial.hermite_e.hermegauss(150)
    weights = weights / weights.sum()
    for _ in range(300):
        lam, gamma, r = 10 ** rng.uniform((-3, -1, 0), (-0.3, 0.3, 0.7))
        missed = weights @ erfc(lam * (r + gamma * nodes)) ** 2
        assert missed > erfc(lam * r / np.sqrt(1 + 2 * (lam * gamma) ** 2)) ** 2 * (1 - 1e-9)
        noise = weights @ erf(lam * nodes) ** 2
        assert noise > 4 / math.pi * lam**2 / (1 + 2 * lam**2)


def test_without_either_condition_the_oracle_pair_is_not_optimal():
    d = np.array([1e4, 1e8, 1e12])
    for L in (np.full(3, 2.0), np.round(d**0.5)):
        task = Task(d, L)
        short = np.asarray(risk.oracle_excess_risk(1.5 / np.sqrt(d), task))
        assert np.all(short > 0.5 * erfc(1.5 / math.sqrt(2)) ** 2 * (1 - 1e-6))
        long = np.asarray(risk.oracle_excess_risk(0.5 / np.sqrt(L), task))
        assert np.all(long > 0.08)
        between = np.asarray(risk.oracle_excess_risk((d * L) ** -0.25, task))
        assert np.all(np.diff(between) < 0) and between[-1] < 0.01

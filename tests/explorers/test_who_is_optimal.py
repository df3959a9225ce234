"""The explorer "who is optimal": its numbers against the package, its table, its switches."""

import jax
import numpy as np
import pytest
from shown import engine_of, picture

from slrbook.explorers.who_is_optimal import table as bayes_table
from slrbook.explorers.who_is_optimal.spec import WhoIsOptimal
from slrbook.explorers.who_is_optimal.table import DIMENSIONS, GAMMAS
from slrlib import Task, landscape, risk
from slrlib.risk.bayes import log_overlap

PLACES = [(0.1, Task(400, 10)), (1.3, Task(80, 2, 2.5)), (0.004, Task(1e6, 20, 0.5))]
engine = engine_of(WhoIsOptimal)


@pytest.mark.parametrize("lam, task", PLACES)
def test_the_numbers_are_those_of_the_package(engine, lam, task):
    figures = picture(engine, lam=lam, d=task.d, L=task.L, gamma=task.gamma)["figures"]
    exact = {
        "erf": risk.oracle_excess_risk(lam, task),
        "linear_attention": risk.linear_attention_excess_risk(lam, task),
        "null": risk.null_excess_risk(task),
        "best_linear_attention": risk.best_linear_attention(task)[1],
    }
    for name, value in exact.items():
        assert figures[name] == pytest.approx(float(value), rel=1e-10), name
    best_lam, best = landscape.best_lam(task)
    assert figures["best_lam"] == pytest.approx(float(best_lam), rel=1e-6)
    assert figures["best_erf"] == pytest.approx(float(best), rel=1e-10)
    softmax = float(risk.exact_softmax_excess_risk(lam, task))
    assert figures["softmax"] == pytest.approx(softmax, rel=0.02)


def test_softmax_is_good_to_two_per_cent(engine):
    random = np.random.default_rng(2)
    for lam, d, gamma in zip(
        10 ** random.uniform(-3, 0.3, 4),
        np.round(10 ** random.uniform(1, 3, 4)),
        random.uniform(0.5, 2.5, 4),
        strict=True,
    ):
        L = random.integers(2, 21)
        exact = float(risk.exact_softmax_excess_risk(lam, Task(d=d, L=L, gamma=gamma)))
        (there,) = engine.numbers(f"softmax({lam}, {{d: {d}, L: {L}, gamma: {gamma}}})")
        assert there == pytest.approx(exact, rel=0.02)


def test_the_best_lam_is_found_everywhere(engine):
    random = np.random.default_rng(3)
    d, L = np.round(10 ** random.uniform(1, 6, 15)), random.integers(2, 21, 15)
    gamma = random.uniform(0.5, 2.5, 15)
    best = np.asarray(landscape.best_lam(Task(d=d, L=L, gamma=gamma))[1])
    for i in range(15):
        scene = f"scene({{d: {d[i]}, L: {L[i]}, gamma: {gamma[i]}}}, {{}}).best.erf"
        assert engine.value(scene) == pytest.approx(best[i], rel=1e-9)


def logarithms(d, gamma, L, key):
    """The log of the Bayes risk from samples, at as many points as a column of the table has."""
    left, error = bayes_table.remainder(1.0 * d, gamma, key, L=float(L), samples=5000)
    overlap = log_overlap(Task(d=1.0 * d, L=np.full(len(d), float(L)), gamma=gamma))
    return left + overlap + np.log(L - 1.0) - 0.5 * np.log(d), error


@pytest.mark.optimized
def test_bayes_from_the_table_between_its_points(engine):
    """Within three times the stated error, and 4% for interpolation between the points."""
    random = np.random.default_rng(4)
    stated, places = bayes_table.stored()["error"], len(DIMENSIONS) * len(GAMMAS)
    assert stated < 0.1
    d, gamma = np.round(10 ** random.uniform(1, 3, places)), random.uniform(0.5, 2.5, places)
    L = 2
    values, errors = logarithms(d, gamma, L, jax.random.key(L))
    scenes = [f"bayes({{d: {d[i]}, L: {L}, gamma: {gamma[i]}}})" for i in range(places)]
    there = np.array([engine.value(scene) for scene in scenes]) * np.log(10)
    assert np.all(np.abs(there - values) < 3 * (stated + errors) + 0.04)


@pytest.mark.optimized
def test_the_table_is_that_of_its_maker():
    """The column for L = 20 recomputed; the whole table takes minutes."""
    table = bayes_table.stored()
    sizes = [len(table[axis]) for axis in ("d", "L", "gamma")]
    values = np.reshape(table["values"], sizes) * table["unit"]
    d, gamma = (np.ravel(x) for x in np.meshgrid(table["d"], table["gamma"], indexing="ij"))
    fresh, error = bayes_table.remainder(1.0 * d, gamma, jax.random.key(7), L=20.0, samples=5000)
    z = (np.ravel(values[:, 4]) - fresh) / np.hypot(error, table["error"])
    assert np.abs(z).max() < 4

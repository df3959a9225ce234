"""The map of lambda: its printed functions, its lines against the package, its words."""

import math

import numpy as np
import pytest
from js import Engine
from shown import picture

from slrbook.explorers.lam_map.spec import LamMap
from slrlib import Task, landscape, risk

PAPER = dict(d=400, L=10, gamma=0.5**0.5)
PLACES = [
    PAPER,
    dict(d=80, L=2, gamma=0.5**0.5),
    dict(d=10_000, L=20, gamma=1.0),
    dict(d=20, L=3, gamma=0.5),
    dict(d=1e6, L=20, gamma=1.5),
]


@pytest.fixture(scope="module")
def engine():
    return Engine(LamMap.program())


def expected(task):
    return {
        "sw": landscape.lambda_sw(task),
        "c": float(landscape.lambda_c(task)),
        "eq": landscape.lambda_eq(task),
        "best": float(landscape.best_lam(task)[0]),
        "clip": landscape.lambda_clip(task),
    }


@pytest.mark.parametrize("place", PLACES)
def test_the_lines_at_one_d_are_those_of_the_package(engine, place):
    figures = picture(engine, **place)["figures"]
    for name, value in expected(Task(**place)).items():
        got = math.inf if figures[name] is None else figures[name]  # JSON knows no infinity
        assert got == pytest.approx(value, rel=1e-6), name


def test_the_lines_are_found_everywhere(engine):
    random = np.random.default_rng(5)
    names = ["sw", "c", "eq", "best", "clip"]
    for _ in range(25):
        d, L = float(np.round(10 ** random.uniform(1.31, 6))), int(random.integers(2, 21))
        gamma = float(random.uniform(0.5, 1.5))
        there = f"lines({{d: {d}, L: {L}, gamma: {gamma}, alpha: 0.004}})"
        got = engine.numbers(f"((at) => [{','.join(f'at.{n}' for n in names)}])({there})")
        value = expected(Task(d=d, L=L, gamma=gamma))
        assert got == pytest.approx([value[name] for name in names], rel=1e-6), (d, L, gamma)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("alpha", [4e-3, 4e-6])
def test_edge_and_slow_lines(engine, place, alpha):
    """At the edge alpha h is 2; on the slow line 120,000 steps take a factor e."""
    figures, task = picture(engine, **place, alpha=alpha)["figures"], Task(**place)
    if figures["edge"] is not None:
        sharpest = alpha * landscape.edge_of_stability(1.0, figures["edge"], task)
        assert float(sharpest) == pytest.approx(2, rel=1e-8)
    if figures["slow"] is not None:
        factor = (1 + alpha * landscape.local_slopes(figures["slow"], task)[0]) ** 2
        assert -1 / math.log(float(factor)) == pytest.approx(120_000, rel=1e-6)
    sharpest = alpha * landscape.edge_of_stability(1.0, np.geomspace(1e-4, 20, 100), task)
    assert (figures["edge"] is not None) == bool(np.max(sharpest) > 2)


def test_the_regions_are_those_of_the_package(engine):
    """At random settings: above lambda_c, and by which of two risks is lower below it."""
    random = np.random.default_rng(8)
    seen = set()
    for _ in range(40):
        place = dict(
            d=float(np.round(10 ** random.uniform(1.31, 6))), L=int(random.integers(2, 21))
        )
        lam = float(10 ** random.uniform(-2, 0.6))
        shown = picture(engine, **place, lam0=lam)
        figures = shown["figures"]
        task = Task(**place, gamma=0.5**0.5)
        both = risk.oracle_excess_risk(lam, task), landscape.swapped_excess_risk(lam, task)
        if lam >= float(landscape.lambda_c(task)):
            expected = "teacher: not a minimum"
        else:
            expected = "teacher: lower risk" if both[0] < both[1] else "swapped: lower risk"
        assert figures["regime"] == expected, (place, lam)
        assert shown["reading"].startswith("Yes" if expected == "teacher: lower risk" else "No")
        seen.add(expected)
    assert len(seen) == 3

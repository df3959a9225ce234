"""The map of lambda: its printed functions, its lines against the package, its words."""

import itertools
import math
import re

import numpy as np
import pytest
from js import Engine
from test_explore import picture

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


def test_the_printed_functions_at_small_and_large_lam(engine):
    """The other tests take lam to 2; the lines look for their roots from 1e-4 to 20."""
    random = np.random.default_rng(6)
    lam, d = 10 ** random.uniform(-4, 1.3, 10_000), np.round(10 ** random.uniform(1.3, 6, 10_000))
    L, gamma = np.round(random.uniform(2, 20, 10_000)), random.uniform(0.5, 1.5, 10_000)
    task = Task(d=d, L=L, gamma=gamma, noise=np.zeros(10_000))
    for name, columns, here in [
        ("oracle", (lam, d, L, gamma), risk.oracle_excess_risk(lam, task)),
        ("swapped", (lam, d, L, gamma), landscape.swapped_excess_risk(lam, task)),
        ("theta", (lam, d, gamma), landscape.swapped.free_theta(lam, task)),
        ("slope", (lam, d, gamma), landscape.local_slopes(lam, task)[0]),
    ]:
        here = np.asarray(here)
        error = np.abs(engine(name, *columns) - here) / np.maximum(1.0, np.abs(here))
        assert error.max() < 1e-12, name


def test_the_determinant_changes_sign_with_the_smallest_eigenvalue(engine):
    random = np.random.default_rng(7)
    lam, d = 10 ** random.uniform(-2, 0.6, 3000), np.round(10 ** random.uniform(1.3, 5, 3000))
    L, gamma = np.round(random.uniform(2, 20, 3000)), random.uniform(0.5, 1.5, 3000)
    task = Task(d=d, L=L, gamma=gamma, noise=np.zeros(3000))
    positive = engine("determinant", lam, d, L, gamma) > 0
    assert np.mean(positive == np.asarray(landscape.swapped.swapped_is_minimum(lam, task))) > 0.999
    assert 0.2 < positive.mean() < 0.9


@pytest.mark.parametrize(
    "t, regime, words",
    [
        (0, "tilted", "tilt towards each other’s target."),
        (1_000, "tilted", "each other’s target, or swap."),
        (6_000, "edge of stability", "steps overshoot it"),
        (60_000, "on the plateau", "to fall by a factor e"),
        (80_000, "either basin", "two local minima"),
        (120_000, "swapped is lower", "risk 0.075 at the teacher, 0.0689 swapped"),
    ],
)
def test_the_schedule_of_the_paper_says_where_it_is(engine, t, regime, words):
    seen = picture(engine, t=t)
    assert seen["figures"]["regime"] == regime
    assert seen["figures"]["lam"] == pytest.approx(1 / (1 + 1e-4 * t))
    assert seen["reading"].startswith(f"Step {t:,}, λ = ") and words in seen["reading"]


def test_the_names_on_the_map_keep_off_its_lines(engine):
    """At the corners of the controls each name stands in its region, and no line comes near it."""
    corners = itertools.product((20, 400, 1e6), (2, 20), (0.5, 1.5), (4e-6, 4e-3, 4e-2))
    named = set()
    for d, L, gamma, alpha in corners:
        drawn = picture(engine, d=d, L=L, gamma=gamma, alpha=alpha)["panels"][0]
        places = re.findall(r'x="(\S+)" y="(\S+)"[^>]*class="hint on">([^<]+)<', drawn)
        named |= {words for *_, words in places}
        for path in re.findall(r'<path d="M([\d.,L]+)" class="line (?!axis|grid)', drawn):
            points = np.array([pair.split(",") for pair in path.split("L")], float)
            on = np.linspace(0, len(points) - 1, 100 * len(points))
            between, heights = (np.interp(on, range(len(points)), part) for part in points.T)
            for left, low, words in places:
                beside = np.abs(between - float(left)) < 3 * len(words)
                assert not np.any(beside & (np.abs(heights - float(low) + 4) < 7)), (words, d, L)
    assert named >= {"tilted", "edge of stability", "swapped is lower"}


def test_the_button_goes_from_line_to_line(engine):
    steps = engine.numbers(
        """(() => { const values = Object.fromEntries(SPEC.controls.map(c => [c.name, c.paper]));
        return [0, 0, 0, 0, 0, 0].map(() => (values.t = explorer.actions[0](values).t)); })()"""
    )
    at = expected(Task(**PAPER))
    assert np.all(np.diff(steps[:5]) > 0) and steps[5] == steps[4]  # no further line
    assert steps[:2] == pytest.approx([1e4 * (1 / at[n] - 1) for n in ("sw", "c")], abs=2)
    assert steps[4] == pytest.approx(1e4 * (1 / at["eq"] - 1), abs=2)

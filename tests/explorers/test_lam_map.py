"""The map of lambda: its printed functions, its lines against the package, its words."""

import itertools
import json
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
        (0, "teacher is no minimum", "No: at step 0, λ = 1, the teacher is not a local minimum"),
        (1_400, "teacher is better", "Yes: at step 1,400, λ = 0.877, the teacher has risk"),
        (60_000, "teacher is better", "the teacher has risk 0.225, the swapped pair 0.231."),
        (120_000, "swapped is better", "No: at step 120,000, λ = 0.0769, the teacher has risk"),
    ],
)
def test_the_schedule_of_the_paper_says_where_it_is(engine, t, regime, words):
    seen = picture(engine, t=t)
    figures = seen["figures"]
    assert figures["regime"] == regime
    assert words in seen["reading"]
    lower = figures["oracle"] < figures["swapped"]
    assert lower == (regime != "swapped is better")


def test_the_regions_are_those_of_the_package(engine):
    """At random settings: above lambda_c, and by which of two risks is lower below it."""
    random = np.random.default_rng(8)
    seen = set()
    for _ in range(40):
        place = dict(
            d=float(np.round(10 ** random.uniform(1.31, 6))), L=int(random.integers(2, 21))
        )
        lam = float(10 ** random.uniform(-2, 0.6))
        figures = picture(engine, **place, lam0=lam)["figures"]
        task = Task(**place, gamma=0.5**0.5)
        both = risk.oracle_excess_risk(lam, task), landscape.swapped_excess_risk(lam, task)
        if lam >= float(landscape.lambda_c(task)):
            expected = "teacher is no minimum"
        else:
            expected = "teacher is better" if both[0] < both[1] else "swapped is better"
        assert figures["regime"] == expected, (place, lam)
        seen.add(expected)
    assert len(seen) == 3


@pytest.mark.parametrize("also", range(6))
def test_the_names_stand_in_their_regions_and_one_line_comes_on_demand(engine, also):
    """At the corners of the controls no border comes near a name, nor does the run."""
    named = set()
    for d, L, gamma in itertools.product((20, 400, 1e6), (2, 20), (0.5, 1.5)):
        seen = picture(engine, d=d, L=L, gamma=gamma, also=also)
        drawn = seen["panels"][0]
        places = re.findall(r'x="(\S+)" y="(\S+)"[^>]*class="strong on (\w+)">([^<]+)<', drawn)
        named |= {words for *_, words in places}
        assert len(places) >= 2
        bands = dict(
            (kind, path)
            for path, kind in re.findall(r'<path d="M([^"]+)Z" class="band (\w+)"', drawn)
        )
        assert len(bands) == 3
        for left, low, kind, words in places:
            edge = np.array([pair.split(",") for pair in bands[kind].split("L")], float)
            top, bottom = edge[: len(edge) // 2], edge[len(edge) // 2 :][::-1]
            beside = np.linspace(float(left) - 3 * len(words), float(left) + 3 * len(words), 20)
            assert np.all(np.interp(beside, *top.T) < float(low) - 9)
            assert np.all(np.interp(beside, *bottom.T) > float(low))
        assert drawn.count("line dash text") <= (also > 0)
        assert ("dashed: " in drawn) == (also > 0)
        sentences = 1 + (also > 0)
        assert len(re.findall(r"[a-zα-ω0-9)*]\.(?= |$)", seen["reading"])) == sentences
    assert named == {"teacher is no minimum", "teacher is better", "swapped is better"}


def test_play_falls_through_the_regions_and_stops_at_the_end(engine):
    seen = engine.value(
        """JSON.stringify((() => {
        let values = {...Object.fromEntries(SPEC.controls.map(c => [c.name, c.paper])), playing: 1};
        const seen = [];
        while (values.playing) {
          const { regime } = explorer.draw(values, undefined, {}).figures;
          if (seen.at(-1) !== regime) seen.push(regime);
          values = {...values, ...explorer.next(values)};
        }
        return [seen, values.t]; })())"""
    )
    assert json.loads(seen) == [
        ["teacher is no minimum", "teacher is better", "swapped is better"],
        120_000,
    ]

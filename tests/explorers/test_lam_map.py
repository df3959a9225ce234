"""The map of lambda: its printed functions, its lines against the package, its text."""

import math

import numpy as np
import pytest
from shown import engine_of, picture

from slrbook.explorers.lam_map.spec import LamMap
from slrlib import Task, landscape, risk

PLACES = [
    dict(d=400, L=10, gamma=0.5**0.5),
    dict(d=80, L=2, gamma=0.5**0.5),
    dict(d=10_000, L=20, gamma=1.0),
    dict(d=20, L=3, gamma=0.5),
    dict(d=1e6, L=20, gamma=1.5),
]
engine = engine_of(LamMap)


def expected(task):
    return {
        "sw": landscape.lambda_sw(task),
        "c": float(landscape.lambda_c(task)),
        "eq": landscape.lambda_eq(task),
        "best": float(landscape.best_lam(task)[0]),
    }


def test_the_lines_are_those_of_the_package_everywhere(engine):
    random, places = np.random.default_rng(5), [*PLACES]
    for _ in range(10):
        d, L = float(np.round(10 ** random.uniform(1.31, 6))), int(random.integers(2, 21))
        places.append(dict(d=d, L=L, gamma=float(random.uniform(0.5, 1.5))))
    for place in places:
        figures = picture(engine, **place)["figures"]
        for name, value in expected(Task(**place)).items():
            got = math.inf if figures[name] is None else figures[name]  # JSON has no infinity
            assert got == pytest.approx(value, rel=1e-6), (name, place)


def test_the_regions_are_those_of_the_package(engine):
    """At random settings: whether lam exceeds lambda_c, and if not, which risk is lower."""
    random = np.random.default_rng(8)
    seen = set()
    for _ in range(20):
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

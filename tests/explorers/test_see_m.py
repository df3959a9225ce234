"""See M without a browser: its runs against slrlib, starts that exist or not, its text."""

import json

import numpy as np
import pytest
from shown import engine_of, picture

from slrbook.explorers.see_m.spec import SeeM
from slrlib import Task
from slrlib.dynamics import constant, pgd
from slrlib.landscape.states import STATES, state
from slrlib.overlaps import Overlaps, distance_to_manifold, is_feasible

TASKS = [Task(400, 10, 0.5**0.5, 0.0), Task(1000, 4, 1.2, 0.0)]
STEPS = 2000
STARTS = [
    {},
    {"far": 0.09, "eta0": -1},
    {"far": 0.5, "rho0": 1, "kappa0": 0.6, "nu0": -0.39},
    {"far": 1e-4, "theta0": 0, "eta0": 0, "rho0": -1},
    {"far": 1, "kappa0": 0.9, "nu0": 0.2},  # no two unit vectors are so far from M
]
engine = engine_of(SeeM)


@pytest.mark.parametrize("task", TASKS, ids=["paper", "other"])
def test_the_runs_are_those_of_slrlib(engine, task):
    of = dict(d=task.d, L=task.L, gamma=task.gamma, steps=STEPS, alpha=1e-3)
    pages = [picture(engine, "path: result.path", **start, **of) for start in STARTS]
    starts = Overlaps(*np.array([page["path"][0][1:] for page in pages]).T)
    run = pgd(starts, task, constant(0.1), 1e-3, STEPS, 5)
    here = np.stack(run.overlaps, -1)
    away = np.asarray(distance_to_manifold(run.overlaps))
    codes = state(Overlaps(*here[-1].T), 0.1, task)
    for i, page in enumerate(pages):
        path = np.array(page["path"])
        assert path[:, 0].tolist() == run.step.tolist()
        np.testing.assert_allclose(path[:, 1:], here[:, i], atol=1e-9)
        figures = page["figures"]
        assert figures["distance"] == pytest.approx(away[-1, i], abs=1e-9)
        assert figures["most"] == pytest.approx(away[:, i].max(), rel=1e-3)
        assert figures["end"] == STATES[int(codes[i])]


def test_a_start_that_no_pair_has_is_drawn_in_as_little_as_need_be(engine):
    random = np.random.default_rng(3)
    drawn = random.uniform(-1, 1, (300, 5))
    drawn[0] = [1, 1, 1, 1, 0]
    drawn[1, 2:] = 0  # no direction off M is given
    far = 10.0 ** random.uniform(-3, 0, 300)
    names = ("kappa0", "nu0", "theta0", "eta0", "rho0")
    given = [dict(zip(names, row, strict=True), far=x) for row, x in zip(drawn, far, strict=True)]
    found = engine.numbers(
        f"{json.dumps([{k: float(v) for k, v in one.items()} for one in given])}"
        ".map(begun).map(({five, drawnIn}) => [...five, +drawnIn])"
    ).reshape(-1, 6)
    assert np.all(is_feasible(Overlaps(*found[:, :5].T), 1e-12))
    size = np.linalg.norm(found[:, 2:5], axis=1)
    asked = np.where(np.any(drawn[:, 2:] != 0, axis=1), far, 0)
    inward = found[:, 5] == 1
    assert 20 < np.sum(inward) < 280
    np.testing.assert_allclose(size[~inward], asked[~inward], rtol=1e-12)
    assert np.all(size[inward] < asked[inward]) and size[0] == 0
    more = found[inward][:, :5].copy()
    more[:, 2:] *= 1 + 1e-6
    more[size[inward] == 0, 2:] = 1e-6 * drawn[inward][size[inward] == 0, 2:]
    assert not np.any(is_feasible(Overlaps(*more.T), 0.0))
    np.testing.assert_allclose(found[:, :2], drawn[:, :2])


def test_the_reading(engine):
    for controls, words in (
        ({}, "Yes: the distance rises from 0.03 to 0.15 and then falls to 1.9 × 10⁻⁸. The run has"),
        ({"far": 0.09}, "No: the distance grows from 0.09 to 1.2. The run is swapped;"),
        ({"far": 1, "kappa0": 0.9}, "No two unit vectors with this κ and ν are at distance 1 in"),
        ({"theta0": 0, "eta0": 0}, "Yes: it stays on M. The run has recovered the teacher"),
        ({"kappa0": 1, "nu0": -1}, "Yes: it stays on M. The run is at a maximum."),
    ):
        assert words in picture(engine, **controls)["reading"]

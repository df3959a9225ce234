"""The explorer of descent from random starts: its runs, starts and text."""

from collections import Counter

import jax.numpy as jnp
import numpy as np
import pytest
from shown import engine_of, picture

from slrbook.explorers.descent.spec import Descent
from slrlib import Task, landscape
from slrlib.dynamics import inverse_decay, pgd
from slrlib.landscape import states
from slrlib.overlaps import Frame, Overlaps, from_frame

pytestmark = pytest.mark.optimized

STARTS = "starts: starts(values)"  # the frames of the page
TASK = Task(d=400, L=10, gamma=0.5**0.5, noise=0.0)
engine = engine_of(Descent)


def overlaps_of(frames):
    frames = jnp.asarray(frames)
    return from_frame(Frame(frames[..., :3], frames[..., 3:7]))


@pytest.mark.parametrize(
    "lam0, decay, alpha, task",
    [(0.1, 0.0, 4e-3, TASK), (0.9, 1e-4, 1e-3, TASK), (0.1, 0.0, 1e-3, Task(1000, 4, 1.2, 0.0))],
)
def test_a_run_from_ones_own_start_is_that_of_the_package(engine, lam0, decay, alpha, task):
    of = dict(d=task.d, L=task.L, gamma=task.gamma, lam0=lam0, decay=decay, alpha=alpha)
    page = picture(engine, STARTS, seed=0, steps=3000, eta0=0.2, **of)
    start = overlaps_of(page["starts"][0])
    np.testing.assert_allclose(
        start, Overlaps(0.05, 0.03, 0.05, 0.2, 0.05 * 0.05 + 0.2 * 0.03), atol=1e-15
    )
    run = pgd(start, task, inverse_decay(lam0, decay), alpha, 3000, 3000)
    here = Overlaps(*(x[-1] for x in run.overlaps))
    np.testing.assert_allclose(overlaps_of(page["figures"]["frames"][0]), here, atol=1e-9)
    assert page["figures"]["groups"][0][2] == pytest.approx(float(run.excess_risk[-1]), abs=1e-8)


def frames_near_ends(random, count):
    """Pairs near each end, and pairs elsewhere, as the seven numbers of the page."""
    ends = np.array(
        [[1, 0, 0, 0, 1, 0, 0], [0, 1, 0, 1, 0, 0, 0], [0.3, -0.95, 0, 0.3, 0.94, 0, 0], [0] * 7]
    )
    near = ends[random.integers(0, 4, count)] * random.choice([1, -1], (count, 1))
    near = near + random.uniform(0.05, 0.6, (count, 1)) * random.standard_normal((count, 7))
    k, v = near[:, :3], near[:, 3:]
    size = lambda x: np.linalg.norm(x, axis=1, keepdims=True)  # noqa: E731
    return np.concatenate([k / size(k), v / size(v)], axis=1)


def test_the_words_of_the_page_are_the_states_of_the_package(engine):
    random = np.random.default_rng(7)
    frames = frames_near_ends(random, 900)
    lam = np.exp(random.uniform(np.log(0.02), np.log(2), 900))
    lam[:40] = float(landscape.lambda_c(TASK)) * np.tile([0.9999, 1.0001], 20)
    o = overlaps_of(frames)
    of = [np.full(900, x) for x in (TASK.d, TASK.L, TASK.gamma)]
    codes = engine("ending", o.kappa, o.nu, o.eta, lam, *of).astype(int)
    assert tuple(Descent.constants()["states"]) == landscape.STATES
    assert np.array_equal(codes, np.asarray(states.state(o, lam, TASK)))
    assert min(np.bincount(codes, minlength=5)) > 10  # each state occurs
    assert set(landscape.STATES) <= set(engine.value("NAMES.join()").split(","))


def test_thirty_starts_end_as_in_the_package(engine):
    """Compare the state, not the path: at the edge of stability rounding decides the phase."""
    page = picture(engine, STARTS)
    run = pgd(overlaps_of(page["starts"]), TASK, inverse_decay(1.0, 1e-4), 4e-3, 120_000, 120_000)
    last = Overlaps(*(x[-1] for x in run.overlaps))
    ends = np.array(landscape.STATES)[np.asarray(states.state(last, 1 / 13, TASK))]
    # Rounding changes the end of less than one start in a thousand.
    assert np.sum(np.array(page["figures"]["ends"]) != ends) <= 2
    counted = Counter(page["figures"]["ends"])
    assert {name: number for name, number, _ in page["figures"]["groups"]} == counted
    assert counted["recovered the teacher"] >= 20 and counted["swapped"] >= 1
    for name, _, risk in page["figures"]["groups"]:
        here = np.asarray(run.excess_risk[-1])[ends == name]
        assert not len(here) or risk == pytest.approx(np.median(here), abs=1e-6)
    assert page["reading"].endswith("do not identify (k⋆, v⋆) but predict better.")


def test_the_reading_of_one_start(engine):
    for controls, words in (
        (dict(eta0=0.5, nu0=0.01), "No: your run is swapped after 120,000 steps"),
        (dict(nu0=0.3), "Yes: your run has recovered the teacher after 120,000 steps"),
        (dict(steps=1000, lam0=0.05), "Not yet: your run is undecided after 1,000 steps"),
        (dict(nu0=0.9, steps=2000), "Not yet: your run is on the plateau after 2,000 steps"),
    ):
        assert picture(engine, seed=0, **controls)["reading"].startswith(words)

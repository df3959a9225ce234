"""The explorer of the chapter on convergence: its runs, starts and words, in V8 and Chromium."""

import json
from collections import Counter

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from browsing import served
from chance import LIMIT, z_score
from explored import reset
from js import Engine
from scipy import stats

from slrbook import static
from slrbook.explorers import the_descent
from slrbook.explorers.descent.spec import GAMMA, Descent
from slrlib import Task, landscape
from slrlib.dynamics import inverse_decay, manifold_step, pgd
from slrlib.landscape import states
from slrlib.overlaps import Frame, Overlaps, from_frame

pytestmark = pytest.mark.optimised

TASK = Task(d=400, L=10, gamma=GAMMA, noise=0.0)


@pytest.fixture(scope="module")
def engine():
    return Engine(Descent.program())


def seen(engine, **controls):
    """What the page shows at the end of its run, and the frames of its starts."""
    return json.loads(
        engine.value(f"""JSON.stringify((() => {{
      const values = {{...Object.fromEntries(SPEC.controls.map(c => [c.name, c.paper])),
                       ...{json.dumps(controls)}}};
      let result;
      for (const work = explorer.work(values);;) {{
        const next = work.next();
        if (next.value) result = next.value;
        if (next.done) break;
      }}
      const {{reading, figures}} = explorer.draw(values, result, {{}});
      return {{reading, figures, starts: starts(values)}};
    }})())""")
    )


def overlaps_of(frames):
    frames = jnp.asarray(frames)
    return from_frame(Frame(frames[..., :3], frames[..., 3:7]))


def test_the_step_on_the_manifold_is_that_of_the_package(engine):
    random = np.random.default_rng(2)
    kappa, nu = random.uniform(-1, 1, (2, 2000))
    lam = np.exp(random.uniform(np.log(0.02), np.log(2), 2000))
    alpha = np.exp(random.uniform(np.log(4e-4), np.log(4e-2), 2000))
    there = jax.vmap(lambda *x: manifold_step(*x[:3], TASK, x[3]))(kappa, nu, lam, alpha)
    here = engine("slide", kappa, nu, lam, alpha)
    assert np.max(np.abs(here.T - np.stack(there))) < 1e-13


@pytest.mark.parametrize("lam0, decay, alpha", [(0.1, 0.0, 4e-3), (0.9, 1e-4, 1e-3)])
def test_a_run_from_ones_own_start_is_that_of_the_package(engine, lam0, decay, alpha):
    page = seen(engine, seed=0, steps=3000, lam0=lam0, decay=decay, alpha=alpha, eta0=0.2)
    start = overlaps_of(page["starts"][0])
    np.testing.assert_allclose(
        start, Overlaps(0.05, 0.03, 0.05, 0.2, 0.05 * 0.05 + 0.2 * 0.03), atol=1e-15
    )
    run = pgd(start, TASK, inverse_decay(lam0, decay), alpha, 3000, 3000)
    here = Overlaps(*(x[-1] for x in run.overlaps))
    np.testing.assert_allclose(overlaps_of(page["figures"]["frames"][0]), here, atol=1e-9)
    assert page["figures"]["groups"][0][2] == pytest.approx(float(run.excess_risk[-1]), abs=1e-8)


def frames_near_ends(random, count):
    """Pairs near each of the ends, and pairs anywhere, as the seven numbers of the page."""
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
    codes = engine("ending", o.kappa, o.nu, o.eta, lam).astype(int)
    assert tuple(Descent.constants()["states"]) == landscape.STATES
    assert np.array_equal(codes, np.asarray(states.state(o, lam, TASK)))
    assert min(np.bincount(codes, minlength=5)) > 10  # each word is said
    assert set(landscape.STATES) <= set(engine.value("NAMES.join()").split(","))


def test_on_the_manifold_the_words_mean_the_same():
    random = np.random.default_rng(8)
    kappa, nu = random.uniform(0, 1, (2, 900)) ** 0.1  # many near the corners
    kappa, nu = kappa * random.choice([1, -1], 900), nu * random.choice([1, -1], 900)
    zero = np.zeros(900)
    off = np.asarray(states.state(Overlaps(kappa, nu, zero, zero, zero), 0.1, TASK))
    on = np.asarray(states.manifold_state(kappa, nu))
    for word in ("recovered the teacher", "on the plateau"):
        here, there = states.MANIFOLD_STATES.index(word), states.STATES.index(word)
        maximum = on == states.MANIFOLD_STATES.index("at a maximum")
        assert np.array_equal(on == here, (off == there) & ~maximum) and np.sum(on == here) > 10


def test_a_start_that_is_no_start_is_drawn_back_to_the_sphere(engine):
    frames = np.array(
        engine.numbers("starts({seed: 0, kappa0: 1, eta0: -1, theta0: 0.9, nu0: 0.9})")
    )
    np.testing.assert_allclose(np.linalg.norm(frames[:3]), 1, atol=1e-15)
    np.testing.assert_allclose(np.linalg.norm(frames[3:]), 1, atol=1e-15)


def test_thirty_starts_end_as_in_the_package(engine):
    """The state, not the path: at the edge of stability rounding decides the phase."""
    page = seen(engine)
    run = pgd(overlaps_of(page["starts"]), TASK, inverse_decay(1.0, 1e-4), 4e-3, 120_000, 120_000)
    last = Overlaps(*(x[-1] for x in run.overlaps))
    ends = np.array(landscape.STATES)[np.asarray(states.state(last, 1 / 13, TASK))]
    # Less than one start in a thousand changes sides when it is rounded otherwise.
    assert np.sum(np.array(page["figures"]["ends"]) != ends) <= 2
    counted = Counter(page["figures"]["ends"])
    assert {name: number for name, number, _ in page["figures"]["groups"]} == counted
    assert counted["recovered the teacher"] >= 20 and counted["swapped"] >= 1
    for name, _, risk in page["figures"]["groups"]:
        here = np.asarray(run.excess_risk[-1])[ends == name]
        assert not len(here) or risk == pytest.approx(np.median(here), abs=1e-6)
    assert page["reading"].endswith("do not identify (k⋆, v⋆) but predict better.")


def test_the_starts_have_the_law_of_random_starts(engine):
    """Each overlap is a coordinate of a uniform point: its square has a beta law."""
    frames = engine.numbers("[...Array(60).keys()].map((i) => starts({seed: i + 1}))")
    o = overlaps_of(frames.reshape(-1, 7))
    for overlap in map(np.asarray, o):
        assert stats.kstest(overlap**2, stats.beta(0.5, (400 - 1) / 2).cdf).pvalue > 1e-4
        assert abs(z_score(overlap, 0.0)) < LIMIT


def test_at_a_small_constant_lam_half_of_the_starts_swap(engine):
    swapped = 0
    for seed in range(1, 5):
        page = seen(engine, seed=seed, lam0=0.1, decay=0.0, steps=20_000)
        counts = {name: number for name, number, _ in page["figures"]["groups"]}
        assert set(counts) <= {"recovered the teacher", "swapped", "undecided"}
        swapped += counts["swapped"]
    assert stats.binomtest(swapped, 120, 0.5).pvalue > 1e-3


@pytest.mark.parametrize(
    "controls, words",
    [
        (dict(seed=0, eta0=0.5, nu0=0.01), "No: your run is swapped after 120,000 steps"),
        (dict(seed=0, nu0=0.3), "Yes: your run has recovered the teacher after 120,000 steps"),
        (dict(seed=0, steps=1000, lam0=0.05), "Not yet: your run is undecided after 1,000 steps"),
        (
            dict(seed=0, nu0=0.9, steps=2000),
            "Not yet: your run is on the plateau after 2,000 steps",
        ),
    ],
)
def test_the_reading_of_one_start(engine, controls, words):
    assert seen(engine, **controls)["reading"].startswith(words)


@pytest.mark.browser
def test_roll_drag_and_reset(open_page, tmp_path):
    page_text = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>descent</title>'
        f"{static.inline()}</head>"
        f"<body><main>{the_descent(steps=2000).static_html()}</main></body>"
    )
    (tmp_path / "index.html").write_text(page_text, "utf-8")
    (tmp_path / "favicon.ico").write_bytes(b"")

    def says(page, words):
        page.wait_for_function(
            "w => document.querySelector('.slr-reading').textContent.includes(w)", arg=words
        )

    with served(tmp_path) as place:
        page = open_page(place)
        says(page, "of 30 runs, after 2,000 steps")
        drawn = page.locator("svg").first.inner_html()
        page.get_by_role("button", name="run 30 new random starts").click()
        page.wait_for_function("d => document.querySelector('svg').innerHTML !== d", arg=drawn)
        point = page.locator(".slr-point")
        point.focus()
        page.keyboard.press("ArrowUp")  # a hand on the point: one start of the reader's
        says(page, "your run is")
        page.get_by_role("button", name="run 30 new random starts").click()
        says(page, "of 30 runs, after 2,000 steps")
        reset(page)
        says(page, "of 30 runs, after 120,000 steps, 28 recovered the teacher, 2 swapped")
        assert page.errors == [] and page.foreign == []

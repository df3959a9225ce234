"""The laboratory without a browser: its runs and text against slrlib, its chain in distribution."""

import json

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy import stats
from shown import engine_of, picture

from slrbook.explorers import the_laboratory
from slrbook.explorers.laboratory.presets import PRESETS
from slrbook.explorers.laboratory.spec import Laboratory
from slrlib import Overlaps, Task, landscape
from slrlib.dynamics import inverse_decay, pgd, sgd
from slrlib.dynamics.chain import moved, summed
from slrlib.dynamics.schedules import held
from slrlib.dynamics.steps import Pair
from slrlib.experiments import PAPER
from slrlib.overlaps import random_overlaps
from slrlib.risk import oracle_excess_risk

QUIET = dict(d=400, L=10, gamma=0.5**0.5, lam0=0.1, decay=1e-4, alpha=1e-3, seed=7, runs=8)
engine = engine_of(Laboratory)


def ran(engine, **controls):
    """Reading, figures and rows of the page at these controls, computed in one pass."""
    return picture(engine, "rows: result.rows", **controls)


def in_python(seen, controls, every):
    """The same runs with slrlib."""
    schedule = held(inverse_decay(controls["lam0"], controls["decay"]), controls.get("until", 1e6))
    task = Task(controls["d"], controls["L"], controls["gamma"])
    starts = Overlaps(*np.array(seen["rows"][0]["all"]).T[:5])
    return pgd(starts, task, schedule, controls["alpha"], seen["rows"][-1]["t"], every), task


@pytest.mark.parametrize(
    "more",
    [
        {"start": 1, "steps": 5000},
        {"start": 2, "steps": 2000},
        {"start": 1, "steps": 2000, "d": 1e6, "alpha": 1e-4, "until": 1000},
    ],
)
def test_gradient_descent_is_that_of_slrlib_over_the_whole_run(engine, more):
    controls = QUIET | more
    seen = ran(engine, **controls)
    run, task = in_python(seen, controls, 100)
    rows = seen["rows"]
    assert [row["t"] for row in rows] == run.step.tolist()
    here = np.stack([*run.overlaps, run.excess_risk], -1)
    there = np.array([row["all"] for row in rows])
    np.testing.assert_allclose(there, here, rtol=1e-9, atol=1e-9)
    lams = [row["lam"] for row in rows]
    oracle = [row["oracle"] for row in rows]
    np.testing.assert_allclose(oracle, oracle_excess_risk(np.array(lams), task), rtol=1e-12)
    bands = np.array([row["bands"] for row in rows])
    kappa, nu, theta, eta, rho = run.overlaps
    quantities = run.excess_risk, abs(kappa), abs(nu), np.sqrt(theta**2 + eta**2 + rho**2)
    for i, quantity in enumerate(quantities):
        expected = np.percentile(quantity, [2.5, 50, 97.5], axis=1).T
        np.testing.assert_allclose(bands[:, i], expected, atol=1e-8)
    codes = landscape.states.state(Overlaps(*here[-1].T[:5]), lams[-1], task)
    names = [landscape.states.STATES[i] for i in codes]
    assert {k: v[0] for k, v in seen["figures"]["ends"].items()} == {
        name: names.count(name) for name in names
    }


def test_a_share_has_the_interval_of_wilson(engine):
    for n, hits in ((30, 0), (30, 19), (1, 1), (100, 37)):
        interval = stats.binomtest(hits, n).proportion_ci(method="wilson")
        np.testing.assert_allclose(engine.numbers(f"wilson({hits}, {n})"), interval, atol=1e-12)


def test_a_step_of_the_chain_is_that_of_slrlib_given_its_draws(engine):
    """Both receive the same normal and chi-square numbers."""
    random, batch, L, d, alpha = np.random.default_rng(0), 3, 6, 50.0, 1e-2
    for lam in (0.05, 0.7, 3.0):
        k, v = random.normal(size=(2, 4))
        k[3], k[2], v[3] = 0, abs(k[2]), abs(v[3])
        pair = [*(k / np.linalg.norm(k))[:3], *(v / np.linalg.norm(v))]
        s, h = random.normal(size=(2, L - 1, batch))
        own, spare = random.normal(size=(5, batch)), random.normal(size=10)
        chi = random.chisquare([d - 4, d - 5])
        drawn = [x for i in range(batch) for x in (*np.stack([s, h], -1)[:, i].flat, *own[:, i])]
        task = dict(d=d, L=L, gamma=0.8, noise=0.1, batch=batch, alpha=alpha)
        there = engine.numbers(f"""(() => {{
          const pool = {json.dumps([*drawn, *spare[:9]])}, squares = {chi.tolist()};
          const random = {{ pool: Float64Array.from(pool), at: 0, chi2: () => squares.shift() }};
          return sampled({json.dumps(pair)}, {lam}, {json.dumps(task)}, random);
        }})()""")
        here = moved(
            Pair(*map(jnp.asarray, pair)),
            (jnp.asarray(own), jnp.asarray(spare), jnp.sqrt(chi)),
            summed(jnp.asarray(s), jnp.asarray(h), jnp.asarray(lam)),
            jnp.asarray(lam),
            Task(d, L, 0.8, 0.1),
            jnp.asarray(alpha),
        )
        np.testing.assert_allclose(there, here, atol=1e-12)


def test_stochastic_descent_has_the_law_of_slrlib(engine):
    """600 runs each: two-sample tests of five overlaps at two steps; false alarm below 1e-6."""
    controls = dict(d=20, L=4, gamma=0.7, lam0=0.5, decay=1e-3, alpha=2e-2, batch=2, runs=100)
    many = [ran(engine, **controls, start=2, steps=300, seed=seed) for seed in range(1, 7)]
    start = Overlaps(*(np.full(600, x) for x in many[0]["rows"][0]["all"][0][:5]))
    task = Task(20, 4, 0.7, 0.1)
    run = sgd(start, task, inverse_decay(0.5, 1e-3), 2e-2, 2, 300, 100, key=jax.random.key(0))
    for place in (1, 3):
        there = np.concatenate([np.array(one["rows"][place]["all"]) for one in many])
        for i, here in enumerate(run.overlaps):
            assert stats.ks_2samp(there[:, i], here[place]).pvalue > 1e-7


def test_starts_are_those_of_slrlib(engine):
    """One seed gives the same pairs, so a preset is the paper's own experiment."""
    for start, d, seed in ((0, 12, 0), (1, 6, 4), (1, 7, 123_456), (0, 1e6, 9), (1, 400, 0)):
        seen = ran(engine, d=d, start=start, steps=100, runs=40, seed=seed)
        there = np.array(seen["rows"][0]["all"]).T[:5]
        key, _ = jax.random.split(jax.random.key(seed))
        here = random_overlaps(key, d, (40,), on_manifold=start == 0)
        np.testing.assert_allclose(there, here, atol=1e-14)
    for d in (2, 3, 4):  # where a gamma distribution has a shape below one, and a remainder is zero
        frames = engine.numbers(f"slr.startsOf(3, {d}, 20, false)").reshape(20, 7)
        kappa, eta, a, theta, nu, b, _ = frames.T
        here = random_overlaps(jax.random.split(jax.random.key(3))[0], d, (20,))
        there = kappa, nu, theta, eta, kappa * theta + eta * nu + a * b
        np.testing.assert_allclose(there, here, atol=1e-14)


def test_the_presets_are_the_papers(engine):
    for name in ("fig4a", "fig4b", "fig5", "fig7a", "fig7b"):
        lab, e = the_laboratory(name), PAPER[name]
        assert (lab.d, lab.L, lab.gamma) == (e.task.d, e.task.L, e.task.gamma)
        assert (lab.lam0, lab.decay) == (e.schedule.lam0, e.schedule.rate)
        assert (lab.alpha, lab.steps, lab.batch) == (e.alpha, e.steps, e.batch or 0)
        assert lab.runs == e.repetitions and (lab.start == 0) == e.on_manifold
    assert the_laboratory("fig7b").state() == the_laboratory().state()
    assert the_laboratory("fig4b", seed=9).seed == 9
    with pytest.raises(ValueError, match=r"^preset must be one of fig4a, .*, got 'fig6'$"):
        the_laboratory("fig6")
    found = engine.data("SPEC.constants.presets.map(([, p]) => settingOf(p))")
    assert found == list(range(len(PRESETS)))
    # a link of the page sets the values of the preset
    assert engine.value("slr.made.name") == "made"
    assert "outcome" in engine.value("JSON.stringify(explorer.names)")


def test_the_levels_of_the_schedule_are_the_thresholds_of_slrlib(engine):
    for d, L, gamma in ((400, 10, 0.5**0.5), (1e5, 3, 1.3), (30, 4, 0.6), (20, 2, 2.0)):
        seen = ran(engine, d=d, L=L, gamma=gamma, steps=100, runs=1)["figures"]["levels"]
        task = Task(d, L, gamma)
        exact = {"λ_c": landscape.lambda_c_exact(task), "λ_sw": landscape.lambda_sw(task)}
        assert seen == pytest.approx({k: x for k, x in exact.items() if x < 20}, rel=1e-9)

"""The explorers of the chapter on transformers, without a browser."""

import json

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from browsing import ROOT
from chance import LIMIT, z_score
from js import Engine
from scipy import optimize
from test_explore import picture

from slrbook.explorers.through_training import table as training_table
from slrbook.explorers.through_training.spec import ThroughTraining
from slrbook.explorers.two_heads import table as two_heads_table
from slrbook.explorers.two_heads.spec import TwoHeads
from slrlib.experiments import load
from slrlib.heads import excess_risk, oracle_excess_risk
from slrlib.task import Task, Teacher

DISCS = ["k11", "k12", "k21", "k22", "v11", "v12", "v21", "v22"]
TASK = two_heads_table.TASK
TARGETS = Teacher(jnp.eye(8)[:2], jnp.eye(8)[2:4])


@pytest.fixture(scope="module")
def heads_page():
    return Engine(TwoHeads.program())


def with_values(controls):
    return f"""{{...Object.fromEntries(SPEC.controls.map(c => [c.name, c.paper])),
               ...{json.dumps(controls)}}}"""


def heads_at_start(engine, **controls):
    """k_1, k_2, v_1, v_2 in eight coordinates, as the page places them."""
    return engine.numbers(f"placed({with_values(controls)})").reshape(4, 8)


def exact(heads, lam, L=10):
    task = Task(d=TASK.d, L=L, gamma=TASK.gamma, noise=0.0)
    return excess_risk(heads[:2], heads[2:], TARGETS, lam, task)


RISK_AND_SLOPE = jax.jit(jax.value_and_grad(exact))


def somewhere(random):
    """Controls at random, some of whose points lie outside their discs."""
    controls = dict(zip(DISCS, random.uniform(-0.9, 0.9, 8).round(3).tolist(), strict=True))
    controls |= {"lam": float(random.uniform(0.05, 1)), "shared": float(random.uniform(-1, 1))}
    return controls | {"rest": int(random.integers(two_heads_table.COUNT))}


def test_the_start_keeps_what_the_hand_set(heads_page):
    random = np.random.default_rng(1)
    for _ in range(60):
        controls = somewhere(random)
        heads = heads_at_start(heads_page, **controls)
        assert np.linalg.norm(heads, axis=1) == pytest.approx(1.0)
        shown = np.concatenate([heads[:2, :2], heads[2:, 2:4]])
        wanted = np.reshape([controls[name] for name in DISCS], (4, 2))
        outside = np.maximum(1.0, np.linalg.norm(wanted, axis=1, keepdims=True))
        assert shown == pytest.approx(wanted / outside, abs=1e-12)
        rests = heads[:2, 2:]
        lengths = np.linalg.norm(rests, axis=1)
        if lengths.min() > 1e-6:
            cosine = rests[0] @ rests[1] / lengths.prod()
            assert cosine == pytest.approx(controls["shared"], abs=1e-6)


def test_risk_and_slope_of_the_page_are_those_of_the_package(heads_page):
    random = np.random.default_rng(2)
    for _ in range(12):
        controls = somewhere(random)
        heads = heads_at_start(heads_page, **controls)
        lam = controls["lam"]
        here = heads_page.value(f"cost(products({heads.tolist()}), {lam})")
        value, down = map(np.array, RISK_AND_SLOPE(heads, lam))
        assert here == pytest.approx(value, rel=1e-12)
        down -= np.sum(down * heads, axis=1, keepdims=True) * heads
        there = heads_page.numbers(f"slope({heads.tolist()}, {lam})").reshape(4, 8)
        assert there == pytest.approx(down, abs=1e-7 * (1 + np.abs(down).max()))


def gram_of(q):
    """All inner products in the order k*, v*, k, v, from the 22 numbers of the page."""
    k_k_star, k_v_star, v_k_star, v_v_star, kv = np.reshape(q[:20], (5, 2, 2))
    half = np.zeros((8, 8))
    half[4:, :4] = np.block([[k_k_star, k_v_star], [v_k_star, v_v_star]])
    half[4:6, 6:] = kv
    half[4, 5], half[6, 7] = q[20:]
    return np.eye(8) + half + half.T


@pytest.mark.parametrize("controls", [{}, {"rest": 1}, {"lam": 0.1, "k11": 0.2}, {"shared": -1}])
def test_the_reading_of_two_heads(heads_page, controls):
    seen = picture(heads_page, **controls)
    figures, lam = seen["figures"], controls.get("lam", 1 / 3)
    start = heads_at_start(heads_page, **controls)
    before = [float(exact(start, lam, L)) for L in (10, 2)]
    assert figures["excess_risk"][0] == pytest.approx(before[0], rel=1e-10)
    assert figures["noise"][0] == pytest.approx(before[0] - before[1], rel=1e-8)
    for q, risk in zip((figures["start"], figures["end"]), figures["excess_risk"], strict=True):
        gram = gram_of(q)
        assert np.linalg.eigvalsh(gram)[0] > -1e-9
        heads = two_heads_table.coordinates(gram)
        assert float(exact(heads, lam)) == pytest.approx(risk, rel=1e-8)
    separated = float(oracle_excess_risk(lam, TASK, 2))
    assert figures["separated"] == pytest.approx(separated, rel=1e-10)
    words = seen["reading"]
    assert f"eparated heads ★ have excess risk {separated:.3g}" in words
    assert (", more than always predicting 0" in words) == (separated > 1)
    assert words.startswith("Because") == (figures["excess_risk"][1] < separated)
    assert f"descent reaches {figures['excess_risk'][1]:.3g}." in words
    assert figures["largest"] == max(map(abs, figures["end"][:4]))
    assert figures["crossed"] == max(map(abs, figures["end"][4:8]))


def test_separated_heads_are_no_minimum(heads_page):
    """Descent rests at them, a saddle; a hair away it leaves, and the risk falls a lot."""
    exactly = dict.fromkeys(["k11", "k22", "v11", "v22"], 1)
    seen = picture(heads_page, **exactly)
    assert "descent stays at 1.93" in seen["reading"] and "▲" not in seen["reading"]
    assert seen["figures"]["excess_risk"] == pytest.approx([1.9261657] * 2, abs=1e-6)
    left = picture(heads_page)["figures"]
    assert left["excess_risk"][1] < 0.3 < 1 < left["separated"]
    assert left["noise"][1] < 0.15 * left["noise"][0]
    assert left["largest"] < 0.2 and left["crossed"] > 0.8


def test_opposite_keys_take_the_noise_out_of_equal_values(heads_page):
    both = dict(k11=0.16, k12=0, k21=0.16, k22=0, v11=1, v12=0, v21=1, v22=0, steps=0)
    alone, together = (picture(heads_page, **both, shared=c)["figures"] for c in (0, -1))
    assert together["noise"][0] < 0.1 * alone["noise"][0]
    assert together["excess_risk"][0] < 0.3 * alone["excess_risk"][0]


def test_the_button_goes_from_minimum_to_minimum(heads_page):
    minima = two_heads_table.stored()["minima"]
    text = heads_page.value(
        f"""JSON.stringify((() => {{ let values = {with_values({})};
        return [...SPEC.constants.minima, 0].map(() =>
          (values = {{...values, ...explorer.actions[1](values)}})); }})())"""
    )
    *visits, again = json.loads(text)
    assert again == visits[0]
    for values, (lam, risk, *_) in zip(visits, minima, strict=True):
        seen = picture(heads_page, **values)
        assert seen["figures"]["excess_risk"] == pytest.approx([risk] * 2, abs=2e-4)
        assert seen["figures"]["far"] < 0.01 and values["lam"] == lam
        assert seen["reading"].endswith(
            f"{seen['figures']['separated']:.3g}"
            f"{', more than always predicting 0' * (lam > 0.2)}; "
            f"descent stays at {risk:.3g}. This is a local minimum ▲."
        )


def test_another_draw_is_a_random_start(heads_page):
    text = heads_page.value(
        f"""JSON.stringify((() => {{ let values = {with_values({})};
        return [1, 2, 3].map(() => (values = {{...values, ...explorer.actions[0](values)}}).rest);
        }})())"""
    )
    assert json.loads(text) == [1, 2, 0]
    rests = np.array(two_heads_table.stored()["rests"][: two_heads_table.DRAWS]) / 1000
    fresh = [
        two_heads_table.outside(two_heads_table.drawn(key))
        for key in jax.random.split(jax.random.key(two_heads_table.SEED), two_heads_table.DRAWS)
    ]
    assert rests == pytest.approx(np.reshape(fresh, rests.shape), abs=6e-4)


def test_a_draw_is_uniform_on_the_sphere():
    """In 80 dimensions an overlap of two directions has mean zero and variance 1/80."""
    heads = np.stack(
        [two_heads_table.drawn(key) for key in jax.random.split(jax.random.key(3), 80)]
    )
    gram = heads @ heads.transpose(0, 2, 1)
    assert np.diagonal(gram, axis1=1, axis2=2) == pytest.approx(1.0)
    squares = (
        np.concatenate([heads[:, :, :4].ravel(), gram[:, *np.triu_indices(4, 1)].ravel()]) ** 2
    )
    assert abs(z_score(80 * squares, 1.0)) < LIMIT


@pytest.mark.parametrize("number", range(2 * two_heads_table.KEPT))
def test_the_stored_minima_are_minima(number):
    """Found again from a point nearby, by another method than the one that found them."""
    lam, risk, _, *discs = two_heads_table.stored()["minima"][number]
    rests = two_heads_table.stored()["rests"][two_heads_table.DRAWS + number]
    discs, rests = np.reshape(discs, (4, 2)) / 1000, np.reshape(rests, (4, 6)) / 1000
    k = np.concatenate([discs[:2], rests[:2]], axis=1)
    v = np.concatenate([rests[2:, :2], discs[2:], rests[2:, 2:]], axis=1)
    heads = np.concatenate([k, v])
    assert np.linalg.norm(heads, axis=1) == pytest.approx(1.0, abs=2e-3)

    def on_the_spheres(x):
        x = x.reshape(4, 8)
        size = np.linalg.norm(x, axis=1, keepdims=True)
        value, down = map(np.asarray, RISK_AND_SLOPE(x / size, lam))
        down = down - np.sum(down * x / size, axis=1, keepdims=True) * x / size
        return float(value), (down / size).ravel()

    near = heads + 0.02 * np.random.default_rng(number).normal(size=heads.shape)
    found = optimize.minimize(on_the_spheres, near.ravel(), jac=True, options={"gtol": 1e-7})
    assert on_the_spheres(near.ravel())[0] > found.fun + 1e-4
    assert found.fun == pytest.approx(risk, abs=1e-4)
    heads = found.x.reshape(4, 8)
    heads /= np.linalg.norm(heads, axis=1, keepdims=True)
    assert two_heads_table.discs(heads) == pytest.approx(discs.ravel(), abs=0.1)


@pytest.fixture(scope="module")
def training_page():
    return Engine(ThroughTraining.program())


@pytest.fixture(scope="module")
def runs():
    """The stored results of Figure 8, with the zero matrix at the tokens and at the register."""
    return [load(name, ROOT / "results") for name in ("fig8", "fig8-register")]


def test_the_table_of_the_training_is_that_of_the_stored_results():
    """If this fails, run ``python -m slrbook.explorers.through_training.table results``."""
    assert training_table.make(ROOT / "results") == training_table.stored()


@pytest.mark.parametrize("zero", [0, 1])
@pytest.mark.parametrize("floor", [0, 1])
def test_the_numbers_of_the_training_are_those_of_the_runs(training_page, runs, zero, floor):
    trained = runs[zero]
    for row, step in enumerate(trained.step.tolist()):
        figures = picture(training_page, step=step, zero=zero, floor=floor)["figures"]
        risk = trained.excess_risk[row] - (trained.floor if floor else 0)
        middle, low, high = np.percentile(risk, [50, 2.5, 97.5])
        assert figures["step"] == step
        here = [figures[name] for name in ("risk", "low", "high")]
        assert here == pytest.approx([middle, low, high], rel=0.005, abs=6e-6)
        here = [figures[name] for name in ("k", "v", "seen")]
        named = trained.kappa, trained.nu, trained.attention
        assert here == pytest.approx([np.median(runs[row]) for runs in named], abs=6e-4)
        assert figures["example"] == pytest.approx(trained.example[row].tolist(), abs=6e-4)


def test_the_words_of_the_training(training_page, runs):
    said = {step: picture(training_page, step=step)["reading"] for step in (0, 100, 300, 2000)}
    assert said.pop(0) == "Step 0: nothing is learned yet."
    assert said[100].startswith("Step 100: k turns first; the attention is still almost uniform.")
    assert said[300].startswith("Step 300: the attention concentrates on the informative token.")
    assert said[2000].startswith("Step 2,000: the attention has converged; v still improves.")
    for step, words in said.items():
        row = runs[0].step.tolist().index(step)
        assert f"v·v⋆ {np.median(runs[0].nu[row]):.3g}." in words
    between = picture(training_page, step=337)
    assert between["figures"]["step"] == 300  # the last row before
    floor = picture(training_page, step=8000, floor=1)["labels"][1]
    assert "excess risk minus floor 0.00" in floor


def test_the_other_zero_matrix_learns_the_task_and_leaves_k_short(training_page):
    token, register = (picture(training_page, step=8000, zero=z)["figures"] for z in (0, 1))
    assert register["risk"] == pytest.approx(token["risk"], rel=0.05)
    assert token["k"] > 0.99 > 0.92 > register["k"]


def test_play_goes_from_row_to_row_and_stops(training_page):
    text = f"""(() => {{ let values = {with_values({"step": 7250, "playing": 1})};
      return [1, 2, 3, 4].map(() => {{ values = {{...values, ...explorer.next(values)}};
        return [values.step, values.playing]; }}); }})()"""
    walked = training_page.numbers(text).reshape(4, 2).tolist()
    assert walked == [[7500, 1], [7750, 1], [8000, 1], [8000, 0]]
    assert training_page.value(f"explorer.actions[0]({with_values({'playing': 1})}).playing") == 0

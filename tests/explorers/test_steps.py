"""The questions of the explorers: the right answer is what slrlib says, not what someone typed."""

import re

import jax
import numpy as np
import pytest
from booksource import ROOT
from jax.random import key, split
from steps import asked

from slrbook.explorers import EXPLORERS
from slrbook.explorers.step import Step
from slrlib import Task
from slrlib.dynamics import manifold_step
from slrlib.dynamics.steps import descend_along, overlaps_of_pair, pair_of
from slrlib.landscape import best_lam
from slrlib.landscape.states import MANIFOLD_STATES, manifold_state
from slrlib.overlaps import Overlaps, random_overlaps, to_frame
from slrlib.predictors import erf_weights, softmax_weights
from slrlib.risk import (
    activation_excess_risk,
    manifold_excess_risk,
    oracle_excess_risk,
    two_token_softmax_excess_risk,
)
from slrlib.special import erf

ON_M = ("puzzle", "landscape", "fixed_points")
each = pytest.mark.parametrize("explorer", EXPLORERS, ids=lambda explorer: explorer.stem())


def on_m(known, values):
    """A run on M of Figure 4(b): where it ends, and the steps at which it passes 0.95 for good."""
    task, alpha = Task(d=400, L=10), values["alpha"]

    def step(pair, _):
        return manifold_step(*pair, values["lam"], task, alpha), pair

    start = values["kappa0"] + 0.0, values["nu0"] + 0.0
    start = tuple(jax.numpy.asarray(x) for x in start)
    (kappa, nu), path = jax.jit(
        lambda start: jax.lax.scan(step, start, length=int(values["steps"]))
    )(start)
    there = known["result"].overlaps
    np.testing.assert_allclose([there.kappa[-1, 0], there.nu[-1, 0]], [kappa, nu], atol=1e-6)
    below = [np.abs(np.append(x, end)) < 0.95 for x, end in zip(path, (kappa, nu), strict=True)]
    past = [len(x) - int(np.argmax(x[::-1])) if not x[-1] else -1 for x in below]
    regime = MANIFOLD_STATES[int(manifold_state(kappa, nu))]
    return {
        "kappa": float(kappa),
        "nu": float(nu),
        "kappa_past": past[0],
        "nu_past": past[1],
        "regime": "recovered the teacher" if regime == "recovered the teacher" else regime,
        "excess_risk": float(manifold_excess_risk(kappa, nu, values["lam"], task)),
    }


def of_token(known, _):
    return {"ceiling": known["ceiling"], "answer": int(known["scores"].argmax()) + 1}


def of_weights(known, _):
    scores = known["scores"]
    place = int(scores.argmax())  # so it is in the sequences that are asked about
    erf, soft = (np.asarray(f(scores, known["lam"])) for f in (erf_weights, softmax_weights))
    return {"weight_erf": erf[place], "weight_softmax": soft[place], "total_erf": erf.sum()}


def of_descent(known, values):
    result = known["result"]
    (end,), (risk,) = result.states().tolist(), result.excess_risk[-1].tolist()
    lam = values["lam0"] / (1 + values["decay"] * values["steps"])
    oracle = float(oracle_excess_risk(lam, Task(d=400, L=10)))
    return {"ends": [end], "groups": [[end, 1, risk]], "oracle": oracle}


def of_one_run(known, _):
    result = known["result"]
    last = Overlaps(*(float(x[-1, 0]) for x in result.overlaps))
    (end,) = result.states().tolist()
    distance, most = float(result.distance[-1, 0]), float(result.distance.max())
    return {**last._asdict(), "end": end, "distance": distance, "most": most}


def of_lines(known, _):
    return {name: known[name] for name in ("lam", "c", "oracle", "swapped")} | {
        "best": float(best_lam(known["task"])[0])
    }


def as_it_is(known, _):
    return known


def of_bias(known, values):
    oracle = Overlaps(1.0, 1.0, 0.0, 0.0, 0.0)
    activation = jax.nn.sigmoid if values["shape"] else erf
    without = activation_excess_risk(activation, oracle, known["lam"], known["task"])
    names = "excess_risk", "floor"
    return {name: float(known[name]) for name in names} | {"without": float(without)}


def of_runs(known, _):
    result = known["result"]
    last, distance = Overlaps(*(x[-1] for x in result.overlaps)), result.distance[-1]
    return {
        name: [None, float(np.median(size))]  # its band is not asked for
        for name, size in (("nu", abs(last.nu)), ("distance", distance))
    }


def of_tour(known, values):
    """The run of the fourth scene, or the ends of random starts under erf and under softmax."""
    last = Overlaps(*(x[-1] for x in known["result"].overlaps))
    if values["t"] < 80:
        return {"ahead": "v" if last.nu[0] > last.kappa[0] else "k"}
    task, starts = Task(d=400, L=2), random_overlaps(split(key(1))[0], 400, (30,))
    slope = jax.vmap(jax.grad(two_token_softmax_excess_risk), (0, None, None))

    def step(_, pair):
        return descend_along(pair, slope(overlaps_of_pair(pair), 0.05, task), 0.005)

    pair = jax.jit(lambda pair: jax.lax.fori_loop(0, 4000, step, pair))(pair_of(to_frame(starts)))
    return {"softmax": int((np.minimum(pair.kappa * pair.nu, abs(pair.nu)) > 0.97).sum())}


OF = {
    "tour": of_tour,
    "laboratory": of_runs,
    **dict.fromkeys(ON_M, on_m),
    "find_token": of_token,
    "where": of_weights,
    "descent": of_descent,
    "see_m": of_one_run,
    "lam_map": of_lines,
    "bias": of_bias,
}


def figure(figures, name):
    for part in name.split("."):
        figures = figures[int(part)] if part.isdigit() else figures[part]
    return figures


def right(step: Step, figures):
    """The place of the right choice, or the number that is asked for."""
    if isinstance(step.figure, tuple):
        return int(np.argmin([figure(figures, name) for name in step.figure]))
    value = figure(figures, step.figure)
    if step.values:
        return step.values.index(value)
    return int(np.searchsorted(step.cuts, value, side="right")) if step.choices else value


@each
def test_the_right_answer_is_what_slrlib_says(explorer):
    for step, page in zip(explorer.asks, asked(explorer), strict=True):
        known, lines = {"print": lambda *_: None}, page["lines"]
        exec(lines.partition("run = ")[0] if explorer.stem() in ON_M else lines, known)
        figures = OF.get(explorer.stem(), as_it_is)(known, page["values"])
        if step.choices or step.click:
            assert page["truth"] == right(step, figures), step.question
        else:
            assert page["truth"] == pytest.approx(right(step, figures), rel=0.01), step.question
        numbers = [step.figure] if isinstance(step.figure, str) else step.figure
        for name in numbers:  # nothing is decided by a hair
            value = figure(figures, name)
            if isinstance(value, float):
                assert value == pytest.approx(figure(page["figures"], name), rel=0.01, abs=1e-6)
            for cut in step.cuts:
                assert abs(value - cut) > 0.02 * max(abs(cut), 0.1), step.question


@each
def test_each_has_a_few_questions_whose_answers_are_said(explorer):
    assert 2 <= len(explorer.asks) <= 4
    for step, page in zip(explorer.asks, asked(explorer), strict=True):
        rights = [one["right"] for one in page["said"]]
        if step.choices:
            assert rights == [i == page["truth"] for i in range(len(step.choices))]
            assert len(step.choices) == len(set(step.choices)) >= 2
        for one in page["said"]:
            assert one["words"].startswith(
                "You said" if not one["right"] else ("Right", "You said")
            )
            assert not re.search(r"NaN|undefined|Infinity|\{|null", one["words"])
        assert step.question.endswith("?") and set(step.state) <= set(explorer.controls())


@each
def test_no_answer_is_in_sight_before_the_question(explorer):
    """The state of a question is not the one that a reader finds, or a choice comes first."""
    for step in explorer.asks:
        assert step.state or step.click, step.question


@each
def test_the_last_step_leads_to_a_statement(explorer):
    why = explorer.why
    source = (ROOT / "book" / f"{why.page}.ipynb").read_text("utf-8")
    label = why.label.removeprefix("equation-")
    assert f"({label})" in source if label != why.label else f":label: {label}" in source

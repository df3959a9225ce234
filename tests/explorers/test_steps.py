"""The questions of the explorers: the right answer is computed, not typed."""

import re

import jax
import numpy as np
import pytest
from booksource import ROOT
from jax.random import key, split
from steps import asked

from slrbook.explorers import EXPLORERS
from slrbook.explorers.parts import Step
from slrbook.explorers.tour.spec import Tour
from slrlib import Task
from slrlib.dynamics import constant, pgd
from slrlib.dynamics.steps import descend_along, overlaps_of_pair, pair_of
from slrlib.language import attend
from slrlib.overlaps import Overlaps, random_overlaps, to_frame
from slrlib.risk import activation_excess_risk, two_token_softmax_excess_risk
from slrlib.special import erf

each = pytest.mark.parametrize("explorer", EXPLORERS, ids=lambda explorer: explorer.stem())


def of_bias(page):
    known, values = {}, page["values"]
    exec(page["lines"], known)
    oracle = Overlaps(1.0, 1.0, 0.0, 0.0, 0.0)
    activation = jax.nn.sigmoid if values["shape"] else erf
    without = activation_excess_risk(activation, oracle, known["lam"], known["task"])
    names = "excess_risk", "floor"
    return {name: float(known[name]) for name in names} | {"without": float(without)}


def of_tour(page):
    """The prediction of the first scene, the run of the fourth, or the ends of random starts."""
    t = page["values"]["t"]
    if t < 20:
        cruel = Tour.constants()["sentences"][1]
        return {"output": float(attend(np.array(cruel["scores"]), 1.0) @ cruel["values"])}
    if t < 80:
        start, steps = Overlaps(0.05, 0.03, 0.0, 0.0, 0.0), page["figures"]["step"]
        last = pgd(start, Task(400, 10), constant(0.2), 4e-3, steps, steps).overlaps
        return {"ahead": "v" if last.nu[-1] > last.kappa[-1] else "k"}
    task, starts = Task(d=400, L=2), random_overlaps(split(key(1))[0], 400, (30,))
    slope = jax.vmap(jax.grad(two_token_softmax_excess_risk), (0, None, None))

    def step(_, pair):
        return descend_along(pair, slope(overlaps_of_pair(pair), 0.05, task), 0.005)

    pair = jax.jit(lambda pair: jax.lax.fori_loop(0, 4000, step, pair))(pair_of(to_frame(starts)))
    return {"softmax": int((np.minimum(pair.kappa * pair.nu, abs(pair.nu)) > 0.97).sum())}


OF = {"tour": of_tour, "bias": of_bias}  # test_as_python.py checks the figures of the others


def figure(figures, name):
    for part in name.split("."):
        figures = figures[int(part)] if part.isdigit() else figures[part]
    return figures


def right(step: Step, figures):
    """The index of the correct choice, or the requested number."""
    if isinstance(step.figure, tuple):
        return int(np.argmin([figure(figures, name) for name in step.figure]))
    value = figure(figures, step.figure)
    if step.values:
        return step.values.index(value)
    return int(np.searchsorted(step.cuts, value, side="right")) if step.choices else value


@each
def test_the_right_answer_is_what_the_figures_say(explorer):
    for step, page in zip(explorer.asks, asked(explorer), strict=True):
        figures = page["figures"]
        if explorer.stem() in OF:
            figures = OF[explorer.stem()](page)
        assert page["truth"] == right(step, figures), step.question
        numbers = [step.figure] if isinstance(step.figure, str) else step.figure
        for value in (figure(figures, name) for name in numbers):  # no value is close to a cut
            for cut in step.cuts:
                assert abs(value - cut) > 0.02 * max(abs(cut), 0.1), step.question


@each
def test_each_has_a_few_questions_whose_answers_are_said(explorer):
    assert 2 <= len(explorer.asks) <= 4, "asks must contain two to four questions"
    for step, page in zip(explorer.asks, asked(explorer), strict=True):
        rights = [one["right"] for one in page["said"]]
        if step.choices:
            assert rights == [i == page["truth"] for i in range(len(step.choices))]
            assert len(step.choices) == len(set(step.choices)) >= 2
        for one in page["said"]:
            assert one["words"].startswith(("Right", "You said") if one["right"] else "You said")
            assert not re.search(r"NaN|undefined|Infinity|\{|null", one["words"])
        assert step.question.endswith("?") and set(step.state) <= set(explorer.controls())
        assert step.state or step.click  # the answer is not visible before the question


@each
def test_the_last_step_leads_to_a_statement(explorer):
    why = explorer.why
    source = (ROOT / "book" / f"{why.page}.ipynb").read_text("utf-8")
    label = why.label.removeprefix("equation-")
    target = f"({label})" if label != why.label else f":label: {label}"
    assert target in source, f"{why.page} has no {why.label}; equations need the prefix equation-"

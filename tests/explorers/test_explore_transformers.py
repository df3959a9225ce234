"""The explorers of the chapter on transformers, without a browser."""

import numpy as np
import pytest
from browsing import ROOT
from shown import engine_of, picture

from slrbook.explorers.through_training import table as training_table
from slrbook.explorers.through_training.spec import ThroughTraining
from slrbook.explorers.two_heads.spec import TwoHeads
from slrlib import landscape, risk
from slrlib.experiments import load
from slrlib.heads import excess_risk, predict
from slrlib.task import Task, Teacher

TEACHER = Teacher(np.eye(2)[:1], np.eye(2)[1:])
PAIR = np.eye(2), np.array([[0.0, -1.0], [1.0, 0.0]])  # heads (k*, -v*) and (v*, k*)
heads_page = engine_of(TwoHeads)


@pytest.mark.parametrize(
    "controls, answer",
    [({}, "Yes"), ({"L": 100, "d": 2000}, "Yes"), ({"a": 1}, "No"), ({"a": 3, "gamma": 1}, "No")],
)
def test_the_reading_of_two_heads(heads_page, controls, answer):
    seen = picture(heads_page, **controls)
    figures = seen["figures"]
    values = {"a": 1.7612, "L": 10, "d": 400, "gamma": 0.5**0.5} | controls
    task = Task(d=values["d"], L=values["L"], gamma=values["gamma"])
    lam = values["a"] / (values["d"] / 2) ** 0.5
    two = float(excess_risk(*PAIR, TEACHER, lam, task))
    assert figures["two"] == pytest.approx(two, rel=1e-9)
    assert figures["one"] == pytest.approx(float(risk.oracle_excess_risk(lam, task)), rel=1e-9)
    assert figures["best"] == pytest.approx(float(landscape.best_lam(task)[1]), rel=1e-6)
    assert seen["reading"].startswith(f"{answer}: two heads have excess risk {two:.3g}, ")
    assert (answer == "Yes") == (two < figures["best"])


@pytest.mark.parametrize("heads", [1, 2])
@pytest.mark.parametrize("L", [2, 10, 60])
def test_the_bars_of_the_heads_are_their_outputs(heads_page, heads, L):
    """The page's output for its sequence is that of slrlib, and the picture shows its error."""
    seen = picture(heads_page, "drawn: sequence(values)", heads=heads, L=L, seed=5)
    tokens = np.reshape(seen["drawn"]["tokens"], (L, 3))[:, :2]
    place = seen["drawn"]["place"]
    K, V = PAIR if heads == 2 else (np.eye(2)[:1], np.eye(2)[1:])
    lam = 1.7612 / 200**0.5
    output = float(predict(tokens, K, V, lam))
    figures = seen["figures"]
    assert figures["output"] == pytest.approx(output, abs=1e-12)
    assert figures["label"] == tokens[place, 1]
    others = np.delete(tokens, place, axis=0)
    assert figures["noise"] == pytest.approx(float(predict(others, K, V, lam)), abs=1e-12)


training_page = engine_of(ThroughTraining)


@pytest.fixture(scope="module")
def runs():
    """The stored results of Figure 8, with the zero matrix at the tokens and at the register."""
    return [load(name, ROOT / "results") for name in ("fig8", "fig8-register")]


def test_the_table_of_the_training_is_that_of_the_stored_results():
    """If this fails, run ``python -m slrbook.explorers.through_training.table results``."""
    assert training_table.make(ROOT / "results") == training_table.stored()


@pytest.mark.parametrize("zero", [0, 1])
def test_the_numbers_of_the_training_are_those_of_the_runs(training_page, runs, zero):
    trained = runs[zero]
    for row, step in enumerate(trained.step.tolist()):
        figures = picture(training_page, step=step, zero=zero)["figures"]
        assert figures["step"] == step
        risk = float(np.median(trained.excess_risk[row]))
        assert figures["risk"] == pytest.approx(risk, rel=0.005, abs=6e-6)
        here = [figures[name] for name in ("k", "v", "seen")]
        named = trained.kappa, trained.nu, trained.attention
        assert here == pytest.approx([np.median(runs[row]) for runs in named], abs=6e-4)
        assert figures["example"] == pytest.approx(trained.example[row].tolist(), abs=6e-4)

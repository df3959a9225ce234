"""The "as Python" code reproduces what an explorer shows, at random settings and its questions."""

import numpy as np
import pytest
import traitlets
from js import Engine
from settings import settings
from shown import pictures

from slrbook.explorers import EXPLORERS, the_landscape
from slrbook.explorers.laboratory.spec import Laboratory
from slrlib import Overlaps

LATER = {  # numbers of the page to compare; default: all that the code and the page both name
    "puzzle": ("kappa", "nu", "excess_risk"),
    "find_token": ("lengths", "ceiling"),
    "where": ("softmax", "erf"),
    "flow": ("scores", "values", "weights", "output", "ratio", "error"),
    "who_is_optimal": ("best_lam", "best_erf", "best_linear_attention", "erf", "linear_attention"),
    "bias": ("excess_risk", "best_erf", "floor", "at_threshold"),
    "landscape": ("kappa", "nu", "excess_risk"),
    "fixed_points": ("kappa", "nu", "excess_risk"),
    "descent": (),
    "random_starts": ("teacher", "swapped", "undecided"),
    "see_m": ("kappa", "nu", "distance", "most"),
    "lam_map": ("lam", "c", "sw", "best", "oracle", "swapped"),
    "two_heads": ("two", "one", "best"),
    "through_training": ("risk", "k", "v", "seen"),
    "laboratory": ("median_risk",),
    "read_a_sentence": ("words", "scores", "values", "weights", "output"),
}


def shown(explorer, drawn):
    """The "as Python" code and the numbers of the page at each setting."""
    lines = "lines: slr.pythonOf(SPEC, explorer, values, figures)"
    found = pictures(Engine(explorer.program()), drawn, lines)
    return [(one["lines"], one["figures"]) for one in found]


def firm(one):
    """Settings at which two processors agree: the largest curvatures grow like d, and the step size
    stays far below 2 / curvature; equal shapes let all schedules of a kind share one program."""
    held = {"until": 1000.0 if one["until"] < 500_000 else one["until"]}
    return held | {
        "alpha": min(1e-3, 0.2 / one["d"]), "steps": 2000.0, "runs": 5.0, "batch": 0.0, "at": 100.0,
    }  # fmt: skip


PRINTED = [explorer for explorer in EXPLORERS if explorer.python]  # the tour has links instead


@pytest.mark.parametrize("explorer", PRINTED, ids=lambda explorer: explorer.stem())
def test_the_lines_find_what_is_shown(explorer, capsys):
    name = explorer.stem()
    drawn = settings(explorer, 3 if name == "laboratory" else 1, seed=5)
    if name in ("puzzle", "landscape", "fixed_points", "descent", "see_m"):
        # stay far from the edge of stability
        drawn = [one | {"alpha": min(1e-3, 0.2 / one["d"]), "steps": 2000.0} for one in drawn]
    if name == "laboratory":  # SGD has other samples in Python, so its code is only executed
        drawn = [one | firm(one) for one in drawn]
        drawn += [drawn[0] | {"d": 20.0, "L": 3.0, "batch": 1.0}]
    elif name != "random_starts":  # test_explore_random_starts.py compares its runs
        drawn += [step.state for step in explorer.asks]
    for lines, figures in shown(explorer, drawn):
        known = {}
        exec(lines, known)
        assert capsys.readouterr().out and "{" not in lines.split("print")[0].replace('f"', "")
        assert max(map(len, lines.splitlines())) < 112
        if "batch=" in lines:
            assert known["result"].step[-1] == figures["step"]
            continue
        result = known.get("result")
        if result is not None:
            last, states = Overlaps(*(x[-1] for x in result.overlaps)), result.ends.tolist()
            known |= {**last._asdict(), "most": result.distance.max()}
            known |= {"excess_risk": result.excess_risk[-1], "distance": result.distance[-1]}
            known["median_risk"] = np.median(result.excess_risk[-1])
        both = known.keys() & figures.keys()
        assert name in LATER or both, "the lines find no number that the page has"
        for key in LATER.get(name, both):
            here, there = known[key], figures[key]
            if key == "words":
                assert here == there
            elif there is not None:  # JSON writes infinity as null
                np.testing.assert_allclose(np.asarray(here, float), there, rtol=1e-2, atol=1e-6)
        if name == "laboratory":
            runs = np.array(figures["runs"]).T
            np.testing.assert_allclose(last, runs[:5], atol=1e-8)
            assert {end: [states.count(end)] for end in states} == {
                end: hits[:1] for end, hits in figures["ends"].items()
            }
        if name == "descent":
            frames = np.array(figures["frames"])
            for overlap, place in (("kappa", 0), ("nu", 4), ("theta", 3), ("eta", 1)):
                np.testing.assert_allclose(getattr(last, overlap), frames[:, place], atol=1e-5)


def test_a_preset_of_the_paper_is_its_experiment():
    """The starts are equal to those of slrlib, not only equal in distribution."""
    (whole, _), (other, _) = shown(Laboratory, [{"steps": 20_000.0}, {"steps": 300.0, "seed": 3.0}])
    assert whole.split("True)\n")[1] == (
        "from slrlib.experiments import PAPER, run\n\n"
        'experiment = PAPER["fig7b"]\nresult = run(experiment)\n'
        "print(experiment.finding(result))\n"
    )
    assert "PAPER" not in other and "log_every=3, seed=3,\n)\nresult" in other
    assert "gamma" not in other and "repetitions" not in other  # the defaults of slrlib


def test_reading_and_figures_are_those_of_the_controls():
    """Stored for the paper's values only; otherwise the browser or Python computes them."""
    widget = the_landscape()
    assert widget.figures["regime"] == "recovered the teacher"
    widget.lam, widget.kappa0, widget.nu0 = 1.5, 0.3, 0.3
    assert widget.reading == "" and widget.figures == {}
    said = "This start lies above it, at distance 0.38: descent is on the plateau after"
    told = f"Only from the dividing line. {said} 20,000 steps: κ = 0.30"
    assert widget.compute().reading.startswith(told)
    assert widget.figures["regime"] == "on the plateau"
    widget.lam = 1.6
    report = {"of": widget.state(), "reading": "On the plateau.", "figures": {"kappa": 0.3}}
    widget.seen = report | {"of": widget.state() | {"lam": 1.0}}  # of an earlier state
    assert widget.reading == ""
    widget.seen = report
    assert widget.reading == "On the plateau." and widget.figures == {"kappa": 0.3}
    for name in ("reading", "figures"):
        with pytest.raises(traitlets.TraitError):
            setattr(widget, name, {})

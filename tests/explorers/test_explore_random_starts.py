"""Random starts without a browser: the runs of the page end like those of slrlib."""

import numpy as np
import pytest
from shown import engine_of, picture

from slrbook.explorers.random_starts.spec import ERF, RUNS, RandomStarts
from slrlib.experiments.random_starts import RandomStarts as Experiment

SETTINGS = [
    {"kind": 0, "d": 40, "seed": 3},
    {"kind": 1, "d": 40, "seed": 3},
    {"kind": 2, "d": 40, "seed": 3},
    {"kind": 1, "d": 25, "a": 1.1, "gamma": 1.3, "seed": 11},  # where predictions fail
]
engine = engine_of(RandomStarts)


@pytest.mark.parametrize("given", SETTINGS, ids=str)
def test_the_ends_and_the_predictions_are_those_of_slrlib(engine, given):
    seen = picture(engine, **given)
    a, gamma = given.get("a", 0.5**0.5), given.get("gamma", 0.5**0.5)
    sizes = (float(given["d"]),)
    starts = Experiment(
        "x", a=a, gamma=gamma, sizes=sizes, starts=RUNS, together=RUNS, seed=given["seed"]
    )
    found = starts.part(given["kind"], 0)
    figures = seen["figures"]
    assert figures["ends"] == found.end.astype(int).tolist()
    assert figures["guesses"] == found.predicted.astype(int).tolist()
    counts = [figures[name] for name in ("undecided", "teacher", "swapped")]
    assert counts == np.bincount(found.end.astype(int), minlength=3).tolist()
    assert f"{figures['teacher']} of {RUNS} starts recover the teacher." in seen["reading"]
    if given["kind"] == ERF:
        missed = int(np.sum((found.end > 0) & (found.end != found.predicted)))
        assert seen["panels"][1].count('class="ring') == missed
        assert figures["predicted"] == int(np.sum(found.end == found.predicted))

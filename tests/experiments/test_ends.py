"""The ends of thousands of runs: the same in law, and the words for them."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import fisher_exact

from slrlib.experiments import ALL, PAPER, load, run
from slrlib.experiments.registry import stored
from slrlib.landscape import BASINS
from slrlib.landscape.states import STATES

ROOT = Path(__file__).parents[2]
ENDS = [name for name in ALL if name.startswith("ends")]


@pytest.mark.parametrize("name", ENDS)
def test_each_has_thousands_of_starts(name):
    e, seen = ALL[name], load(name, ROOT / "results")
    assert len(seen.last) == e.repetitions >= 4000
    assert stored(ALL[name], ROOT / "results")[1]["machine"]["instructions"]
    assert sum(seen.count(state) for state in STATES) == e.repetitions


@pytest.mark.optimised
@pytest.mark.parametrize(
    ("name", "starts"),
    [("ends-fig7a", 40), ("ends-fig5", 20), ("ends-d50", 12), ("ends-d1600", 12)],
)
def test_a_slice_is_made_again_in_law(name, starts):
    """Other starts (those of the remaining settings are followed on the pages)."""
    few, seen = ALL[name].ended(0, starts), load(name, ROOT / "results")
    for end in range(len(BASINS)):
        table = [[np.sum(x == end), np.sum(x != end)] for x in (few.last, seen.last)]
        assert fisher_exact(table).pvalue > 1e-6 / 16


def test_parts_are_put_together_and_the_rule_is_asked_on_the_way():
    e = replace(ALL["ends-fig7b"], steps=4000, log_every=2000, repetitions=6, together=4)
    whole, parts = run(e), [e.ended(0, 4), e.ended(4, 2)]
    for name in whole._fields:
        np.testing.assert_array_equal(
            getattr(whole, name), np.concatenate([getattr(x, name) for x in parts])
        )
    decided = whole.told > 0
    assert decided.any() and np.all(decided | (whole.last == 0))


def test_the_numbers_are_those_of_the_figures():
    for name in ("fig4a", "fig4b", "fig7a", "fig7b"):
        e, shown = ALL[f"ends-{name}"], PAPER[name]
        assert e.task is shown.task and e.steps == shown.steps and e.alpha == shown.alpha
        assert e.schedule == shown.schedule and e.on_manifold == shown.on_manifold
    assert ALL["ends-fig5"].batch == 5

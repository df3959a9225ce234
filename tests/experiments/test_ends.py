"""The ends of thousands of runs, the errors of the first verdict, and the ends of random starts."""

from dataclasses import replace

import jax
import numpy as np
import pytest
from scipy.stats import binomtest, fisher_exact

from slrlib import Overlaps, Task
from slrlib.dynamics import constant, pgd
from slrlib.experiments import ALL, load, run, where_do_starts_end, wilson
from slrlib.landscape import BASINS, STATES, state, suggested_alpha
from slrlib.overlaps import random_overlaps


@pytest.mark.optimized
@pytest.mark.parametrize(("name", "starts"), [("ends-fig7a", 40), ("ends-fig5", 20)])
def test_a_slice_is_made_again_in_law(name, starts):
    """Other starts have the same distribution (the pages check the remaining settings)."""
    few, seen = ALL[name].part(0, starts), load(name)
    for end in range(len(BASINS)):
        ended = few.last_verdict == end, seen.last_verdict == end
        assert fisher_exact([[x.sum(), (~x).sum()] for x in ended]).pvalue > 1e-6 / 8


def test_parts_are_put_together_and_the_rule_is_asked_on_the_way():
    e = replace(ALL["ends-fig7b"], steps=4000, log_every=2000, repetitions=6, together=4)
    whole, parts = run(e), [e.part(0, 4), e.part(4, 2)]
    for name in whole._fields:
        joined = np.concatenate([getattr(x, name) for x in parts])
        np.testing.assert_array_equal(getattr(whole, name), joined)
    decided = whole.first_verdict > 0
    assert decided.any() and np.all(decided | (whole.last_verdict == 0))


def test_the_errors_of_the_early_verdict():
    found = {}
    for name in (name for name in ALL if name.startswith("ends")):
        e, seen = ALL[name], load(name)
        found[name] = seen.errors()
        assert sum(runs for runs, _ in found[name].values()) == e.repetitions >= 4000
        assert sum(seen.count(state) for state in STATES) == e.repetitions
        assert found[name]["in the basin of the pair"][1] == 0
    swapped = "in the basin of the swapped pair"
    assert found["ends-fig7a"][swapped] == (172, 69)
    assert found["ends-d1600"][swapped] == (86, 4)


@pytest.mark.parametrize(("hits", "n"), [(0, 30), (69, 172), (30, 30)])
def test_the_interval_is_that_of_wilson(hits, n):
    """As in scipy, also for no successes and for no failures."""
    interval = binomtest(hits, n).proportion_ci(0.95, method="wilson")
    np.testing.assert_allclose(wilson(hits, n), interval, rtol=0, atol=1e-12)


def test_random_starts_are_counted_by_their_state():
    """Same counts as after all steps: a run that has arrived stays there."""
    task, lam, n, steps = Task(d=20, L=4), 0.5, 12, 4000
    found = where_do_starts_end(task, lam, n, steps=steps, seed=3)
    assert found.alpha == float(suggested_alpha(task, lam))
    o = random_overlaps(jax.random.key(3), 20, (n,))
    run = pgd(o, task, constant(lam), found.alpha, steps, steps)
    codes = np.asarray(state(Overlaps(*(x[-1] for x in run.overlaps)), lam, task))
    assert found.counts.tolist() == np.bincount(codes, minlength=len(STATES)).tolist()
    assert list(zip(found.low, found.high, strict=True)) == [wilson(k, n) for k in found.counts]


def test_a_step_size_beyond_the_edge_of_stability_is_reported(caplog):
    task = Task(d=20, L=4)
    with caplog.at_level("WARNING", "slrlib"):
        where_do_starts_end(task, 0.5, 2, steps=1000)
        assert caplog.messages == []
        where_do_starts_end(task, 0.5, 2, steps=1000, alpha=5 * float(suggested_alpha(task, 0.5)))
    assert len(caplog.messages) == 1 and "above 2 / curvature" in caplog.messages[0]

"""The factorial of schedules: the content of a row, and a recomputed part of the stored result."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import fisher_exact

from slrbook.numbers import compared
from slrlib.experiments import ALL, load
from slrlib.experiments.schedules import SLOW


def test_every_setting_is_there_with_all_its_starts():
    e, seen = ALL["schedules"], load("schedules")
    assert [*zip(seen.lam0, seen.alpha, seen.first, strict=True)] == e.cells()
    assert len(e.cells()) == 18 and np.all(seen.count.sum(axis=1) == e.repetitions)
    slow = seen.first == SLOW
    assert np.all(seen.steps[slow] == e.slow_steps)
    assert np.all(seen.steps[~slow] == seen.first[~slow] + e.last_steps)


@pytest.mark.optimized
def test_a_slice_is_made_again_in_law():
    """Other starts; a false alarm has probability 1e-6."""
    e, seen = replace(ALL["schedules"], seed=7), load("schedules")
    i = e.cells().index((4.0, 4e-3, 2000))
    few = e.part(i, 40)
    for here, there in zip(few.count[0], seen.count[i], strict=True):
        assert compared((here, 40), (there, e.repetitions))["p"] > 1e-6 / 10
    assert abs(few.half[0] - seen.half[i]) <= 2 * e.log_every
    assert few.excess_risk[0] == pytest.approx(seen.excess_risk[i], rel=1e-3)


def test_the_difference_that_two_samples_show():
    """With 4,000 successes of 4,000, one failure in 100 is significant; also a rate of one half."""
    least = compared((100, 100), (4000, 4000))["least"]
    assert fisher_exact([[99, 1], [4000, 0]]).pvalue < 0.05
    assert 0.75 < 1 - (1 - least) ** 100 < 0.9
    half = compared((500, 1000), (500, 1000))["least"]
    assert half == pytest.approx(2.8 * (0.25 * 2 / 1000) ** 0.5, rel=1e-2)

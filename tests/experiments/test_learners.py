"""A perceptron and a softmax pair that learn the task: a stored run is recomputed."""

import numpy as np

from slrlib.experiments import ALL, load
from slrlib.experiments.learners import GROWTH


def test_the_stored_counts_are_made_again():
    """A run with two tokens takes about forty steps; rounding changes it by less than two checks.

    The stored counts were computed with gradients and Adam steps written in NumPy.
    """
    learners, stored = ALL["learners"], load("learners")
    row = stored.rate[0], stored.run[0], stored.needed[0]
    found = learners.needed(2, tuple(row[0]), int(row[1]))
    assert np.abs(np.log(found / row[2])).max() < 2 * np.log(GROWTH) + 0.05

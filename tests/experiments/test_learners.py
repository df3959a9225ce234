"""A perceptron and a softmax pair that learn the task: a stored run is made again."""

import numpy as np

from slrlib.experiments import ALL, load
from slrlib.experiments.learners import GROWTH


def test_the_stored_counts_are_made_again():
    """A run of two tokens takes some forty steps, too few for rounding to move it by two looks.

    The stored counts were found by slopes and steps of Adam written out in NumPy.
    """
    learners, stored = ALL["learners"], load("learners")
    row = stored.rate[0], stored.run[0], stored.needed[0]
    found = learners.needed(2, tuple(row[0]), int(row[1]))
    assert np.abs(np.log(found / row[2])).max() < 2 * np.log(GROWTH) + 0.05

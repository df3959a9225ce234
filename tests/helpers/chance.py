"""Statistics shared by the tests."""

import numpy as np

LIMIT = 4.0  # the largest |z| that a test accepts


def z_score(values, expected):
    """Distance of the mean of ``values`` (first axis) from ``expected``, in standard errors."""
    values = np.asarray(values, np.float64)
    error = values.std(axis=0, ddof=1) / np.sqrt(len(values))
    return (values.mean(axis=0) - np.asarray(expected, np.float64)) / error


def assert_mean(values, expected):
    z = z_score(values, expected)
    assert np.all(np.abs(z) < LIMIT), f"z-scores {z}"

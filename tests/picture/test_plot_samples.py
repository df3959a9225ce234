"""The picture of fits to finitely many sequences draws what it is given, in both themes."""

import numpy as np
import pytest

from slrbook import picture as plot


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_each_fit_has_a_dot_each_size_its_mean_and_the_law_a_line(theme):
    ratio, extra = np.array([10, 20, 40]), np.array([[1, 3], [0.5, 1.5], [0.2, 0.6]])
    law = 20 / ratio
    axes = plot.extra_by_samples(ratio, extra, law, alt="Dots.").figure(theme).axes[0]
    line, *dots, means = axes.get_lines()
    np.testing.assert_allclose(line.get_ydata(), law)
    np.testing.assert_allclose(np.transpose([dot.get_ydata() for dot in dots]), extra)
    np.testing.assert_allclose(means.get_ydata(), [2, 1, 0.4])
    assert [text.get_text() for text in axes.get_xticklabels()] == ["10", "20", "40"]
    assert axes.get_xscale() == axes.get_yscale() == "log"

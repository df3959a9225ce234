"""The picture of random starts draws each fraction with its interval."""

import numpy as np
import pytest

from slrbook import picture as plot


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_each_kind_has_its_points_intervals_and_name(theme):
    d = np.array([20, 80])
    x = {"softmax": np.array([[1, 0.9, 1], [0.8, 0.7, 0.95]]), "erf": np.full((2, 3), 0.5)}
    axes = plot.fraction_by_dimension(d, x, alt="Points.").figure(theme).axes[0]
    drawn = {box[0].get_color(): box for box in axes.containers}
    assert len(drawn) == len(x)
    for (line, _, (bars,)), rows in zip(axes.containers, x.values(), strict=True):
        np.testing.assert_allclose(line.get_ydata(), rows[:, 0])
        ends = [segment[:, 1] for segment in bars.get_segments()]
        np.testing.assert_allclose(ends, rows[:, 1:])
    assert {text.get_text() for text in axes.texts} == set(x)

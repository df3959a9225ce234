"""The picture of moved minima draws each line with its name and a star where it is lowest."""

import numpy as np
import pytest

from slrbook import picture as plot


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_each_line_has_a_star_at_its_lowest_point_and_a_name_at_its_end(theme):
    kappa = np.array([0.0, 0.5, 1.0])
    risks = {"centred": np.array([3.0, 2.0, 1.0]), "moved": np.array([3.0, 1.5, 4.0])}
    axes = plot.moved_minimum(kappa, risks, alt="Two lines.").figure(theme).axes[0]
    lines = axes.get_lines()
    for line, star, values in zip(lines[::2], lines[1::2], risks.values(), strict=True):
        np.testing.assert_allclose(line.get_ydata(), values)
        low = np.argmin(values)
        assert (*star.get_xdata(), *star.get_ydata()) == (kappa[low], values[low])
    assert [(text.get_text(), text.xy) for text in axes.texts] == [
        ("centred", (1.0, 1.0)),
        ("moved", (1.0, 4.0)),
    ]
    assert axes.get_yscale() == "log"

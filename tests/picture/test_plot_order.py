"""The pictures of order on M draw what they are given, in both themes."""

import numpy as np
import pytest

from slrbook import picture as plot

STEPS = np.linspace(0, 1, 20)
LOW = np.stack([STEPS - 0.5, STEPS**2], -1)
KAPPA = np.linspace(0, 1, 11)
themes = pytest.mark.parametrize("theme", ["light", "dark"])


@themes
def test_a_rectangle_joins_the_two_runs_at_each_marked_step(theme):
    high, marked = LOW + np.array([0.2, 0.1]), np.array([0, 5, 19])
    axes = plot.ordered_runs(LOW, high, marked, alt="Two runs.").figure(theme).axes[0]
    assert len(axes.patches) == 3
    for patch, step in zip(axes.patches, marked, strict=True):
        np.testing.assert_allclose(patch.get_xy(), LOW[step])
        np.testing.assert_allclose([patch.get_width(), patch.get_height()], [0.2, 0.1])


@themes
def test_runs_of_the_two_ends_have_two_styles(theme):
    paths, line = np.stack([LOW, -LOW, LOW + 0.1]), np.stack([KAPPA, -KAPPA], -1)
    made = plot.one_on_each_line(paths, [1, -1, 1], line, alt="Three runs.")
    axes = made.figure(theme).axes[0]
    long = [each for each in axes.get_lines() if len(each.get_xdata()) == 20]
    assert [each.get_linestyle() for each in long] == ["-", "--", "-"]


@themes
def test_each_dividing_line_is_named_and_shown_in_its_quarter(theme):
    lines = {name: -(KAPPA**power) for name, power in (("a", 1), ("b", 2), ("c", 3))}
    back = np.stack([KAPPA, -KAPPA], -1)
    axes = plot.dividing_lines(KAPPA, lines, back, alt="Three lines.").figure(theme).axes[0]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["a", "b", "c"]
    assert axes.get_xlim() == (-0.06, 1.06) and axes.get_ylim() == (-1.06, 0.06)
    marks = [each for each in axes.get_lines() if each.get_linestyle() == "None"]
    assert len(marks) == 6 and all(len(each.get_xdata()) in (1, len(back)) for each in marks)


@themes
def test_the_plateau_has_a_band_and_dots_for_each_dimension(theme):
    steps = 10 ** np.stack([KAPPA, KAPPA + 0.1, KAPPA + 0.2])
    bounds = {"d = 400": 10 * steps, "d = 200": steps}
    axes = plot.plateau(KAPPA, bounds, alt="Two bands.").figure(theme).axes[0]
    assert len(axes.collections) == 2 and axes.get_yscale() == "log"
    assert [text.get_text() for text in axes.texts] == list(bounds)

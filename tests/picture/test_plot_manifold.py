"""The pictures of the chapter on M draw what they are given, in both themes."""

from functools import cache

import numpy as np
import pytest
from drawn import drawn
from matplotlib.colors import to_rgba

from slrbook import picture as plot
from slrbook.picture import style

AXIS = np.linspace(-1, 1, 21)
FIELD = -AXIS[None, :] * AXIS[:, None]
LINE = np.stack([np.linspace(0, 1, 30), -(np.linspace(0, 1, 30) ** 2)], -1)


@cache
def square():
    return plot.manifold_risk(AXIS, AXIS, FIELD, [-0.5, 0.0, 0.5], alt="A heat map of the risk")


@cache
def flow():
    at = np.stack(np.meshgrid(AXIS[1:-1:3], AXIS[1:-1:3]), -1).reshape(-1, 2) + 0.01
    return plot.manifold_flow(at, at[:, ::-1], LINE, [LINE[3:] * [1, -1]], alt="Arrows and a line")


@cache
def rounding():
    steps = np.arange(0, 20_000, 500)
    double = 1e-16 * (2 + np.sin(steps))
    return plot.rounding(steps, double, 1e9 * double, alt="Two distances to M")


@cache
def escape():
    gap = 10.0 ** -np.arange(2, 14)
    return plot.escape(gap, -747 * np.log10(gap), -750 * np.log10(gap), alt="A straight line")


@pytest.mark.parametrize("make", [square, flow, rounding, escape])
@pytest.mark.parametrize("theme", style.THEMES)
def test_every_text_lies_in_the_frame_and_every_axis_is_named(make, theme):
    figure = drawn(make(), theme)
    assert figure.axes[0].get_xlabel()
    assert all(axes.get_ylabel() for axes in figure.axes)


@pytest.mark.parametrize("make", [square, flow])
def test_the_five_fixed_points_carry_their_markers(make):
    palette = style.colours("light")
    drawn = {
        (line.get_marker(), to_rgba(line.get_color()), *map(float, line.get_xydata()[0]))
        for line in make().figure().axes[0].lines
        if line.get_linestyle() == "None" and len(line.get_xydata()) == 1
    }
    places = {"oracle": [(-1, -1), (1, 1)], "maximum": [(-1, 1), (1, -1)], "saddle": [(0, 0)]}
    for name, at in places.items():
        look = getattr(style.MARKERS, name), to_rgba(getattr(palette, name))
        assert {point[2:] for point in drawn if point[:2] == look} == set(at)


def test_the_line_is_drawn_with_its_mirror_image_and_arrows_have_one_length():
    axes = flow().figure().axes[0]
    pink = to_rgba(style.colours("light").saddle)
    one, other = (
        line.get_xydata()
        for line in axes.lines
        if to_rgba(line.get_color()) == pink and len(line.get_xydata()) == len(LINE)
    )
    np.testing.assert_array_equal(one, LINE)
    np.testing.assert_array_equal(other, -LINE)
    (arrows,) = (c for c in axes.collections if hasattr(c, "U"))
    np.testing.assert_allclose(np.hypot(arrows.U, arrows.V), 1.0)


def test_the_square_is_that_of_the_paper_with_room_for_the_marks_in_its_corners():
    for picture in (square(), flow()):
        axes = picture.figure().axes[0]
        assert axes.get_xlim() == axes.get_ylim() == (-1.1, 1.1)
        assert list(axes.get_xticks()) == list(axes.get_yticks()) == [-1, 0, 1]
        assert all(line.get_clip_on() for line in axes.get_lines())
        assert axes.get_aspect() == 1.0

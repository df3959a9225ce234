"""The pictures that tell the story: right angles, colours that mean it, dots on their curve."""

from functools import cache

import numpy as np
import pytest
from drawn import drawn
from matplotlib.colors import to_rgba
from matplotlib.patches import Arc

from slrbook import picture as plot
from slrbook.picture import style

ANYWHERE = {"kappa": 0.7, "nu": 0.5, "theta": 0.4, "eta": -0.35, "rho": 0.25}
ON_M = ANYWHERE | {"theta": 0.0, "eta": 0.0, "rho": 0.0}


@cache
def five():
    return plot.five_overlaps(ANYWHERE, ON_M, alt="Ten pairs of arrows")


@cache
def on_manifold():
    return plot.on_manifold(ON_M, alt="Five pairs of arrows")


@cache
def why():
    steps, x = np.arange(0, 5000, 100), np.linspace(-0.2, 2.3, 50)
    slopes = np.stack([0.02 + np.exp(-steps / 900) / 5, 0.9 * np.tanh(steps / 900)], axis=1)
    return plot.why_nu_first(
        steps, slopes, (x, np.tanh(x)), [(100, 0.1), (20_000, 1.4)], alt="Two panels"
    )


@pytest.mark.parametrize("make", [five, on_manifold, why])
@pytest.mark.parametrize("theme", style.THEMES)
def test_every_text_lies_in_the_frame_and_every_axis_is_named(make, theme):
    assert all(axes.get_xlabel() for axes in drawn(make(), theme).axes)


def test_an_arc_has_the_angle_of_its_overlap_and_a_right_angle_its_corner():
    panels = five().figure().axes
    for axes, overlap in zip(panels, [*ANYWHERE.values(), *ON_M.values()], strict=True):
        arcs = [patch for patch in axes.patches if isinstance(patch, Arc)]
        if overlap:
            turn = np.radians(arcs[0].theta2 - arcs[0].theta1)
            assert np.cos(turn) == pytest.approx(overlap) and not axes.lines
        else:
            (corner,) = axes.lines
            one, middle, two = np.transpose(corner.get_data())
            assert np.dot(middle - one, middle - two) == pytest.approx(0) and not arcs


def test_the_arrows_have_the_colours_of_their_letters():
    ink = style.colours("light")
    for axes in five().figure().axes:
        for text in axes.texts:
            letter = text.get_text().strip("$")
            if letter:
                kind = "oracle" if "star" in letter else letter
                assert to_rgba(text.get_color()) == to_rgba(getattr(ink, kind))


def test_the_letters_have_eleven_pixels_on_a_phone():
    texts = [text for axes in five().figure().axes for text in [*axes.texts, axes.xaxis.label]]
    sizes = [text.get_fontsize() for text in texts if text.get_text()]
    assert len(sizes) == 30 and min(sizes) * 330 / five().width >= 11


def test_the_dots_stand_on_the_curve_and_are_told_by_their_step():
    left, right = why().figure().axes
    assert [text.get_text() for text in right.texts] == ["100", "20,000"]
    curve, *dots = right.lines
    for dot in dots:
        x, y = np.ravel(dot.get_data())
        assert y == pytest.approx(np.interp(x, *curve.get_data()))
    assert len(left.lines) == 3

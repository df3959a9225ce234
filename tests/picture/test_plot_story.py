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


@pytest.mark.parametrize("make", [five, on_manifold])
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

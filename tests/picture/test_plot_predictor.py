"""The pictures of the chapter on the predictor draw what they are given, in both themes."""

from functools import cache

import numpy as np
import pytest
from drawn import drawn

from slrbook import picture as plot
from slrbook.picture import style


@cache
def shrink():
    lam = np.geomspace(0.01, 1.0, 9)
    curves = {-10.0: 0.9 + 0 * lam, 0.0: 0.85 + 0 * lam, 10.0: 0.75 + (np.log10(lam) + 1) ** 2 / 20}
    return plot.shrink(lam, curves, alt="Three curves")


@cache
def saturation():
    x = np.linspace(-0.5, 2.0, 50)
    noise, informative = np.random.default_rng(0).normal([[0.0], [1.4]], 0.1, (2, 500))
    return plot.saturation((x, np.tanh(x)), (x[:30], x[:30]), noise, informative, alt="A curve")


@cache
def sums():
    x = np.linspace(-4, 4, 81)
    values = np.random.default_rng(1).normal(size=(2, 500))
    return plot.sums({10: values[0], 1000: values[1]}, (x, np.exp(-(x**2))), alt="Two histograms")


@pytest.mark.parametrize("make", [shrink, saturation, sums])
@pytest.mark.parametrize("theme", style.THEMES)
def test_every_text_lies_in_the_frame_and_every_axis_is_named(make, theme):
    assert all(axes.get_xlabel() for axes in drawn(make(), theme).axes)


def test_the_curves_of_shrink_keep_their_order_and_are_told_apart_without_colour():
    axes = shrink().figure().axes[0]
    assert len({line.get_linestyle() for line in axes.lines}) == 3
    named = [text.get_text().split("=")[1].strip(" $") for text in axes.texts]
    assert named == ["-10", "0", "10"]
    below = [text.xy[1] for text in axes.texts]
    assert below == sorted(below, reverse=True)

"""The pictures of the chapter on convergence: what is drawn, in both themes."""

import numpy as np
import pytest

from slrbook import picture as plot

STEP = np.arange(0, 1001, 100)
ONE = np.linspace(0.1, 1.0, 11)


def panels(ends, risk=None):
    runs = ONE[:, None] * np.linspace(0.5, 1.0, len(ends))
    risk = 1 / runs if risk is None else risk
    distance = np.where(runs > 0.5, 0.0, runs)
    words = {"alt": "Four panels of runs.", "caption": "Runs."}
    return plot.four_panels(STEP, risk, runs, -runs, distance, ends, ONE, **words)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_four_panels_as_in_the_paper(theme):
    axes = panels(["recovered the teacher"] * 6 + ["swapped"] * 5).figure(theme).axes
    names = ["excess risk", r"$|\kappa|$", r"$|\nu|$", "distance"]
    assert len(axes) == 4
    assert all(name in axis.get_ylabel() for name, axis in zip(names, axes, strict=True))
    for axis in axes:
        assert len(axis.collections) == 2  # a band for each kind of end
        assert axis.get_xlim() == (100, 1000)  # step 0 has no place on a log axis
        styles = [line.get_linestyle() for line in axis.get_lines()]
        assert "-" in styles and "--" in styles
    assert axes[0].get_yscale() == "log" and axes[3].get_yscale() == "log"
    assert min(line.get_ydata().min() for line in axes[3].get_lines()) == 1e-8
    assert all(line.get_ydata().min() >= 0 for line in axes[2].get_lines())


def test_a_band_holds_the_runs_and_few_runs_are_drawn_one_by_one():
    axis = panels(["recovered the teacher"] * 40 + ["tilted"] * 2).figure().axes[1]
    (band,) = axis.collections
    low, high = band.get_paths()[0].vertices[:, 1].min(), band.get_paths()[0].vertices[:, 1].max()
    runs = ONE[1:, None] * np.linspace(0.5, 1.0, 42)[:40]
    assert low == pytest.approx(np.percentile(runs, 2.5, axis=1).min())
    assert high == pytest.approx(np.percentile(runs, 97.5, axis=1).max())
    assert len(axis.get_lines()) == 3


def test_a_risk_that_hardly_moves_has_a_plain_axis():
    axes = (
        panels(["recovered the teacher"] * 5, risk=3 + 0.1 * ONE[:, None] * np.ones(5))
        .figure()
        .axes
    )
    assert axes[0].get_yscale() == "linear"


def test_shares_carry_their_intervals():
    rows = [(0.0, 0.01, 0.02), (0.4, 0.5, 0.55)]
    axis = plot.swap_shares(["a", "b"], rows, [0.02, 0.49], alt="Two shares.").figure().axes[0]
    (bars,) = axis.collections
    assert sorted(tuple(s[:, 0]) for s in bars.get_segments()) == [(0.0, 0.02), (0.4, 0.55)]
    measured, predicted = (line.get_xdata() for line in axis.get_lines())
    assert list(measured) == [0.01, 0.5] and list(predicted) == [0.02, 0.49]
    assert [label.get_text() for label in axis.get_yticklabels()] == ["a", "b"]


def test_the_rings_lie_where_the_edge_is():
    picture = plot.pinned(STEP, ONE, STEP[2:4], ONE[2:4] + 0.01, alt="A line through rings.")
    line, rings = picture.figure().axes[0].get_lines()
    assert list(rings.get_ydata()) == list(ONE[2:4] + 0.01) and len(line.get_ydata()) == 11


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_cell_shows_its_share_and_a_cross_where_runs_are_lost(theme):
    found, lost = np.array([[0.5, 1.0], [0.6, 0.02], [0.1, 0.0]]), np.zeros((3, 2))
    lost[2, 1] = 0.9
    axes = (
        plot.recovery_map([50, 100, 1600], [0.1, 2], found, lost, alt="A map.").figure(theme).axes
    )
    (image,) = axes[0].get_images()
    assert np.array_equal(image.get_array(), found.T)
    assert [t.get_text() for t in axes[0].texts] == ["50", "60", "10", "100", "2", "0 ×"]
    assert [t.get_text() for t in axes[0].get_xticklabels()] == ["50", "100", "1,600"]
    assert [t.get_text() for t in axes[0].get_yticklabels()] == ["0.1", "2"]

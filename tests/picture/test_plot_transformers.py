"""The pictures of the chapter on Transformer layers: what is drawn, in both themes."""

from functools import cache

import numpy as np
import pytest
from drawn import drawn

from slrbook import picture as plot

STEP = np.arange(0, 1001, 100)
RUNS = np.linspace(0.05, 0.5, 11)[::-1, None] * np.linspace(0.5, 1.0, 8)  # falls along time
RISES = 1.0 - RUNS
HEADS = np.arange(1, 5).reshape(2, 2) / 10 * np.ones((11, 8, 1, 1))
SIZES = np.array([[[0.9, 0.1], [0.2, -1.0]], [[0.5, 0.5], [0.5, 0.5]]])

both_themes = pytest.mark.parametrize("theme", ["light", "dark"])


@cache
def learns():
    words = {"alt": "Four panels of a layer that learns.", "caption": "It learns."}
    caps = (0.99, 0.98)
    return plot.layer_learns(STEP, RUNS, RUNS - 0.05, -RISES, RISES, RISES + 0.01, caps, **words)


def two_laws(repeats=8):
    risk = RUNS[:, :repeats]
    columns = {
        "own noise": (STEP, risk, 0.1, HEADS[:, :repeats], -HEADS[:, :repeats]),
        "shared noise": (STEP, 10 * risk, RUNS[:, 0], HEADS[:, :repeats], HEADS[:, :repeats]),
    }
    return plot.heads_learn(columns, alt="Six panels of two heads.")


@both_themes
def test_the_layer_has_the_paper_s_two_panels_and_two_more(theme):
    axes = drawn(learns(), theme).axes
    names = ["excess risk", "minus floor", r"$|k\cdot k{\star}|$", r"$v\cdot v{\star}$"]
    assert all(name in axis.get_ylabel() for name, axis in zip(names, axes, strict=True))
    assert all(axis.get_xlim() == (100, 1000) for axis in axes)
    assert [len(axis.collections) for axis in axes] == [1, 1, 1, 2]  # a band for each curve
    look = axes[2].get_lines()
    assert look[0].get_ydata().min() > 0, "|k.k*| has no sign"
    assert look[1].get_linestyle() == ":" and set(look[1].get_ydata()) == {0.99}
    assert [line.get_linestyle() for line in axes[3].get_lines()] == ["-", "--", ":"]


def test_the_interval_of_the_verdict_is_shown_and_lies_in_view():
    axis = learns().figure().axes[1]
    (box,) = axis.patches
    low, high = box.get_y(), box.get_y() + box.get_height()
    assert (low, high) == pytest.approx((-0.002, 0.006))
    assert axis.get_ylim()[0] < low and axis.get_yscale() == "symlog"


@both_themes
def test_both_places_of_the_zero_matrix_share_their_axes(theme):
    kappas = (-RISES, 0.9 * RISES)
    words = {"alt": "Two panels, for both places of the zero matrix."}
    left, right = drawn(plot.zero_matrix(STEP, (RUNS, RUNS), kappas, 0.7, **words), theme).axes
    assert [line.get_linestyle() for line in left.get_lines()] == ["-", "--"]
    token, register, start = right.get_lines()
    assert np.all(register.get_ydata() < token.get_ydata())
    assert set(start.get_ydata()) == {0.7}


@both_themes
def test_each_step_size_has_its_curve_and_its_edge(theme):
    time, curves = (2, 5, 20), {0.005: (9, 200, 230), 0.01: (9, 190, 180), 0.02: (9, 99, 90)}
    picture = plot.edge_of_stability(time, curves, alt="Three curves below three edges.")
    (axis,) = drawn(picture, theme).axes
    edges, lines = axis.get_lines()[::2], axis.get_lines()[1::2]
    assert [edge.get_ydata()[0] for edge in edges] == [400, 200, 100]
    assert [tuple(line.get_ydata()) for line in lines] == list(curves.values())
    assert len({line.get_marker() for line in lines}) == 3
    assert [text.get_text() for text in axis.texts] == ["2 / 0.005", "2 / 0.01", "2 / 0.02"]
    low, high = axis.get_ylim()
    assert low < 9 and 400 < high


@both_themes
def test_two_increments_share_their_axis(theme):
    risks = {"own noise": ((STEP, RUNS), (STEP, 2 * RUNS)), "shared noise": ((STEP, RUNS),) * 2}
    left, right = drawn(plot.two_increments(risks, alt="Two panels of risks."), theme).axes
    assert left.get_ylim() == right.get_ylim() and left.get_yscale() == "log"
    solid, dashed = left.get_lines()
    assert (solid.get_linestyle(), dashed.get_linestyle()) == ("-", "--")
    assert np.all(dashed.get_ydata() == 2 * solid.get_ydata())
    assert [axis.texts[0].get_text() for axis in (left, right)] == list(risks)


@both_themes
def test_phases_are_named_between_their_ends(theme):
    curves = (RUNS, RISES, -RISES, RISES)
    picture = plot.phases(STEP, *curves, (200, 500), alt="Four curves, three phases.")
    (axis,) = drawn(picture, theme).axes
    *curves, first, second = axis.get_lines()
    assert len(curves) == 4 and curves[0].get_linestyle() == ":"
    assert first.get_xdata()[0] == 200 and second.get_xdata()[0] == 500
    at = {text.get_text(): text.get_position()[0] for text in axis.texts}
    assert 100 < at["plateau"] < 200 < at["attention snaps"] < 500 < at["v polishes"]


def test_rings_lie_on_the_stored_lines():
    picture = plot.live_beside_stored(STEP, RUNS[:, :3], RUNS[:, :3] + 1e-6, alt="Rings on lines.")
    lines = picture.figure().axes[0].get_lines()
    assert len(lines) == 6
    for line, rings in zip(lines[:3], lines[3:], strict=True):
        assert rings.get_marker() == "o" and rings.get_linestyle() == "None"
        assert rings.get_ydata() == pytest.approx(line.get_ydata(), abs=1e-5)


@both_themes
def test_two_heads_have_a_column_for_each_law(theme):
    axes = np.array(drawn(two_laws(), theme).axes).reshape(3, 2)
    assert axes[0, 0].get_ylim() == axes[0, 1].get_ylim()
    assert [axis.texts[0].get_text() for axis in axes[0]] == ["own noise", "shared noise"]
    assert [axis.get_xlabel() for axis in axes[2]] == ["step", "step"]
    for axis in axes[1:].flat:
        own, other = axis.get_lines()
        assert set(np.round(own.get_ydata(), 9)) == {0.25}, "the diagonal is solid"
        assert set(np.round(other.get_ydata(), 9)) == {0.25}
        assert (own.get_linestyle(), other.get_linestyle()) == ("-", "--")
        filled, rim = axis.collections
        assert filled.get_alpha() < 1 and len(rim.get_facecolor()) == 0, "one band is a rim only"
    (legend,) = axes[0, 0].figure.legends
    assert [text.get_text()[-12:] for text in legend.get_texts()] == [
        "own location",
        "her location",
    ]


def test_own_and_other_locations_are_told_apart():
    matrix = np.array([[0.9, -0.2], [0.1, 0.7]]) * np.ones((11, 8, 1, 1))
    columns = dict.fromkeys(("a", "b"), (STEP, RUNS, 0.1, matrix, matrix))
    own, other = plot.heads_learn(columns, alt="Six panels of two heads.").figure().axes[2].lines
    assert own.get_ydata()[0] == pytest.approx(0.8) and other.get_ydata()[0] == pytest.approx(0.15)


@both_themes
def test_a_matrix_of_each_seed_and_a_frame_around_the_separated(theme):
    picture = plot.head_matrices(SIZES, SIZES, [True, False], alt="Two matrices.")
    above, below = drawn(picture, theme).axes
    for axis in (above, below):
        squares = [patch for patch in axis.patches if patch.get_fill()]
        frames = [patch for patch in axis.patches if not patch.get_fill()]
        shades = [patch.get_facecolor()[3] for patch in squares]
        assert shades[:4] == pytest.approx([0.9, 0.1, 0.2, 1.0]), "no sign, row by row"
        assert squares[1].get_x() > squares[0].get_x() and squares[2].get_y() < squares[0].get_y()
        words = [text.get_text() for text in axis.texts]
        assert {"head 1", "head 2", "location", "1", "2", "0", "0.5"} <= set(words)
        good, bad = frames
        assert good.get_linewidth() > bad.get_linewidth()


@both_themes
def test_outcomes_are_divided_by_the_threshold(theme):
    laws = {"own noise": [0.003, 0.08, 0.004], "shared noise": [-0.001, 0.002]}
    (axis,) = drawn(plot.outcomes(laws, 0.01, alt="Two rows of seeds."), theme).axes
    *rows, threshold = axis.get_lines()
    assert [len(row.get_xdata()) for row in rows] == [2, 1, 2, 0]
    assert all(row.get_xdata().max() < 0.01 for row in (rows[0], rows[2]))
    assert rows[2].get_xdata().min() == 1e-3 and threshold.get_xdata()[0] == 0.01
    assert [label.get_text() for label in axis.get_yticklabels()] == list(laws)


@both_themes
def test_minima_stand_above_the_runs_and_beside_the_oracle_pairs(theme):
    minima, oracle = {"minima, small lam": [0.26, 0.31]}, {"minima, small lam": 1.9}
    picture = plot.minima_and_runs(minima, oracle, {"runs": [0.3, 0.4]}, alt="Two rows of risks.")
    (axis,) = drawn(picture, theme).axes
    found, star, runs = axis.get_lines()
    assert list(found.get_xdata()) == [0.26, 0.31] and star.get_xdata()[0] == 1.9
    assert max(runs.get_ydata()) < min(found.get_ydata()) and star.get_marker() == "*"

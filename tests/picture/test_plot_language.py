"""The pictures of the chapter on language: what is drawn, in both themes."""

from functools import cache

import numpy as np
import pytest
from drawn import drawn

from slrbook import picture as plot

SETS = ["train", "test", "unseen words", "unseen pattern", "both unseen"]
LAYERS, STARTS = 7, 4
SHARES = np.linspace(0.5, 1.0, LAYERS)[:, None] - np.linspace(0.0, 0.3, 5)  # (layer, set)
CLS = np.stack([SHARES - 0.02 * i for i in range(6)])  # (draw, layer, set)
LEARNED = CLS[:, [0, 3, 5], None] + 0.01 * np.arange(STARTS)[:, None]

both_themes = pytest.mark.parametrize("theme", ["light", "dark"])


@both_themes
def test_a_bar_for_each_token_and_the_informative_one_stands_out(theme):
    words = [["[CLS]", "nice", "[SEP]"], ["[CLS]", "nasty", "[SEP]"]]
    weights = np.array([[0.1, 0.8, 0.1], [0.2, 0.7, 0.1]])
    picture = plot.one_word_flips(words, weights, [1, 1], [6.5, -7.2], alt="Two lists of words.")
    for axis, text, weight in zip(drawn(picture, theme).axes, words, weights, strict=True):
        assert [label.get_text() for label in axis.get_yticklabels()] == text
        assert [bar.get_width() for bar in axis.patches] == pytest.approx(weight)
        first, informative, last = (bar.get_facecolor() for bar in axis.patches)
        assert first == last != informative
        heights = [bar.get_y() for bar in axis.patches]
        assert heights == sorted(heights, reverse=True), "the sentence is read downwards"
    outputs = [axis.texts[0].get_text() for axis in picture.figure().axes]
    assert "+6.5" in outputs[0] and "−7.2" in outputs[1]


@both_themes
def test_a_line_for_each_set_in_both_panels(theme):
    picture = plot.probe_by_layer(SETS, SHARES, SHARES - 0.1, SHARES + 0.1, SHARES, alt="Lines.")
    left, right = drawn(picture, theme).axes
    for axis in (left, right):
        lines = axis.get_lines()[:5]
        assert [line.get_label() for line in lines] == SETS
        assert len({(line.get_linestyle(), line.get_marker()) for line in lines}) == 5
        assert lines[2].get_ydata() == pytest.approx(SHARES[:, 2])
    assert len(left.collections) == 5 and not right.collections, "intervals of shares only"


@both_themes
def test_the_paper_s_bars_are_outlined(theme):
    ours, paper = [0.5, 1.0, 0.76], [0.5, 1.0, 0.95]
    picture = plot.beside_the_paper(SETS[:3], ours, paper, alt="Pairs of bars.")
    (axis,) = drawn(picture, theme).axes
    filled = [bar.get_width() for bar in axis.patches if bar.get_fill() and bar.get_alpha()]
    outlined = [bar.get_width() for bar in axis.patches if bar.get_facecolor()[3] == 0]
    assert (filled, outlined) == (ours, paper)
    assert [text.get_text() for text in axis.texts] == "0.50 0.50 1.00 1.00 0.76 0.95".split()


@cache
def planes():
    score = np.arange(3 * 4 * 5.0).reshape(3, 4, 5)
    role = np.tile([1, 2, 1, 3, 0], (4, 1))
    role[2:, 3] = 4
    return plot.word_planes(score, -score, role, (0, 3, 5), alt="Three planes of tokens.")


@both_themes
def test_each_token_stands_in_the_plane_by_its_role_and_padding_does_not(theme):
    for number, axis in enumerate(drawn(planes(), theme).axes):
        other, distractor, good, bad = axis.get_lines()
        assert [len(each.get_xdata()) for each in (other, distractor, good, bad)] == [8, 4, 2, 2]
        assert good.get_ydata() == pytest.approx(-(number * 20 + np.array([3, 8])))
        assert (good.get_marker(), bad.get_marker()) == ("+", "_")
        assert axis.texts[0].get_text() == f"layer {(0, 3, 5)[number]}"


@both_themes
def test_the_predictors_share_their_panels_and_show_what_they_were_given(theme):
    linear = [CLS - 0.05 * i for i in range(3)]
    picture = plot.predictors_by_layer(
        SETS[1:], CLS + 0.1, LEARNED, *linear, (0, 3, 5), alt="Panels."
    )
    shown = (CLS + 0.1, LEARNED.mean(2), *linear)
    for i, axis in enumerate(drawn(picture, theme).axes):
        for box, draws in zip(axis.containers, shown, strict=True):
            assert box[0].get_ydata() == pytest.approx(draws[..., i].mean(0))
            ends = np.array([segment[:, 1] for segment in box[2][0].get_segments()])
            reach = np.stack([draws[..., i].min(0), draws[..., i].max(0)], axis=1)
            assert ends == pytest.approx(reach), "whiskers are the range of the draws"
        places = [set(np.round(box[0].get_xdata() % 1, 6)) for box in axis.containers]
        assert len(set.union(*places)) == 5, "no mark hides another"
    (legend,) = picture.figure().legends
    given = [text.get_text().split(": ")[1] for text in legend.get_texts()]
    assert given == ["labels and locations", "labels, mean of its starts", *["labels"] * 3]


@both_themes
def test_the_informative_words_are_written_beside_their_clouds(theme):
    score, role = np.zeros((3, 4, 5)), np.tile([1, 2, 1, 3, 0], (4, 1))
    role[2:, 3] = 4
    value = np.where(role == 3, 5.0, -5.0) * np.ones((3, 1, 1))
    words = ["nice", "kind", "nasty", "nasty"]
    picture = plot.word_planes(score, value, role, (0, 3, 5), words, alt="Planes with words.")
    *_, last = drawn(picture, theme).axes
    good, bad = last.texts[1:]
    assert (good.get_text(), bad.get_text()) == ("nice\nkind", "nasty")
    assert good.get_position()[1] > 5 and bad.get_position()[1] < -5


@both_themes
def test_no_start_is_left_out_and_shortcuts_look_otherwise(theme):
    accuracy = np.linspace(0.5, 1.0, 24)[:, None] * np.ones(3)
    ends = np.array(["found", "shortcut", "found", "found"] * 6)
    picture = plot.starts_by_end(SETS[2:], accuracy, ends, CLS[:, 5, 2:], alt="Dots.")
    (axis,) = drawn(picture, theme).axes
    sizes = {}
    for line in axis.get_lines():
        sizes[line.get_marker()] = sizes.get(line.get_marker(), 0) + len(line.get_ydata())
    assert (sizes["o"], sizes["^"], sizes["s"], sizes["X"]) == (3 * 18, 3 * 6, 3 * 6, 0)


@both_themes
def test_each_head_shows_its_number(theme):
    hits = np.linspace(0, 1, 72).reshape(6, 12)
    (axis,) = drawn(plot.head_hits(hits, alt="A table of numbers."), theme).axes
    assert len(axis.texts) == 72
    text = axis.texts[15]
    assert text.get_text() == f"{hits[1, 3]:.2f}".lstrip("0") and text.get_position() == (3, 1)
    assert axis.get_yticklabels()[0].get_text() == "1", "layers count from one"


@both_themes
def test_curves_against_the_length_have_their_colours(theme):
    length = np.array([20, 32, 64, 128, 256, 512])
    curves = {
        "[CLS] probe": (np.full((2, 6), 0.5), "cls"),
        "found": (np.tile(np.linspace(1, 0.9, 6), (2, 1)), "found"),
    }
    picture = plot.by_length(["test", "unseen words"], length, curves, alt="Two panels of curves.")
    for axis in drawn(picture, theme).axes:
        cls, found = axis.get_lines()[:2]
        assert axis.get_xscale() == "log" and cls.get_color() != found.get_color()
        assert list(found.get_xdata()) == list(length) and found.get_ydata()[-1] == 0.9

"""Every drawing function, in both themes: text inside the frame, named axes, and content."""

from functools import cache

import numpy as np
import pytest
from drawn import drawn
from matplotlib.colors import to_rgba
from matplotlib.patches import Arc

from slrbook import picture as plot
from slrbook.picture import style

RANDOM = np.random.default_rng(1)
POINTS, RATES = RANDOM.normal(size=(40, 2)), np.linspace(0.1, 1.0, 7)
STEP, ONE = np.arange(0, 1001, 100), np.linspace(0.1, 1.0, 11)
RUNS = np.linspace(0.05, 0.5, 11)[::-1, None] * np.linspace(0.5, 1.0, 8)  # decreasing in time
RISES = 1.0 - RUNS
HEADS = np.arange(1, 5).reshape(2, 2) / 10 * np.ones((11, 8, 1, 1))
SIZES = np.array([[[0.9, 0.1], [0.2, -1.0]], [[0.5, 0.5], [0.5, 0.5]]])
AXIS, KAPPA = np.linspace(-1, 1, 21), np.linspace(0, 1, 11)
BAND = 10 ** (KAPPA + 0.1 * np.arange(3)[:, None])
LINE = np.stack([np.linspace(0, 1, 30), -(np.linspace(0, 1, 30) ** 2)], -1)
AT = np.stack(np.meshgrid(AXIS[1:-1:3], AXIS[1:-1:3]), -1).reshape(-1, 2) + 0.01
SQUARE = AXIS, -AXIS[None, :] * AXIS[:, None], [-0.5, 0.0, 0.5]
DIAGONAL = np.stack([KAPPA, -KAPPA], -1)
LOW = np.stack([np.linspace(-0.5, 0.5, 20), np.linspace(0, 1, 20) ** 2], -1)
LAM, BEND = np.geomspace(0.01, 1.0, 9), np.linspace(-0.5, 2.0, 50)
FLAT = {-10.0: 0.9 + 0 * LAM, 0.0: 0.85 + 0 * LAM, 10.0: 0.75 + np.log10(10 * LAM) ** 2 / 20}
SETS = ["train", "test", "unseen words", "unseen pattern", "both unseen"]
SHARES = np.linspace(0.5, 1.0, 7)[:, None] - np.linspace(0.0, 0.3, 5)  # (layer, set)
CLS = np.stack([SHARES - 0.02 * i for i in range(6)])  # (draw, layer, set)
LEARNED = CLS[:, [0, 3, 5], None] + 0.01 * np.arange(4)[:, None]
SCORE, ROLE = np.zeros((3, 4, 5)), np.tile([1, 2, 1, 3, 0], (4, 1))
ROLE[2:, 3] = 4
ENDS = ["recovered the teacher"] * 6 + ["swapped"] * 5
ANYWHERE = {"kappa": 0.7, "nu": 0.5, "theta": 0.4, "eta": -0.35, "rho": 0.25}
ON_M = ANYWHERE | {"theta": 0.0, "eta": 0.0, "rho": 0.0}
LENGTHS = {
    "[CLS] probe": (np.full((2, 6), 0.5), "cls"),
    "found": (np.tile(np.linspace(1, 0.9, 6), (2, 1)), "found"),
}
D, TAU, FALLS = np.geomspace(10, 1e4, 31), np.linspace(0.0, 14.0, 29), np.geomspace(0.01, 1.0, 41)
DOTS = [(2.0, 0.3, 0.02), (50.0, 0.06, 0.01)]  # of d / L
BY_LAM = {lam: 0.5 * np.exp(-lam * (14 - (TAU - 7) ** 2 / 4)) for lam in (0.2, 1.0)}
MINIMA = {"minima": [0.26, 0.31]}, {"minima": 1.9}, {"runs": [0.3, 0.4]}
COLUMNS = {
    "own noise": (STEP, RUNS, 0.1, HEADS, -HEADS),
    "shared noise": (STEP, 10 * RUNS, RUNS[:, 0], HEADS, HEADS),
}


def four(ends, risk=None):
    runs = ONE[:, None] * np.linspace(0.5, 1.0, len(ends))
    risk = 1 / runs if risk is None else risk
    return STEP, risk, runs, -runs, np.where(runs > 0.5, 0.0, runs), ends, ONE


GIVEN = {  # the arguments of each function
    "alignments": (STEP[1:], 0.9 * RISES[1:, 2::-1], RISES[1:, 2::-1]),
    "beside_the_paper": (SETS[:3], [0.5, 1.0, 0.76], [0.5, 1.0, 0.95]),
    "by_length": (["test", "unseen words"], np.array([20, 32, 64, 128, 256, 512]), LENGTHS),
    "dividing_lines": (KAPPA, {name: -(KAPPA**i) for i, name in enumerate("abc", 1)}, DIAGONAL),
    "escape": (10.0 ** -np.arange(2, 14), 747.0 * np.arange(2, 14), 750.0 * np.arange(2, 14)),
    "extra_by_samples": (np.array([10, 20, 40]), SIZES[0].T[[0, 1, 0]] ** 2, 20 / STEP[1:4]),
    "five_overlaps": (ANYWHERE, ON_M),
    "four_panels": four(ENDS),
    "head_hits": (np.linspace(0, 1, 72).reshape(6, 12),),
    "head_matrices": (SIZES, SIZES, [True, False]),
    "heads_learn": (COLUMNS,),
    "layer_learns": (STEP, RUNS, 0.05, RISES, -RISES, RISES, (200, 500)),
    "live_beside_stored": (STEP, RUNS[:, :3], RUNS[:, :3] + 1e-6),
    "manifold_risk": (AXIS, *SQUARE),
    "minima_and_runs": MINIMA,
    "moved_minimum": (KAPPA[::5], {"centered": np.array([3.0, 2, 1]), "m": np.array([3.0, 1, 4])}),
    "norm_rate": (RATES, RATES, 0.1, 0.7),
    "norms": (POINTS[:, 0] + 9, POINTS[:, 1] + 9),
    "on_manifold": (ON_M,),
    "one_on_each_line": (np.stack([LOW, -LOW]), [1, -1], DIAGONAL),
    "one_word_flips": ([["[CLS]", "nice"]] * 2, np.array([[0.2, 0.8]] * 2), [1, 1], [6.5, -7.2]),
    "ordered_runs": (LOW, LOW + np.array([0.2, 0.1]), np.array([0, 5, 19])),
    "oracle_and_linear": (D / 10, 2.5 * D**-0.5, 1.9 * D**-0.8, 0.47 + 0 * D, 0.5, DOTS),
    "outcomes": ({"own noise": [0.003, 0.08], "shared noise": [-0.001, 0.002]}, 0.01),
    "pinned": (STEP, ONE, STEP[2:4], ONE[2:4] + 0.01),
    "plateau": (KAPPA, dict.fromkeys(("d = 400", "d = 200"), BAND)),
    "predictors_by_layer": (SETS[1:], CLS + 0.1, LEARNED, CLS, CLS, CLS, (0, 3, 5)),
    "probe_by_layer": (SETS, SHARES, SHARES - 0.1, SHARES + 0.1, SHARES),
    "rates": (
        *(D, 3 * D**-0.5, 3 * D**-0.8, 3 / D, np.exp(-D / 6), np.exp(-D / 4)),
        (np.array([10, 20, 40, 80]), np.array([0.1, 0.01, 1e-4, 2e-9])),
    ),
    "recovery_map": ([50, 100], [0.1, 2], np.array([[0.5, 1.0], [0.6, 0.0]]), np.diag([0, 0.9])),
    "risk_and_flow": (*SQUARE, AT, AT[:, ::-1], LINE, [LINE[3:] * [1, -1]]),
    "risk_by_bias": (TAU, BY_LAM, np.exp((TAU - 8) ** 2 / 2 - 32), (0.07, 0.04)),
    "rounding": (STEP, 1e-16 * (2 + np.sin(STEP)), 1e-7 * (2 + np.sin(STEP))),
    "saturation": ((BEND, np.tanh(BEND)), (BEND[:30], BEND[:30]), *POINTS.T / 9),
    "shrink": (LAM, FLAT),
    "starts_by_end": (SETS[2:], np.ones((4, 3)), np.tile(["found", "shortcut"], 2), CLS[:, 5, 2:]),
    "swap_shares": (["a", "b"], [(0.0, 0.01, 0.02), (0.4, 0.5, 0.55)], [0.02, 0.49]),
    "swaps_by_start": (STEP, np.stack([RATES[[0] * 11], ONE + 1]), np.array([[0.5, 0.4, 0.6]] * 2)),
    "token_plane": (POINTS, POINTS + 9.0, 9.0),
    "two_increments": (
        dict.fromkeys(("own noise", "shared noise"), ((STEP, RUNS), (STEP, 2 * RUNS))),
    ),
    "two_terms": (
        *(FALLS, 0.5 * np.exp(-((FALLS * 20) ** 2)), 10 * FALLS**2),
        *([(0.02, 0.3, 0.02), (0.2, 0.5, 0.02)], [(0.1, 0.12, "explicit"), (0.06, 0.08, "best")]),
    ),
    "word_planes": (SCORE, np.where(ROLE == 3, 5.0, -5.0) * np.ones((3, 1, 1)), ROLE, (0, 3, 5)),
    "zero_matrix": (STEP, (RUNS, RUNS), (-RISES, 0.9 * RISES), 0.7),
}
NO_AXES = {"head_matrices", "starts_by_end"}  # a table, and columns with names


@cache
def made(name):
    return getattr(plot, name)(*GIVEN[name], alt="What it shows")


def axes_of(name):
    return made(name).figure().axes


def test_no_function_is_left_out():
    offered = {name for name, thing in vars(plot).items() if callable(thing)}
    known = {*GIVEN, "Picture", "picture", "one_column"}
    assert offered == known, "GIVEN needs arguments for each function of slrbook.picture"


@pytest.mark.parametrize("name", GIVEN)
def test_every_text_lies_in_the_frame_and_every_axis_is_named(name):
    """The other theme differs in colors only, so its layout is not tested."""
    light, dark = drawn(made(name), "light"), made(name).figure("dark")
    assert any(axes.get_xlabel() for axes in light.axes) == (name not in NO_AXES)
    colors = [
        {to_rgba(text.get_color()) for axes in figure.axes for text in axes.get_xticklabels()}
        for figure in (light, dark)
    ]
    assert colors[0] != colors[1] or not any(colors)


def test_four_panels_hold_bands_for_many_runs_and_lines_for_few():
    axes = axes_of("four_panels")
    names = ["excess risk", r"$|\kappa|$", r"$|\nu|$", "distance"]
    assert all(name in axis.get_ylabel() for name, axis in zip(names, axes, strict=True))
    for axis in axes:
        assert len(axis.collections) == 2  # a band for each kind of end
        assert axis.get_xlim() == (100, 1000)  # step 0 does not exist on a log axis
    assert min(line.get_ydata().min() for line in axes[3].get_lines()) == 1e-8
    assert all(line.get_ydata().min() >= 0 for line in axes[2].get_lines())
    many = plot.four_panels(*four(["swapped"] * 40 + ["tilted"] * 2), alt="Runs").figure().axes[1]
    (band,) = many.collections
    low, high = (f(band.get_paths()[0].vertices[:, 1]) for f in (np.min, np.max))
    runs = ONE[1:, None] * np.linspace(0.5, 1.0, 42)[:40]
    assert low == pytest.approx(np.percentile(runs, 2.5, axis=1).min())
    assert high == pytest.approx(np.percentile(runs, 97.5, axis=1).max())


def test_fractions_carry_their_intervals():
    (axis,) = axes_of("swap_shares")
    (bars,) = axis.collections
    assert sorted(tuple(s[:, 0]) for s in bars.get_segments()) == [(0.0, 0.02), (0.4, 0.55)]
    measured, predicted = (line.get_xdata() for line in axis.get_lines())
    assert list(measured) == [0.01, 0.5] and list(predicted) == [0.02, 0.49]
    line, _, (bars,) = axes_of("swaps_by_start")[1].containers[0]
    np.testing.assert_allclose(line.get_ydata(), [0.5] * 2)
    ends = [segment[:, 1] for segment in bars.get_segments()]
    np.testing.assert_allclose(ends, [[0.4, 0.6]] * 2)


def test_whiskers_are_the_range_of_the_draws():
    shown = (CLS + 0.1, LEARNED.mean(2), CLS, CLS, CLS)
    for i, axis in enumerate(axes_of("predictors_by_layer")):
        for box, draws in zip(axis.containers, shown, strict=True):
            assert box[0].get_ydata() == pytest.approx(draws[..., i].mean(0))
            ends = np.array([segment[:, 1] for segment in box[2][0].get_segments()])
            reach = np.stack([draws[..., i].min(0), draws[..., i].max(0)], axis=1)
            assert ends == pytest.approx(reach)


def test_the_sum_of_the_two_terms_is_drawn():
    dashed, other, total = axes_of("two_terms")[0].lines[:3]
    np.testing.assert_allclose(total.get_ydata(), dashed.get_ydata() + other.get_ydata())


def test_a_cell_shows_its_number():
    axes = axes_of("recovery_map")[0]
    assert [text.get_text() for text in axes.texts] == ["50", "60", "100", "0 ×"]
    assert np.array_equal(axes.get_images()[0].get_array(), GIVEN["recovery_map"][2].T)
    (axes,) = axes_of("head_hits")
    assert axes.texts[15].get_text() == f"{GIVEN['head_hits'][0][1, 3]:.2f}".lstrip("0")
    squares = [patch for patch in axes_of("head_matrices")[0].patches if patch.get_fill()]
    assert [patch.get_facecolor()[3] for patch in squares[:4]] == pytest.approx([0.9, 0.1, 0.2, 1])


def test_a_star_stands_at_the_lowest_point_of_each_line():
    lines = axes_of("moved_minimum")[0].get_lines()
    for line, star in zip(lines[::2], lines[1::2], strict=True):
        low = np.argmin(line.get_ydata())
        place = line.get_xdata()[low], line.get_ydata()[low]
        assert (*star.get_xdata(), *star.get_ydata()) == place


@pytest.mark.parametrize("name", ["manifold_risk", "risk_and_flow"])
def test_the_five_fixed_points_carry_their_markers(name):
    palette = style.colors("light")
    seen = {
        (line.get_marker(), to_rgba(line.get_color()), *map(float, line.get_xydata()[0]))
        for line in axes_of(name)[0].lines
        if line.get_linestyle() == "None" and len(line.get_xydata()) == 1
    }
    places = {"oracle": [(-1, -1), (1, 1)], "maximum": [(-1, 1), (1, -1)], "saddle": [(0, 0)]}
    for kind, at in places.items():
        look = getattr(style.MARKERS, kind), to_rgba(getattr(palette, kind))
        assert {point[2:] for point in seen if point[:2] == look} == set(at)


def test_an_arc_has_the_angle_of_its_overlap_and_letters_have_eleven_pixels_on_a_phone():
    panels = axes_of("five_overlaps")
    for axes, overlap in zip(panels, [*ANYWHERE.values(), *ON_M.values()], strict=True):
        arcs = [patch for patch in axes.patches if isinstance(patch, Arc)]
        assert bool(arcs) == bool(overlap)
        if arcs:
            turn = np.radians(arcs[0].theta2 - arcs[0].theta1)
            assert np.cos(turn) == pytest.approx(overlap)
    texts = [text for axes in panels for text in [*axes.texts, axes.xaxis.label]]
    sizes = [text.get_fontsize() for text in texts if text.get_text()]
    assert min(sizes) * 330 / made("five_overlaps").width >= 11


def test_heads_and_layers_show_averages_and_sizes():
    for axis in axes_of("heads_learn")[2:]:
        own, other = axis.get_lines()
        assert set(np.round([*own.get_ydata(), *other.get_ydata()], 9)) == {0.25}
        assert (own.get_linestyle(), other.get_linestyle()) == ("-", "--")
    risk, right = (axis.get_lines() for axis in axes_of("layer_learns"))
    assert set(risk[1].get_ydata()) == {0.05} and right[0].get_ydata().min() > 0

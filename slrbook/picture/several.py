"""The pictures of two heads and two locations: Figures 9 and 10 of the paper, and the minima."""

import numpy as np
from matplotlib.colors import to_rgb
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.ticker import LogLocator, NullFormatter

from slrbook.picture.picture import picture
from slrbook.picture.style import (
    MARKERS,
    above,
    after_start,
    band,
    beside,
    log_steps,
    rim,
    same_height,
    unit,
)


def _risks(axis, which="y", at=(1,)):
    """Make an axis logarithmic, with plain numbers at the multiples ``at`` of powers of ten."""
    getattr(axis, f"set_{which}scale")("log")
    line = getattr(axis, f"{which}axis")
    line.set_major_locator(LogLocator(subs=at))
    line.set_major_formatter("{x:g}")
    line.set_minor_formatter(NullFormatter())


@picture(640, 720, panels=(3, 2))
def heads_learn(axes, colors, columns):
    """Draw excess risk and alignments of two heads: one column for each noise model.

    ``columns`` maps a name to ``(step, excess_risk, reference, K, V)``; the risk is
    (time, repeats), K and V are (time, repeats, head, location), with the heads in the order of the
    best matching. Solid, filled: a head and its own location; dashed, outlined: the other location.
    ``reference`` is a risk to compare with, (time,) or a number, drawn dotted.
    """
    names = ("excess risk", r"$|k_h\cdot k_i^\star|$", r"$|v_h\cdot v_i^\star|$")
    for column, (noise, (step, risk, reference, K, V)) in enumerate(columns.items()):
        shown, at = after_start(step)
        band(axes[0, column], at, np.asarray(risk)[shown], colors.text)
        dotted = np.broadcast_to(reference, shown.shape)[shown]
        axes[0, column].plot(at, dotted, color=colors.oracle, linestyle="dotted")
        _risks(axes[0, column])
        for row, (matrix, color) in enumerate(((K, colors.k), (V, colors.v)), start=1):
            matrix = np.abs(np.asarray(matrix))[shown]
            for draw, other in ((band, [0, 1]), (rim, [1, 0])):
                draw(axes[row, column], at, matrix[..., [0, 1], other].mean(-1), color)
            unit(axes[row, column])
        for axis in axes[:, column]:
            log_steps(axis, at)
            axis.set_xlabel("step" if axis is axes[2, column] else "")
        above(axes[0, column], noise, weight="bold")
    inks = (colors.text, colors.k, colors.v)
    for axis, name, ink in zip(axes[:, 0], names, inks, strict=True):
        axis.set_ylabel(name, color=ink)
    same_height(axes[0])
    lines = {"a head and its own location": "solid", "a head and the other location": "dashed"}
    marks = [Line2D([], [], color=colors.text, ls=line) for line in lines.values()]
    axes[0, 0].figure.legend(marks, lines, loc="outside lower center", handlelength=2.5)


@picture(420, 780, panels=(3, 1))
def one_column(axes, colors, columns):
    """Draw ``heads_learn`` for one noise model."""
    heads_learn.__wrapped__(axes[:, None], colors, columns)


@picture(640, 350, panels=(1, 2))
def two_increments(axes, colors, risks):
    """Draw the excess risk of runs under two schedules, one panel for each noise model.

    ``risks`` maps the name of a noise model to two pairs (step, risk), drawn solid and dashed;
    risks are (time, repeats).
    """
    for axis, (noise, both) in zip(axes, risks.items(), strict=True):
        for draw, (step, risk) in zip((band, rim), both, strict=True):
            shown, at = after_start(step)
            draw(axis, at, np.asarray(risk)[shown], colors.text)
        log_steps(axis, at)
        _risks(axis)
        above(axis, noise, weight="bold")
    same_height(axes)
    axes[0].set_ylabel("excess risk")


def _blocks(axis, colors, color, matrices, separated, columns):
    """Draw each 2x2 matrix as four squares, darker for larger entries; frame separated ones."""
    for i, (matrix, good) in enumerate(zip(np.abs(matrices), separated, strict=True)):
        x, y = 2.6 * (i % columns), -2.6 * (i // columns)
        for (head, place), size in np.ndenumerate(matrix):
            ink = (*to_rgb(color), float(np.clip(size, 0, 1)))
            axis.add_patch(Rectangle((x + place, y - head), 1, 1, facecolor=ink, linewidth=0))
        edge, width = (colors.text, 2.5) if good else (colors.other, 0.8)
        axis.add_patch(Rectangle((x, y - 1), 2, 2, fill=False, edgecolor=edge, linewidth=width))
    low = -2.6 * ((len(matrices) - 1) // columns) - 1.3
    axis.set(xlim=(-4.6, 2.6 * columns - 0.3), ylim=(low, 3.6), aspect="equal")
    axis.set_axis_off()


def _key(axis, name, ink, colors, columns):
    """Label the rows and columns of the first matrix, and show the shades of 0, 1/2 and 1."""
    for head in (0, 1):
        axis.text(-0.3, 0.5 - head, f"head {head + 1}", ha="right", va="center")
        axis.text(head + 0.5, 1.2, f"{head + 1}", ha="center", va="bottom")
    axis.text(-0.3, 1.2, "location", ha="right", va="bottom")
    right = 2.6 * columns - 0.6
    axis.text(right - 9.2, 2.6, name, color=ink, ha="right", va="center")
    for i, alignment in enumerate((0, 0.5, 1)):
        at = right - 7.8 + 2.9 * i
        filled = {"markerfacecolor": (*to_rgb(ink), alignment), "markeredgecolor": colors.other}
        axis.plot(at, 2.6, "s", markersize=15, **filled)
        axis.text(at + 0.6, 2.6, f"{alignment:g}", va="center")


@picture(640, 500, panels=(2, 1))
def head_matrices(axes, colors, K, V, separated, columns=12):
    """Draw |k_h.k_i*| of each seed, and below |v_h.v_i*|: a solid square is alignment one.

    Rows of a matrix are heads, columns are locations; ``separated`` says which seeds to frame.
    """
    for axis, matrices, letter in zip(axes, (K, V), "kv", strict=True):
        ink = getattr(colors, letter)
        _blocks(axis, colors, ink, np.asarray(matrices), separated, columns)
        _key(axis, rf"$|{letter}_h\cdot {letter}_i^\star|$", ink, colors, columns)


@picture(600, 250)
def outcomes(axes, colors, above_floor, threshold):
    """Draw risk minus floor of every seed, a row for each noise model, the threshold dotted.

    ``above_floor`` maps the name of a noise model to (seeds,) numbers; those below the threshold
    are rings. Values below 1e-3 are drawn at 1e-3.
    """
    for row, values in enumerate(above_floor.values()):
        values = np.maximum(np.sort(np.asarray(values)), 1e-3)
        height = -row + 0.5 * ((np.arange(len(values)) * 0.618) % 1 - 0.5)
        good = values < threshold
        axes.plot(values[good], height[good], "o", markerfacecolor="none", color=colors.text)
        axes.plot(values[~good], height[~good], "o", markersize=5, color=colors.other)
    axes.axvline(threshold, color=colors.text, linestyle="dotted")
    _risks(axes, "x")
    axes.set_yticks([-row for row in range(len(above_floor))], list(above_floor))
    axes.set(ylim=(-len(above_floor) + 0.5, 0.5), xlabel="excess risk minus floor, each seed")


@picture(600, 290)
def minima_and_runs(axes, colors, minima, oracle, runs):
    """Draw excess risks of local minima and of runs, one row each; stars mark the oracle pairs.

    ``minima`` maps a name to the risks of the minima in that row, ``oracle`` the same name to the
    risk of the oracle pairs, ``runs`` a name to the last risks of the runs.
    """
    names = [*minima, *runs]
    for row, name in enumerate(names):
        if name in minima:
            risks = np.asarray(minima[name])
            axes.plot(risks, np.full(risks.shape, -row), "^", color=colors.text)
            axes.plot(oracle[name], -row, MARKERS.oracle, color=colors.oracle, markersize=13)
        else:
            values = np.sort(np.asarray(runs[name]))
            height = -row + 0.4 * ((np.arange(len(values)) * 0.618) % 1 - 0.5)
            axes.plot(values, height, "o", markersize=5, markerfacecolor="none", color=colors.text)
    _risks(axes, "x", at=(1, 2, 5))
    axes.set_yticks([-row for row in range(len(names))], names)
    axes.set(ylim=(-len(names) + 0.5, 0.5), xlabel="excess risk")
    place = oracle[names[0]], -0.32, "oracle pairs", colors.text
    beside(axes, colors, *place, (0, 0), "center", "top")

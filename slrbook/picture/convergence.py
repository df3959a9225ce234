"""The pictures of descent: the five overlaps, the manifold, long runs and random starts."""

from collections import Counter

import numpy as np
from matplotlib.patches import Arc
from matplotlib.ticker import LogLocator

from slrbook.picture.picture import picture
from slrbook.picture.style import LINES, MARKERS, after_start, band, beside, legend_below, unit

_PAIRS = {  # for each overlap: the colors and labels of two arrows
    "kappa": (("oracle", r"k^\star"), ("k", "k")),
    "nu": (("oracle", r"v^\star"), ("v", "v")),
    "theta": (("oracle", r"k^\star"), ("v", "v")),
    "eta": (("oracle", r"v^\star"), ("k", "k")),
    "rho": (("v", "v"), ("k", "k")),
}


def _dial(axis, colors, name, overlap):
    """Draw two arrows at the angle whose cosine is ``overlap``; mark a right angle by a corner."""
    tilt, turn = np.pi / 12, float(np.arccos(overlap))
    for (color, letter), angle in zip(_PAIRS[name], (tilt, tilt + turn), strict=True):
        tip, ink = np.array([np.cos(angle), np.sin(angle)]), getattr(colors, color)
        arrow = {"arrowstyle": "-|>", "color": ink, "linewidth": 2.2, "shrinkA": 0, "shrinkB": 0}
        axis.annotate("", tip, (0, 0), arrowprops=arrow)
        axis.text(*(1.35 * tip), f"${letter}$", color=ink, ha="center", va="center")
    if abs(overlap) < 1e-12:
        one, two = (0.24 * np.array([np.cos(a), np.sin(a)]) for a in (tilt, tilt + turn))
        axis.plot(*np.array([one, one + two, two]).T, color=colors.text, linewidth=1.5)
    else:
        ends = np.degrees([tilt, tilt + turn])
        axis.add_patch(Arc((0, 0), 0.8, 0.8, theta1=ends[0], theta2=ends[1], color=colors.text))
    first, second = (letter for _, letter in _PAIRS[name][::-1])
    axis.set_xlabel(rf"$\{name}={first}\cdot {second}$", color=colors.text)
    axis.set(aspect="equal", xticks=[], yticks=[], xlim=(-0.8, 1.45), ylim=(-0.12, 1.48))
    axis.spines[:].set_visible(False)


def _dials(axes, colors, overlaps):
    for axis, (name, overlap) in zip(axes, overlaps.items(), strict=True):
        _dial(axis, colors, name, overlap)


@picture(600, 135, panels=(1, 5))
def on_manifold(axes, colors, overlaps):
    """Draw the overlaps ``{"kappa": ..., ...}`` of a pair on M, each as the angle of two arrows."""
    _dials(axes, colors, overlaps)


@picture(600, 260, panels=(2, 5))
def five_overlaps(axes, colors, anywhere, on_manifold):
    """Draw the five overlaps as angles: of any pair above, of a pair on M below."""
    rows = {"any pair": anywhere, "on M": on_manifold}
    for row, (name, overlaps) in zip(axes, rows.items(), strict=True):
        _dials(row, colors, overlaps)
        row[0].set_ylabel(name)


CORNERS = {"oracle": [(1, 1), (-1, -1)], "maximum": [(1, -1), (-1, 1)], "saddle": [(0, 0)]}


def square(axes, colors):
    """Draw the square of (kappa, nu) with its five fixed points."""
    edge = {"markeredgecolor": colors.ground, "linestyle": "none", "zorder": 5}
    for name, places in CORNERS.items():
        drawn = {"marker": getattr(MARKERS, name), "markersize": 17 if name == "oracle" else 12}
        for place in places:  # one by one: a line through two would be cut at the frame
            axes.plot(*place, color=getattr(colors, name), **drawn, **edge)
    axes.set(xlim=(-1.1, 1.1), ylim=(-1.1, 1.1))  # room for the marks in the corners
    axes.set(aspect="equal", xticks=[-1, 0, 1], yticks=[-1, 0, 1])
    axes.set_xlabel(r"$\kappa$, alignment with $k^\star$", color=colors.k)
    axes.set_ylabel(r"$\nu$, alignment with $v^\star$", color=colors.v)


def _bar(axes, drawn, words):
    bar = axes.figure.colorbar(drawn, ax=axes, shrink=0.85, pad=0.04)
    bar.set_label(words)
    bar.outline.set_visible(False)


@picture(520, 450)
def manifold_risk(axes, colors, kappa, nu, risk, levels):
    """Draw the excess risk on the square as a heat map; ``risk`` is (len(nu), len(kappa))."""
    drawn = axes.contourf(kappa, nu, risk, levels=40, cmap="viridis")
    axes.contour(kappa, nu, risk, levels=levels, colors="white", linewidths=0.8, alpha=0.8)
    _bar(axes, drawn, "excess risk")
    square(axes, colors)


@picture(520, 450)
def risk_and_flow(axes, colors, axis, risk, levels, start, step, line, paths):
    """Draw lines of equal excess risk on the square, and descent on it.

    ``risk`` (nu, kappa) uses ``axis`` for both overlaps; the arrows ``step`` are at ``start``, both
    (n, 2); the dividing ``line`` is (m, 2), and ``paths`` are runs of descent.
    """
    drawn = axes.contour(axis, axis, risk, levels=levels, colors=[colors.text], alpha=0.6)
    axes.clabel(drawn, fmt="%.2g")
    (x, y), (dx, dy) = np.transpose(start), np.transpose(step)
    length = np.hypot(dx, dy)
    arrows = {"angles": "xy", "scale": 22.0, "width": 0.004, "color": colors.other, "alpha": 0.9}
    axes.quiver(x, y, dx / length, dy / length, pivot="mid", **arrows)
    for side in (1, -1):
        axes.plot(*(side * np.transpose(line)), color=colors.saddle, linewidth=3.5)
    for path in paths:
        axes.plot(*np.transpose(path), color=colors.text, linewidth=1.8)
        axes.plot(*path[0], "o", color=colors.text, markersize=5)
    square(axes, colors)


@picture(600, 330)
def rounding(axes, colors, steps, double, single):
    """Draw the distance from M along a run, in float64 and in float32."""
    for values, name, line in ((single, "float32", "solid"), (double, "float64", "dashed")):
        axes.plot(steps, values, color=colors.text, linestyle=line)
        at = steps[-1], 1.8 * np.max(values)
        beside(axes, colors, *at, name, colors.text, (0, 0), "right")
    axes.set(yscale="log", ylim=(np.min(double[1:]) / 3, 20 * np.max(single)), xlim=(0, steps[-1]))
    axes.locator_params(axis="x", nbins=4)
    axes.set(xlabel="step of gradient descent", ylabel="distance from M")


@picture(600, 340)
def escape(axes, colors, gap, steps, line):
    """Draw the number of steps near the saddle against the distance of the start from the line."""
    axes.plot(gap, line, color=colors.saddle, linewidth=2)
    axes.plot(gap, steps, "o", color=colors.text)
    at = 1.5 * gap[len(gap) // 2], 1.03 * line[len(gap) // 2]
    beside(axes, colors, *at, "predicted slope", colors.text, (0, 0))
    axes.set(xlabel="distance of the start from the dividing line", ylabel="steps near the saddle")
    axes.set(xscale="log", ylim=(0, None))


_BY_END = {"recovered the teacher": "oracle", "swapped": "swapped", "tilted": "tilted"}


@picture(640, 600, panels=(2, 2))
def four_panels(axes, colors, step, excess_risk, kappa, nu, distance, ends, oracle):
    """Draw excess risk, |kappa|, |nu| and distance to M against steps; arrays are (time, runs).

    ``ends`` names the end of each run; runs with the same end share a band. ``oracle`` is the
    excess risk of the oracle pair at the same steps. Distances below 1e-8 are drawn at 1e-8;
    if no run leaves M, the last panel shows the distances of |kappa| and |nu| from 1 instead.
    """
    ends = np.asarray(ends)
    (shown, step), floor = after_start(step), 1e-8
    on_manifold = np.max(distance) < floor
    panels = {
        "excess risk": (np.asarray(excess_risk), "text"),
        r"$|\kappa|$": (np.abs(kappa), "k"),
        r"$|\nu|$": (np.abs(nu), "v"),
    }
    if not on_manifold:
        panels[r"distance to $\mathcal{M}$"] = np.maximum(distance, floor), "text"
    ordered = [str(end) for end, _ in Counter(np.sort(ends)).most_common()]
    groups = {end: _BY_END.get(end, "other") for end in ordered}
    for axis, (name, (values, own)) in zip(axes.flat, panels.items(), strict=False):
        for group, kind in groups.items():
            color = getattr(colors, own if kind in ("oracle", "other") else kind)
            band(axis, step, values[shown][:, ends == group], color, getattr(LINES, kind))
        axis.set(xscale="log", xlim=(step[0], step[-1]))
        axis.set_ylabel(name, color=getattr(colors, own))
    if on_manifold:
        for values, ink, word, line in (
            (kappa, colors.k, r"$1-|\kappa|$", "dashed"),
            (nu, colors.v, r"$1-|\nu|$", "solid"),
        ):
            band(axes[1, 1], step, np.maximum(1 - np.abs(values), floor)[shown], ink, line)
            axes[1, 1].plot([], [], color=ink, linestyle=line, label=word)
        axes[1, 1].set(xscale="log", xlim=(step[0], step[-1]), ylabel="distance from 1")
        axes[1, 1].legend(loc="lower left")
    elif len(groups) > 1:
        for group, kind in groups.items():
            look = {"linestyle": getattr(LINES, kind), "label": group}
            axes[0, 0].plot([], [], color=colors.text, **look)
        legend_below(axes[0, 0], len(groups))
    risks = panels["excess risk"][0][shown]
    if risks.max() > 10 * risks.min():
        few = risks.max() < 100 * risks.min()  # perhaps only one power of ten is in the range
        axes[0, 0].set_yscale("log", subs=[])
        axes[0, 0].yaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if few else (1,)))
        axes[0, 0].yaxis.set_major_formatter("{x:g}")
    axes[1, 1].set(yscale="log", ylim=(floor * 0.6, 2))
    for axis in (axes[0, 1], axes[1, 0]):
        unit(axis)
    dotted = {"color": colors.oracle, "linestyle": "dotted", "zorder": 0.5}
    axes[0, 0].plot(step, np.asarray(oracle)[shown], **dotted)
    for axis in axes[1]:
        axis.set_xlabel("step")


@picture(600, 330)
def swap_shares(axes, colors, names, shares, predicted):
    """Draw fractions of swapped runs with intervals, (rows, 3), and a prediction for each row."""
    low, middle, high = np.asarray(shares, float).T
    rows = np.arange(len(names))[::-1]
    axes.hlines(rows, low, high, color=colors.swapped, linewidth=3)
    axes.plot(middle, rows, MARKERS.swapped, color=colors.swapped)
    axes.plot(predicted, rows, "x", color=colors.text, markeredgewidth=2)
    axes.set(xlim=(-0.02, 0.6), ylim=(-0.6, len(names) - 0.4))
    axes.set_yticks(rows, names)
    axes.set_xlabel("fraction of starts that swap")


@picture(560, 400)
def recovery_map(axes, colors, d, lam0, found, undecided):
    """Draw the percentage of runs in the basin of the pair (early verdict), over d and initial lam.

    A cross marks a cell where more than half of the runs are undecided.
    """
    found = np.asarray(found, float).T
    drawn = axes.imshow(found, vmin=0, vmax=1, cmap="viridis", aspect="auto", origin="lower")
    for (row, column), x in np.ndenumerate(found):
        word = f"{100 * x:.0f}" + " ×" * bool(np.asarray(undecided)[column, row] > 0.5)
        ink = "white" if x < 0.6 else "black"
        axes.text(column, row, word, ha="center", va="center", color=ink)
    axes.set_xticks(range(len(d)), [f"{x:,.0f}" for x in d])
    axes.set_yticks(range(len(lam0)), [f"{x:g}" for x in lam0])
    axes.set_xlabel("dimension $d$")
    axes.set_ylabel(r"initial inverse temperature $\lambda_0$")
    _bar(axes, drawn, "fraction in the basin (early verdict)")


@picture(600, 340)
def pinned(axes, colors, step, kappa, step_solved, kappa_solved):
    """Draw kappa of a run against the steps, and the value predicted by the edge of stability."""
    axes.plot(step, kappa, color=colors.k)
    axes.plot(step_solved, kappa_solved, "o", markerfacecolor="none", color=colors.text)
    axes.set_xlabel("step")
    axes.set_ylabel(r"$|\kappa|$", color=colors.k)
    at, words = (step_solved[0], 0.95 * np.max(kappa)), "rings: edge of stability"
    beside(axes, colors, *at, words, colors.text, (0, 0), va="top")


@picture(640, 300, panels=(1, 2))
def swaps_by_start(axes, colors, step, lam, fractions):
    """Draw the schedules ``lam`` (schedule, step) and the fraction of swapped runs under each.

    ``fractions`` (schedule, 3) holds the fraction and the ends of its interval.
    """
    left, right = axes
    for row in lam:
        left.plot(step, row, color=colors.text)
        at = step[-1], row[-1]
        beside(left, colors, *at, f"{row[0]:g}", colors.text, (0, 2), "right")
    left.set(yscale="log", xlabel="step", ylabel=r"$\lambda$")
    left.set_yticks([0.1, 1], ["0.1", "1"])
    left.set_xticks([0, 20_000, 40_000], ["0", "20,000", "40,000"])
    spread = [fractions[:, 0] - fractions[:, 1], fractions[:, 2] - fractions[:, 0]]
    right.errorbar(lam[:, 0], fractions[:, 0], spread, color=colors.swapped, marker="D", capsize=3)
    right.set(xscale="log", ylim=(0, 0.56), xlabel=r"$\lambda$ at the start")
    right.set_ylabel("fraction swapped", color=colors.swapped)
    right.set_xticks(lam[:, 0], [f"{x:g}" for x in lam[:, 0]])
    right.set_xticks([], minor=True)

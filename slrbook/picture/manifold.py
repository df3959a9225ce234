"""The pictures of the chapter on M: its risk, the flow on it, and what numbers cost."""

import numpy as np

from slrbook.picture.picture import picture
from slrbook.picture.style import MARKERS, halo

CORNERS = {"oracle": [(1, 1), (-1, -1)], "maximum": [(1, -1), (-1, 1)], "saddle": [(0, 0)]}


def square(axes, colours):
    """The square of (kappa, nu), its five fixed points and their names."""
    edge = {"markeredgecolor": colours.ground, "linestyle": "none", "zorder": 5}
    for name, places in CORNERS.items():
        drawn = {"marker": getattr(MARKERS, name), "markersize": 17 if name == "oracle" else 12}
        for place in places:  # one by one: a line of two is cut at the frame and marked there
            axes.plot(*place, color=getattr(colours, name), **drawn, **edge)
    axes.set_xlim(-1.1, 1.1)  # room for the marks in the corners
    axes.set_ylim(-1.1, 1.1)
    axes.set_aspect("equal")
    axes.set_xticks([-1, 0, 1])
    axes.set_yticks([-1, 0, 1])
    axes.set_xlabel(r"$\kappa$, alignment with $k^\star$", color=colours.k)
    axes.set_ylabel(r"$\nu$, alignment with $v^\star$", color=colours.v)


@picture(520, 450)
def manifold_risk(axes, colours, kappa, nu, risk, levels):
    """The excess risk on the square as a heat map; ``risk`` is (len(nu), len(kappa))."""
    drawn = axes.contourf(kappa, nu, risk, levels=40, cmap="viridis")
    axes.contour(kappa, nu, risk, levels=levels, colors="white", linewidths=0.8, alpha=0.8)
    bar = axes.figure.colorbar(drawn, ax=axes, shrink=0.85, pad=0.04)
    bar.set_label("excess risk")
    bar.outline.set_visible(False)
    square(axes, colours)


@picture(480, 460)
def manifold_flow(axes, colours, start, step, line, paths):
    """Arrows of descent at ``start`` (n, 2), the dividing ``line`` (m, 2) and ``paths`` of it."""
    (x, y), (dx, dy) = np.transpose(start), np.transpose(step)
    length = np.hypot(dx, dy)
    arrows = {"angles": "xy", "scale": 17.0, "width": 0.005, "color": colours.other, "alpha": 0.9}
    axes.quiver(x, y, dx / length, dy / length, pivot="mid", **arrows)
    for side in (1, -1):
        axes.plot(*(side * np.transpose(line)), color=colours.saddle, linewidth=3.5)
    for path in paths:
        axes.plot(*np.transpose(path), color=colours.text, linewidth=1.8)
        axes.plot(*path[0], "o", color=colours.text, markersize=5)
    square(axes, colours)


@picture(600, 330)
def rounding(axes, colours, steps, double, single):
    """Distance to M along a run, in float64 and in float32."""
    for values, name, line in ((single, "float32", "solid"), (double, "float64", "dashed")):
        axes.plot(steps, values, color=colours.text, linestyle=line)
        label = {"path_effects": halo(colours), "ha": "right", "va": "bottom"}
        axes.text(steps[-1], 1.8 * np.max(values), name, **label)
    axes.set_yscale("log")
    axes.set_ylim(np.min(double[1:]) / 3, 20 * np.max(single))
    axes.set_xlim(0, steps[-1])
    axes.locator_params(axis="x", nbins=4)
    axes.set_xlabel("step of gradient descent")
    axes.set_ylabel("distance to M")


@picture(600, 340)
def escape(axes, colours, gap, steps, line):
    """Steps until a run has left the saddle, against the gap between its start and the line."""
    axes.plot(gap, line, color=colours.saddle, linewidth=2)
    axes.plot(gap, steps, "o", color=colours.text)
    middle = len(gap) // 2
    label = {"path_effects": halo(colours), "ha": "left", "va": "bottom"}
    axes.text(1.5 * gap[middle], 1.03 * line[middle], "rate of the saddle", **label)
    axes.set_xscale("log")
    axes.set_xlabel("distance of the start from the dividing line")
    axes.set_ylabel("steps until it is left")
    axes.set_ylim(0, None)

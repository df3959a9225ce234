"""What several pictures share: a band of runs, two kinds of axis, a legend below the panels."""

import numpy as np
from matplotlib.ticker import NullFormatter


def band(axis, step, runs, colour, line):
    """Median and the band that holds 95% of the runs; up to three runs are drawn one by one."""
    if runs.shape[1] <= 3:
        axis.plot(step, runs, color=colour, linestyle=line)
        return
    low, middle, high = np.percentile(runs, [2.5, 50, 97.5], axis=1)
    axis.fill_between(step, low, high, color=colour, alpha=0.22, linewidth=0)
    axis.plot(step, middle, color=colour, linestyle=line)


def rim(axis, step, runs, colour):
    """A second band over a first one: its median and its rim, both dashed, and nothing filled."""
    low, middle, high = np.percentile(runs, [2.5, 50, 97.5], axis=1)
    look = {"facecolor": "none", "edgecolor": colour, "linestyle": (0, (4, 3)), "linewidth": 0.9}
    axis.fill_between(step, low, high, **look)
    axis.plot(step, middle, color=colour, linestyle="dashed")


def log_steps(axis, step):
    """A logarithmic axis of steps, from the first one after step 0, which has no place on it."""
    axis.set_xscale("log")
    axis.xaxis.set_minor_formatter(NullFormatter())
    axis.set_xlim(step[0], step[-1])
    axis.set_xlabel("step")


def shares(axis, colours):
    """An axis for shares of right answers, with the line of chance."""
    axis.set_ylim(0.22, 1.04)
    axis.set_yticks([0.25, 0.5, 0.75, 1])
    axis.axhline(0.5, color=colours.other, linewidth=1, zorder=0)


def legend_below(axis, columns):
    """One legend below all panels, from what ``axis`` shows, its marks in full colour."""
    handles, names = axis.get_legend_handles_labels()
    words = {"loc": "outside lower center", "handlelength": 1.8, "columnspacing": 1.0}
    legend = axis.figure.legend(handles, names, ncols=columns, **words)
    for handle in legend.legend_handles:
        handle.set_alpha(1)

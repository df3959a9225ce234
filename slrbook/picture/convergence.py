"""The pictures of the chapter on convergence: four panels a run, as in the paper, and two more."""

import numpy as np
from matplotlib.ticker import NullFormatter

from slrbook.picture.marks import band, legend_below
from slrbook.picture.picture import picture
from slrbook.picture.style import LINES, MARKERS, halo

_BY_END = {"recovered the teacher": "oracle", "swapped": "swapped", "tilted": "tilted"}


def _groups(ends):
    """The kinds of end that occur, the most frequent first."""
    kinds, counts = np.unique(ends, return_counts=True)
    return [str(kind) for kind in kinds[np.argsort(-counts, kind="stable")]]


@picture(640, 600, panels=(2, 2))
def four_panels(axes, colours, step, excess_risk, kappa, nu, distance, ends, oracle, floor=1e-8):
    """Excess risk, |kappa|, |nu| and distance to M against the steps; arrays are (time, runs).

    ``ends`` names the end of each run; runs with the same end share a band. ``oracle`` is the
    excess risk of the oracle pair at the same steps. Distances below ``floor`` are drawn on it;
    where no run leaves M, the last panel shows how far |kappa| and |nu| are from 1 instead.
    """
    ends, step = np.asarray(ends), np.asarray(step, float)
    shown = step > 0
    step = step[shown]
    on_manifold = np.max(distance) < floor
    short = [np.maximum(1 - np.abs(x), floor) for x in (kappa, nu)]
    panels = {
        "excess risk": (np.asarray(excess_risk), "text"),
        r"$|\kappa|$, where to look": (np.abs(kappa), "k"),
        r"$|\nu|$, what to read": (np.abs(nu), "v"),
    }
    if not on_manifold:
        panels[r"distance to $\mathcal{M}$"] = np.maximum(distance, floor), "text"
    groups = _groups(ends)
    for axis, (name, (values, own)) in zip(axes.flat, panels.items(), strict=False):
        for group in groups:
            kind = _BY_END.get(group, "other")
            plain = group == "recovered the teacher" or kind == "other"
            colour = getattr(colours, own if plain else kind)
            line = "solid" if plain else getattr(LINES, kind)
            band(axis, step, values[shown][:, ends == group], colour, line)
        axis.set_xscale("log")
        axis.set_xlim(step[0], step[-1])
        axis.set_ylabel(name, color=getattr(colours, own))
    if on_manifold:
        for values, own, word in zip(
            short, ("k", "v"), (r"$1-|\kappa|$", r"$1-|\nu|$"), strict=True
        ):
            band(axes[1, 1], step, values[shown], getattr(colours, own), "solid")
            axes[1, 1].plot([], [], color=getattr(colours, own), label=word)
        axes[1, 1].set_xscale("log")
        axes[1, 1].set_xlim(step[0], step[-1])
        axes[1, 1].set_ylabel("what is missing")
        axes[1, 1].legend(loc="lower left")
    elif len(groups) > 1:
        for group in groups:
            line = getattr(LINES, _BY_END.get(group, "other"))
            axes[0, 0].plot([], [], color=colours.text, linestyle=line, label=group)
        legend_below(axes[0, 0], len(groups))
    risks = panels["excess risk"][0][shown]
    if risks.max() > 10 * risks.min():
        axes[0, 0].set_yscale("log")
        axes[0, 0].yaxis.set_major_formatter("{x:g}")
        axes[0, 0].yaxis.set_minor_formatter(NullFormatter())
    axes[1, 1].set_yscale("log")
    axes[1, 1].set_ylim(floor * 0.6, 2)
    for axis in (axes[0, 1], axes[1, 0]):
        axis.set_ylim(-0.03, 1.05)
        axis.set_yticks([0, 0.5, 1])
    axes[0, 0].plot(
        step, np.asarray(oracle)[shown], color=colours.oracle, linestyle="dotted", zorder=0.5
    )
    for axis in axes[1]:
        axis.set_xlabel("step")


@picture(600, 330)
def swap_shares(axes, colours, names, shares, predicted):
    """Shares of swapped runs with their intervals, (rows, 3), one row each, and a prediction."""
    low, middle, high = np.asarray(shares, float).T
    rows = np.arange(len(names))[::-1]
    axes.hlines(rows, low, high, color=colours.swapped, linewidth=3)
    axes.plot(middle, rows, MARKERS.swapped, color=colours.swapped)
    axes.plot(predicted, rows, "x", color=colours.text, markeredgewidth=2)
    axes.set_xlim(-0.02, 0.6)
    axes.set_ylim(-0.6, len(names) - 0.4)
    axes.set_yticks(rows, names)
    axes.set_xlabel("share of starts that swap")


@picture(560, 400)
def recovery_map(axes, colours, d, lam0, found, undecided, early=False):
    """The fraction of runs that recovered the teacher, in percent, over d and the first lam.

    If ``early``, it is the fraction that the early verdict puts in the basin of the pair.

    A cross stands where more than half of the runs are undecided.
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
    axes.set_ylabel(r"first inverse temperature $\lambda_0$")
    bar = axes.figure.colorbar(drawn, ax=axes, shrink=0.85, pad=0.04)
    kind = "in the basin of the pair (early verdict)" if early else "that recovered the teacher"
    bar.set_label(f"fraction {kind}")
    bar.outline.set_visible(False)


@picture(600, 340)
def pinned(axes, colours, step, kappa, step_solved, kappa_solved):
    """kappa of a run against the steps, and where the edge of stability puts it."""
    axes.plot(step, kappa, color=colours.k)
    axes.plot(step_solved, kappa_solved, "o", markerfacecolor="none", color=colours.text)
    axes.set_xlabel("step")
    axes.set_ylabel(r"$|\kappa|$, where to look", color=colours.k)
    label = {"path_effects": halo(colours), "va": "top"}
    axes.text(step_solved[0], 0.95 * np.max(kappa), "rings: the edge of stability", **label)

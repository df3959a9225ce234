"""The pictures of the chapter on optimality: exact risks against lam, d, n and gamma."""

import numpy as np

from slrbook.picture.picture import picture
from slrbook.picture.style import halo

_RISK = "excess risk"


def _named(axes, colours, x, y, words, colour, shift=(0, 6), ha="left", va="bottom"):
    """A direct label beside the point (x, y), shifted by pixels."""
    style = {"color": colour, "ha": ha, "va": va, "path_effects": halo(colours)}
    axes.annotate(words, (x, y), shift, textcoords="offset points", annotation_clip=False, **style)


@picture(600, 370)
def two_terms(axes, colours, lam, missed, noise, simulated, marks):
    """The oracle risk and its two terms. ``simulated``: rows (lam, mean, error); ``marks``: points
    (lam, risk, words) on the curve.
    """
    total = np.asarray(missed) + np.asarray(noise)
    axes.plot(lam, missed, color=colours.text, linestyle="dashed", linewidth=1.5)
    axes.plot(lam, noise, color=colours.other, linestyle="dashed", linewidth=1.5)
    axes.plot(lam, total, color=colours.oracle)
    at, mean, error = np.asarray(simulated).T
    axes.errorbar(at, mean, 2 * error, fmt="o", color=colours.oracle, markersize=5, capsize=3)
    for x, y, words in marks:
        axes.plot(x, y, "*", color=colours.oracle, markersize=14)
        _named(axes, colours, x, y, words, colours.text, (0, -10), "center", "top")
    low = 0.03 * total.min()
    axes.set(xscale="log", yscale="log", xlim=(lam[0], lam[-1]), ylim=(low, 4 * total.max()))
    early, gone = int(0.3 * len(lam)), int(np.argmax(np.asarray(missed) < 3 * low))
    words = ("the other tokens", colours.other, (-4, 4), "right")
    _named(axes, colours, lam[early], noise[early], *words)
    _named(axes, colours, lam[gone], missed[gone], "not read in full", colours.text, (8, 0))
    axes.set_xlabel(r"$\lambda$, inverse temperature")
    axes.set_ylabel(_RISK)


@picture(600, 350)
def oracle_and_linear(axes, colours, ratio, oracle, best, linear, null, simulated):
    """Figure 3: excess risks against d/L. ``simulated`` holds rows (d/L, mean, error)."""
    axes.axhline(null, color=colours.other, linestyle="dotted", linewidth=1.5)
    axes.plot(ratio, linear, color=colours.other)
    axes.plot(ratio, oracle, color=colours.oracle)
    axes.plot(ratio, best, color=colours.oracle, linestyle="dashed")
    at, mean, error = np.asarray(simulated).T
    axes.errorbar(at, mean, 2 * error, fmt="o", color=colours.oracle, markersize=5, capsize=3)
    top = max(1.25 * null, 1.05 * np.max(oracle))
    axes.set(xscale="log", xlim=(ratio[0], ratio[-1]), ylim=(0, top))
    end, middle = len(ratio) - 1, len(ratio) // 2
    _named(axes, colours, ratio[end], null, "null", colours.other, (0, 4), "right")
    _named(
        axes,
        colours,
        ratio[end],
        linear[end],
        "best linear",
        colours.other,
        (0, -5),
        "right",
        "top",
    )
    words = r"oracle, $\lambda=(dL)^{-1/4}$"
    _named(axes, colours, ratio[middle], oracle[middle], words, colours.oracle, (8, 4))
    place = (ratio[end // 4], best[end // 4], r"best $\lambda$", colours.oracle)
    _named(axes, colours, *place, (-8, -6), "right", "top")
    axes.set_xlabel(r"$d/L$")
    axes.set_ylabel(_RISK)


@picture(600, 350, panels=(1, 2))
def fitted(axes, colours, n, moving, fixed, floors):
    """Risks of fitted linear models against n; two dicts {name: risks}, one a panel, and floors."""
    styles = ((colours.other, "solid", "o"), (colours.k, "dashed", "s"), (colours.v, "solid", "D"))
    for ax, curves, floor in zip(axes, (moving, fixed), floors, strict=True):
        for level in floor:
            ax.axhline(level, color=colours.text, linestyle="dotted", linewidth=1.5)
        for (name, risks), (colour, line, mark) in zip(curves.items(), styles, strict=True):
            ax.plot(n, risks, color=colour, linestyle=line, marker=mark, markersize=5, label=name)
        ax.set(xscale="log", yscale="log")
        ax.set_xlabel("$n$, sequences")
        low, high = min(map(np.min, curves.values())), max(map(np.max, curves.values()))
        ax.set_ylim(low / 1.6, 3 * high)
    axes[0].set_ylabel(_RISK)
    axes[0].set_yticks([0.5, 1, 2], labels=["0.5", "1", "2"])
    axes[0].set_yticks([], minor=True)
    axes[0].text(0.02, 1.0, "place varies", transform=axes[0].transAxes, va="bottom")
    axes[1].text(0.02, 1.0, "place fixed", transform=axes[1].transAxes, va="bottom")
    axes[0].legend(loc="upper right", handlelength=1.6, borderaxespad=0.1)


@picture(600, 400)
def rates(axes, colours, d, explicit, best, linear_attention, argmax, bayes):
    """Excess risks against d, log and log; ``bayes`` is a pair (d, risks)."""
    axes.plot(d, explicit, color=colours.oracle, linestyle="dashed")
    axes.plot(d, best, color=colours.oracle)
    axes.plot(d, linear_attention, color=colours.swapped, linestyle="dashdot")
    axes.plot(d, argmax, color=colours.k)
    axes.plot(*bayes, color=colours.text, linestyle="dotted", marker="o", markersize=4)
    low = 1e-9
    axes.set(xscale="log", yscale="log", xlim=(d[0], d[-1]), ylim=(low, 2))
    end = len(d) - 1
    near = {"ha": "right", "va": "bottom"}
    words = r"erf, $(dL)^{-1/4}$"
    _named(axes, colours, d[end], explicit[end], words, colours.oracle, (0, 8), **near)
    words = r"erf, best $\lambda$"
    _named(axes, colours, d[end], best[end], words, colours.oracle, (0, 10), **near)
    place = int(0.98 * end)
    _named(
        axes,
        colours,
        d[place],
        linear_attention[place],
        "linear attention",
        colours.swapped,
        (0, -8),
        "right",
        "top",
    )
    i = int(np.argmax(np.asarray(argmax) < 3e-7))
    _named(axes, colours, d[i], 3e-7, "argmax", colours.k, (10, 0), va="center")
    j = int(np.argmax(np.asarray(bayes[1]) < 1e-8))
    _named(axes, colours, bayes[0][j], 4e-9, "Bayes", colours.text, (-12, 0), "right", "center")
    axes.set_xlabel("$d$, dimension")
    axes.set_ylabel(_RISK)


@picture(600, 350)
def who_wins(axes, colours, d, boundaries, leading, paper):
    """The gamma above which erf beats linear attention, {L: gamma}, exact and to leading order."""
    for L, gamma in boundaries.items():
        axes.plot(d, gamma, color=colours.text)
        axes.plot(d, leading[L], color=colours.other, linestyle="dashed", linewidth=1.5)
        _named(axes, colours, d[0], gamma[0], f"L = {L}", colours.text, (4, 8))
    axes.axhline(paper, color=colours.k, linestyle="dotted", linewidth=1.5)
    _named(axes, colours, d[-1], paper, r"$\gamma^2=1/2$", colours.k, (0, -4), "right", "top")
    top = 1.25 * max(np.max(g) for g in boundaries.values())
    words = {"va": "top", "path_effects": halo(colours), "transform": axes.transAxes}
    axes.text(0.5, 0.98, "above a line, erf wins", color=colours.oracle, ha="center", **words)
    axes.text(0.5, 0.14, "below it, linear", color=colours.swapped, ha="center", **words)
    axes.set(xscale="log", xlim=(d[0], d[-1]), ylim=(0, top))
    axes.set_xlabel("$d$, dimension")
    axes.set_ylabel(r"$\gamma$, spread of the token")


@picture(600, 350, panels=(1, 2))
def not_the_minimum(axes, colours, small, large):
    """Left: (lam, oracle, swapped, lam_eq). Right: (lam, smallest eigenvalue across M, lam_c)."""
    left, right = axes
    lam, oracle, swapped, equal = small
    left.plot(lam, oracle, color=colours.oracle)
    left.plot(lam, swapped, color=colours.swapped, linestyle="dashed")
    left.axvline(equal, color=colours.text, linestyle="dotted", linewidth=1.5)
    left.set(xlim=(lam[0], lam[-1]))
    left.set_ylabel(_RISK)
    top = max(np.max(oracle), np.max(swapped))
    left.set_ylim(0, 1.15 * top)
    early = len(lam) // 8
    _named(left, colours, lam[early], oracle[early], "oracle", colours.oracle, (8, 0))
    low = int(np.argmin(swapped))
    place = (lam[low], swapped[low], "swapped", colours.swapped)
    _named(left, colours, *place, (0, -8), "center", "top")
    _named(left, colours, equal, 0, r"$\lambda_{eq}$", colours.text, (4, 4))
    lam, eigenvalue, critical = large
    right.axhline(0, color=colours.other, linewidth=1)
    right.plot(lam, eigenvalue, color=colours.oracle)
    right.axvline(critical, color=colours.text, linestyle="dotted", linewidth=1.5)
    right.set(xlim=(lam[0], lam[-1]))
    floor = right.get_ylim()[0]
    _named(right, colours, critical, floor, r"$\lambda_c$", colours.text, (4, 4))
    right.set_ylabel(r"smallest curvature across $\mathcal{M}$")
    for ax in axes:
        ax.set_xlabel(r"$\lambda$")

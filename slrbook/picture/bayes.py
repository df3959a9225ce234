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
        _named(axes, colours, x, y, words, colours.text, (-18, 10), "center")
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
    """Risks of fitted linear models against n, on one scale; two dicts {name: risks}, one a panel.

    ``floors`` holds the words and the height of a dotted line in each panel.
    """
    styles = (
        (colours.other, "solid", "o"),
        (colours.text, "dashed", "s"),
        (colours.text, "-", "D"),
    )
    curves = [*moving.values(), *fixed.values()]
    low, high = min(map(np.min, curves)), max(map(np.max, curves))
    titles = ("place varies", "place fixed")
    for ax, panel, floor, title in zip(axes, (moving, fixed), floors, titles, strict=True):
        for (name, risks), (colour, line, mark) in zip(panel.items(), styles, strict=True):
            ax.plot(n, risks, color=colour, linestyle=line, marker=mark, markersize=5, label=name)
        words, level = floor
        ax.axhline(level, color=colours.other, linestyle="dotted", linewidth=1.5)
        _named(ax, colours, n[-1], level, words, colours.other, (0, -5), "right", "top")
        ax.set(xscale="log", yscale="log", ylim=(low / 1.6, 8 * high))
        ax.set_xlabel("$n$, sequences")
        ax.text(0.02, 1.0, title, transform=ax.transAxes, va="bottom")
    axes[0].set_ylabel(_RISK)
    axes[0].legend(loc="lower left", handlelength=1.6, borderaxespad=0.1)


@picture(600, 400)
def rates(axes, colours, d, explicit, best, linear_attention, argmax, bayes, simulated):
    """Excess risks against d, log and log; ``simulated`` is a pair (d, Bayes risks) of dots."""
    axes.plot(d, explicit, color=colours.oracle, linestyle="dashed")
    axes.plot(d, best, color=colours.oracle)
    axes.plot(d, linear_attention, color=colours.other, linestyle="dashdot")
    axes.plot(d, argmax, color=colours.other)
    axes.plot(d, bayes, color=colours.text, linestyle="dotted")
    axes.plot(*simulated, "o", color=colours.text, markersize=5)
    axes.set(xscale="log", yscale="log", xlim=(0.85 * d[0], d[-1]), ylim=(1e-9, 2))
    end, near = len(d) - 1, {"ha": "right", "va": "bottom"}
    words = r"erf, $(dL)^{-1/4}$"
    _named(axes, colours, d[end], explicit[end], words, colours.oracle, (0, 15), **near)
    words = r"best $\lambda$"  # short: there is little room between the two lines
    _named(axes, colours, d[end], best[end], words, colours.oracle, (0, 9), **near)
    place = d[int(0.98 * end)], linear_attention[int(0.98 * end)]
    _named(axes, colours, *place, "linear attention", colours.other, (0, -8), "right", "top")
    for risks, low, words, colour, side, ha in (
        (argmax, 3e-7, "argmax", colours.other, 10, "left"),
        (bayes, 4e-9, "Bayes", colours.text, -12, "right"),
    ):
        at = d[int(np.argmax(np.asarray(risks) < low))]
        _named(axes, colours, at, low, words, colour, (side, 0), ha, "center")
    axes.set_xlabel("$d$, dimension")
    axes.set_ylabel(_RISK)


@picture(600, 400)
def risk_by_bias(axes, colours, threshold, by_lam, step, erf):
    """Excess risks against the threshold, {lam: risks} and a step; ``erf``: its best, its floor."""
    floor = erf[1]
    for level in erf:
        axes.axhline(level, color=colours.oracle, linestyle="dashed", linewidth=1.5)
    words = "best erf,\nerf floor"  # in the order of the lines, where no curve passes
    _named(axes, colours, threshold[0], floor, words, colours.oracle, (4, -5), va="top")
    for lam, risks in by_lam.items():
        axes.plot(threshold, risks, color=colours.other)
        low = int(np.argmin(risks))
        shift, va = ((0, -4), "top") if risks[low] < floor else ((0, 4), "bottom")
        words = rf"$\lambda={lam}$"
        _named(axes, colours, threshold[low], risks[low], words, colours.other, shift, "center", va)
    axes.plot(threshold, step, color=colours.text, linestyle="dotted")
    low = int(np.argmin(step))
    _named(axes, colours, threshold[low], step[low], "step", colours.text, (0, -4), "center", "top")
    axes.set(yscale="log", xlim=(threshold[0], threshold[-1]), ylim=(0.002 * np.min(step), 20))
    axes.set_xlabel(r"$\tau$, threshold of the score")
    axes.set_ylabel(_RISK)


@picture(600, 350)
def who_wins(axes, colours, d, boundaries, leading, paper):
    """The gamma above which erf beats linear attention, {L: gamma}, exact and to leading order."""
    for L, gamma in boundaries.items():
        axes.plot(d, gamma, color=colours.text)
        axes.plot(d, leading[L], color=colours.other, linestyle="dashed", linewidth=1.5)
        _named(axes, colours, d[0], gamma[0], f"L = {L}", colours.text, (4, 8))
    axes.axhline(paper, color=colours.text, linestyle="dotted", linewidth=1.5)
    _named(axes, colours, d[-1], paper, r"$\gamma^2=1/2$", colours.text, (0, -4), "right", "top")
    top = 1.25 * max(np.max(g) for g in boundaries.values())
    words = {"va": "top", "path_effects": halo(colours), "transform": axes.transAxes}
    axes.text(0.5, 0.98, "above a line, erf wins", color=colours.oracle, ha="center", **words)
    axes.text(0.5, 0.14, "below it, linear", color=colours.other, ha="center", **words)
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

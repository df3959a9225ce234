"""The pictures of the chapter on optimality: exact risks against lam, d and n."""

import numpy as np

from slrbook.picture.picture import picture
from slrbook.picture.style import beside

_RISK = "excess risk"


@picture(600, 310)
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
        beside(axes, colours, x, y, words, colours.text, (-18, 10), "center")
    low = 0.03 * total.min()
    axes.set(xscale="log", yscale="log", xlim=(lam[0], lam[-1]), ylim=(low, 4 * total.max()))
    early, gone = int(0.3 * len(lam)), int(np.argmax(np.asarray(missed) < 3 * low))
    words = ("noise", colours.other, (-4, 4), "right")
    beside(axes, colours, lam[early], noise[early], *words)
    beside(axes, colours, lam[gone], missed[gone], "missed part", colours.text, (8, 0))
    axes.set(xlabel=r"$\lambda$, inverse temperature", ylabel=_RISK)


@picture(600, 310)
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
    beside(axes, colours, ratio[end], null, "null", colours.other, (0, 4), "right")
    place = (ratio[end], linear[end], "best linear", colours.other)
    beside(axes, colours, *place, (0, -5), "right", "top")
    words = r"oracle, $\lambda=(dL)^{-1/4}$"
    beside(axes, colours, ratio[middle], oracle[middle], words, colours.oracle, (8, 4))
    place = (ratio[end // 4], best[end // 4], r"best $\lambda$", colours.oracle)
    beside(axes, colours, *place, (-8, -6), "right", "top")
    axes.set(xlabel=r"$d/L$", ylabel=_RISK)


@picture(600, 400)
def rates(axes, colours, d, explicit, best, linear_attention, argmax, bayes, simulated):
    """Excess risks against d, log and log; ``simulated`` is a pair (d, Bayes risks) of dots."""
    axes.plot(d, explicit, color=colours.oracle, linestyle="dashed")
    axes.plot(d, best, color=colours.oracle)
    axes.plot(d, linear_attention, color=colours.other, linestyle="dashdot")
    axes.plot(d, argmax, color=colours.other)
    axes.plot(d, bayes, color=colours.text, linestyle="dotted")
    axes.plot(*simulated, "o", color=colours.text, markersize=5)
    axes.set(xscale="log", yscale="log", xlim=(0.85 * d[0], d[-1]), ylim=(1e-9, 30))
    end, near = len(d) - 1, {"ha": "right", "va": "bottom"}
    words = r"erf, $\lambda=(dL)^{-1/4}$ and best $\lambda$"
    beside(axes, colours, d[end], explicit[end], words, colours.oracle, (0, 24), **near)
    place = d[int(0.98 * end)], linear_attention[int(0.98 * end)]
    beside(axes, colours, *place, "linear attention", colours.other, (0, -8), "right", "top")
    for risks, low, words, colour, side, ha in (
        (argmax, 3e-7, "argmax", colours.other, 10, "left"),
        (bayes, 4e-9, "Bayes", colours.text, -12, "right"),
    ):
        at = d[int(np.argmax(np.asarray(risks) < low))]
        beside(axes, colours, at, low, words, colour, (side, 0), ha, "center")
    axes.set(xlabel="$d$, dimension", ylabel=_RISK)


@picture(600, 400)
def risk_by_bias(axes, colours, threshold, by_lam, step, erf):
    """Excess risks against the threshold, {lam: risks} and a step; ``erf``: its best, its floor."""
    floor = erf[1]
    for level in erf:
        axes.axhline(level, color=colours.oracle, linestyle="dashed", linewidth=1.5)
    words = "best erf,\nerf floor"  # in the order of the lines, where no curve passes
    beside(axes, colours, threshold[0], floor, words, colours.oracle, (4, -5), va="top")
    for lam, risks in by_lam.items():
        axes.plot(threshold, risks, color=colours.other)
        low = int(np.argmin(risks))
        shift, va = ((0, -4), "top") if risks[low] < floor else ((0, 4), "bottom")
        words = rf"$\lambda={lam}$"
        beside(axes, colours, threshold[low], risks[low], words, colours.other, shift, "center", va)
    axes.plot(threshold, step, color=colours.text, linestyle="dotted")
    low = int(np.argmin(step))
    beside(axes, colours, threshold[low], step[low], "step", colours.text, (0, -4), "center", "top")
    axes.set(yscale="log", xlim=(threshold[0], threshold[-1]), ylim=(0.002 * np.min(step), 20))
    axes.set(xlabel=r"$\tau$, threshold of the score", ylabel=_RISK)

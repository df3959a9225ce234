"""The pictures of the chapter on optimality: exact risks against lam, d and n."""

import numpy as np

from slrbook.picture.picture import picture
from slrbook.picture.style import beside, curve, dots

_RISK = "excess risk"


@picture(600, 310)
def two_terms(axes, colors, lam, missed, noise, simulated, marks):
    """Draw the oracle risk and its two terms.

    ``simulated`` holds rows (lam, mean, error), ``marks`` labeled points (lam, risk, words).
    """
    total = np.asarray(missed) + np.asarray(noise)
    low, look = 0.03 * total.min(), {"line": "dashed", "linewidth": 1.5}
    gone, early = int(np.argmax(np.asarray(missed) < 3 * low)), int(0.3 * len(lam))
    curve(axes, colors, lam, missed, "text", "missed part", gone, (8, 0), **look)
    curve(axes, colors, lam, noise, "other", "noise", early, (-4, 4), "right", **look)
    axes.plot(lam, total, color=colors.oracle)
    dots(axes, colors, simulated)
    for x, y, words in marks:
        axes.plot(x, y, "*", color=colors.oracle, markersize=14)
        beside(axes, colors, x, y, words, colors.text, (-18, 10), "center")
    axes.set(xscale="log", yscale="log", xlim=(lam[0], lam[-1]), ylim=(low, 4 * total.max()))
    axes.set(xlabel=r"$\lambda$, inverse temperature", ylabel=_RISK)


@picture(600, 310)
def oracle_and_linear(axes, colors, ratio, oracle, best, linear, null, simulated):
    """Draw Figure 3: excess risks against d/L. ``simulated`` holds rows (d/L, mean, error)."""
    axes.axhline(null, color=colors.other, linestyle="dotted", linewidth=1.5)
    words = r"oracle, $\lambda=(dL)^{-1/4}$"
    curve(axes, colors, ratio, linear, "other", "best linear", -1, (0, -5), "right", "top")
    curve(axes, colors, ratio, oracle, "oracle", words, len(ratio) // 2, (8, 4))
    at, words = (len(ratio) - 1) // 4, r"best $\lambda$"
    curve(axes, colors, ratio, best, "oracle", words, at, (-8, -6), "right", "top", line="dashed")
    dots(axes, colors, simulated)
    top = max(1.25 * null, 1.05 * np.max(oracle))
    axes.set(xscale="log", xlim=(ratio[0], ratio[-1]), ylim=(0, top))
    beside(axes, colors, ratio[-1], null, "null", colors.other, (0, 4), "right")
    axes.set(xlabel=r"$d/L$", ylabel=_RISK)


@picture(600, 400)
def rates(axes, colors, d, explicit, best, linear_attention, argmax, bayes, simulated):
    """Draw excess risks against d on log-log axes; ``simulated`` is a pair (d, Bayes risks)."""
    near, at = ((0, 24), "right", "bottom"), int(0.98 * (len(d) - 1))
    words = r"erf, $\lambda=(dL)^{-1/4}$ and best $\lambda$"
    curve(axes, colors, d, explicit, "oracle", words, -1, *near, line="dashed")
    axes.plot(d, best, color=colors.oracle)
    near, look = ((0, -8), "right", "top"), {"line": "dashdot"}
    curve(axes, colors, d, linear_attention, "other", "linear attention", at, *near, **look)
    axes.plot(d, argmax, color=colors.other)
    axes.plot(d, bayes, color=colors.text, linestyle="dotted")
    axes.plot(*simulated, "o", color=colors.text, markersize=5)
    axes.set(xscale="log", yscale="log", xlim=(0.85 * d[0], d[-1]), ylim=(1e-9, 30))
    for risks, low, words, color, side, ha in (
        (argmax, 3e-7, "argmax", colors.other, 10, "left"),
        (bayes, 4e-9, "Bayes", colors.text, -12, "right"),
    ):
        at = d[int(np.argmax(np.asarray(risks) < low))]
        beside(axes, colors, at, low, words, color, (side, 0), ha, "center")
    axes.set(xlabel="$d$, dimension", ylabel=_RISK)


@picture(600, 400)
def risk_by_bias(axes, colors, threshold, by_lam, step, erf):
    """Draw excess risks against the threshold.

    ``by_lam`` is {lam: risks}, ``step`` holds the risks of a step function, and ``erf`` is
    (best risk, lower bound) of erf attention.
    """
    floor = erf[1]
    for level in erf:
        axes.axhline(level, color=colors.oracle, linestyle="dashed", linewidth=1.5)
    words = "best erf,\nerf floor"  # in the order of the lines, away from the curves
    beside(axes, colors, threshold[0], floor, words, colors.oracle, (4, -5), va="top")
    for lam, risks in by_lam.items():
        low, name = int(np.argmin(risks)), rf"$\lambda={lam}$"
        shift, va = ((0, -4), "top") if risks[low] < floor else ((0, 4), "bottom")
        curve(axes, colors, threshold, risks, "other", name, low, shift, "center", va)
    below = int(np.argmin(step)), (0, -4), "center", "top"
    curve(axes, colors, threshold, step, "text", "step", *below, line="dotted")
    axes.set(yscale="log", xlim=(threshold[0], threshold[-1]), ylim=(0.002 * np.min(step), 20))
    axes.set(xlabel=r"$\tau$, threshold of the score", ylabel=_RISK)

"""The pictures of Part II: samples, a changed task, the order of runs, pairs in language."""

import numpy as np
from matplotlib.patches import Rectangle

from slrbook.picture.convergence import square
from slrbook.picture.picture import picture
from slrbook.picture.style import above, beside, legend_below, shares


@picture(600, 340)
def extra_by_samples(axes, colors, ratio, extra, law):
    """Draw the extra risk of fits (sizes, repeats) against n / d, and its computed value ``law``.

    Small dots are fits; diamonds are their means at each size.
    """
    extra = np.asarray(extra)
    axes.plot(ratio, law, color=colors.text, linestyle="dashed", label="computed")
    axes.plot(ratio, extra, ".", color=colors.other, markersize=5)
    axes.plot(ratio, extra.mean(axis=1), "D", color=colors.oracle, label="mean of the fits")
    axes.set(xscale="log", yscale="log")
    axes.set_xticks(ratio, [f"{x:g}" for x in ratio], minor=False)
    axes.set_xticks([], minor=True)
    axes.set(xlabel="$n/d$, sequences per dimension", ylabel="extra risk")
    axes.legend(loc="lower left", handlelength=1.6)


@picture(600, 350)
def moved_minimum(axes, colors, kappa, risks):
    """Draw excess risks {name: risks} against kappa, with the names at the right ends.

    A star marks the lowest point of each line.
    """
    for name, values in risks.items():
        low = int(np.argmin(values))
        axes.plot(kappa, values, color=colors.other)
        axes.plot(kappa[low], values[low], "*", color=colors.oracle, markersize=14, clip_on=False)
        shift, va = ((-8, -8), "top") if low == len(kappa) - 1 else ((-8, 4), "bottom")
        beside(axes, colors, kappa[-1], values[-1], name, colors.text, shift, "right", va)
    low = min(np.min(values) for values in risks.values())
    axes.set(yscale="log", xlim=(kappa[0], kappa[-1]), ylim=(low / 2, None))
    axes.set(xlabel=r"$\kappa$, overlap of $k$ with $k^\star$", ylabel="excess risk")


@picture(480, 460)
def ordered_runs(axes, colors, low, high, marked):
    """Draw two runs (steps, 2), of which ``high`` stays above and to the right of ``low``.

    At each step in ``marked``, the two runs are opposite corners of a rectangle.
    """
    for step in marked:
        size = high[step] - low[step]
        look = {"facecolor": colors.other, "alpha": 0.18, "linewidth": 0}
        axes.add_patch(Rectangle(tuple(low[step]), *size, **look))
    for path, line in ((low, "dashed"), (high, "solid")):
        axes.plot(*path.T, color=colors.text, linestyle=line)
        axes.plot(*path[marked].T, "o", color=colors.text, markersize=5)
    (x, y), (x2, y2) = low[0], high[0]
    beside(axes, colors, x, y, "the lower start", colors.text, (-7, 0), "right", "center")
    beside(axes, colors, x2, y2, "the upper start", colors.text, (0, 7), "center")
    square(axes, colors)


@picture(480, 460)
def one_on_each_line(axes, colors, paths, ends, line):
    """Draw runs (starts, steps, 2) from one vertical line, and the dividing ``line`` (n, 2).

    ``ends`` is 1 for the runs that go to (1, 1) and -1 for the others.
    """
    for path, end in zip(paths, ends, strict=True):
        axes.plot(*path.T, color=colors.text, linestyle="solid" if end > 0 else "dashed")
        axes.plot(*path[0], "o", color=colors.text, markersize=5)
    for side in (1, -1):
        axes.plot(*(side * np.transpose(line)), color=colors.saddle, linewidth=3.5)
    square(axes, colors)


@picture(480, 460)
def dividing_lines(axes, colors, kappa, lines, back):
    """Draw dividing lines nu(kappa) by name; ``back`` (n, 2) are points on one, drawn as rings.

    Only the quarter of the square that contains them is shown.
    """
    styles = ("solid", "dashed", "dotted")
    for style, (name, nu) in zip(styles, lines.items(), strict=True):
        axes.plot(kappa, nu, color=colors.saddle, linestyle=style, linewidth=3, label=name)
    axes.plot(*np.transpose(back), "o", markerfacecolor="none", color=colors.text)
    square(axes, colors)
    axes.set(xlim=(-0.06, 1.06), ylim=(-1.06, 0.06), xticks=[0, 0.5, 1], yticks=[-1, -0.5, 0])
    axes.legend(loc="upper right", bbox_to_anchor=(1.0, 0.92))


@picture(600, 380)
def plateau(axes, colors, lam, bounds):
    """Draw the steps along the plateau against lam: per name (lower, measured, upper), (3, n)."""
    for shade, (name, steps) in zip((0.35, 0.2), bounds.items(), strict=True):
        low, found, high = np.asarray(steps, float)
        axes.fill_between(lam, low, high, color=colors.k, alpha=shade, linewidth=0)
        axes.plot(lam, found, "o", color=colors.k, markersize=5)
        beside(axes, colors, lam[-1], 1.3 * high[-1], name, colors.text, (0, 0), "right")
    axes.set(yscale="log", ylim=(None, 10 * np.max([steps[2] for steps in bounds.values()])))
    axes.set(xlabel=r"$\lambda$, inverse temperature", ylabel="steps along the plateau")


@picture(640, 560, panels=(2, 2))
def predictors_by_layer(axes, colors, names, told, learned, cls, mean, joined, layers):
    """Draw the accuracy by layer on four sets, of two pairs (k, v) and three linear predictors.

    Arrays are (draw, layer, set), except ``learned``: (draw, chosen layer, init, set) at
    ``layers``. Marks are means over the draws, and whiskers show their range; the value of a draw
    is the mean over its starts.
    """
    every, own = np.arange(cls.shape[1]), np.mean(learned, axis=2)
    kinds = (
        ("pair (k, v): labels and locations", told, every, colors.informative, "D", "full"),
        ("pair (k, v): labels, mean over starts", own, layers, colors.text, "o", "full"),
        ("[CLS]: labels", cls, every, colors.other, "s", "full"),
        ("mean of the tokens: labels", mean, every, colors.other, "^", "none"),
        ("all tokens, concatenated: labels", joined, every, colors.other, "v", "none"),
    )
    for i, (axis, name) in enumerate(zip(axes.flat, names, strict=True)):
        for number, (label, values, at, ink, marker, fill) in enumerate(kinds):
            middle, low, high = (f(values[..., i], axis=0) for f in (np.mean, np.min, np.max))
            look = {"fmt": marker, "color": ink, "fillstyle": fill, "label": label}
            x = np.asarray(at) + 0.15 * (number - 2)
            reach = middle - low, high - middle
            axis.errorbar(x, middle, reach, markersize=5, elinewidth=1.2, **look)
        above(axis, name)
        shares(axis, colors)
        axis.set_xticks(every)
        axis.set_xlabel("layer" if i > 1 else "")
        axis.set_ylabel("" if i % 2 else "accuracy")
    legend_below(axes[0, 0], 1)


@picture(600, 370)
def starts_by_end(axes, colors, names, accuracy, ends, cls):
    """Draw the ``accuracy`` (run, set) of every start by its end, next to ``cls`` (draw, set)."""
    jitter = 0.13 * np.sin(np.arange(len(accuracy)) * 2.4)
    for end, marker in (("found", "o"), ("shortcut", "^"), ("lost", "X")):
        shift, fill = (-0.22, "full") if end == "found" else (0.05, "none")
        those = np.asarray(ends) == end
        look = {"color": colors.text, "alpha": 0.8, "fillstyle": fill}
        for i in range(len(names)):
            label = f"(k, v), {end}" if i == 0 and those.any() else None
            x = i + shift + jitter[those]
            axes.plot(x, accuracy[those, i], marker, label=label, **look)
    for i in range(len(names)):
        label = "[CLS] probe" if i == 0 else None
        axes.plot(np.full(len(cls), i + 0.32), cls[:, i], "s", color=colors.other, label=label)
    shares(axes, colors)
    axes.set_xticks(range(len(names)), names)
    axes.set_ylabel("accuracy")
    legend_below(axes, 2)


@picture(640, 390, panels=(1, 2))
def by_length(axes, colors, names, length, curves):
    """Draw the accuracy against the length of the text, one panel per set.

    ``curves`` maps a name to an array (set, length) and one of cls, told, found, shortcut, which
    sets the color.
    """
    inks = {
        "cls": (colors.other, "solid", "s"),
        "told": (colors.informative, "dashed", "D"),
        "found": (colors.text, "solid", "o"),
        "shortcut": (colors.text, "dotted", "^"),
    }
    for i, (axis, name) in enumerate(zip(axes, names, strict=True)):
        for label, (values, kind) in curves.items():
            ink, line, marker = inks[kind]
            look = {"fillstyle": "none" if kind == "shortcut" else "full", "color": ink}
            axis.plot(length, values[i], linestyle=line, marker=marker, label=label, **look)
        axis.set_xscale("log", base=2)
        axis.set_xticks(length[::2], [str(n) for n in length[::2]])
        axis.minorticks_off()
        above(axis, name)
        shares(axis, colors)
        axis.set_xlabel("tokens in the text")
    axes[0].set_ylabel("accuracy")
    legend_below(axes[0], 2)

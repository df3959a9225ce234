"""The pictures of a pair (k, v) inside a language model, and of other predictors fitted there.

A pair that was given the locations has the green of the informative token, linear predictors the
grey of other tokens, and a pair that was fitted to labels alone the color of the text.
"""

import numpy as np

from slrbook.picture.marks import legend_below, shares
from slrbook.picture.picture import picture


@picture(640, 560, panels=(2, 2))
def predictors_by_layer(axes, colours, names, told, learned, cls, mean, joined, layers):
    """Accuracy by layer in four sets of two pairs (k, v) and of three linear predictors.

    All are (draw, layer, set), but ``learned`` (draw, chosen layer, init, set) at ``layers``. Marks
    are means over the draws, whiskers their range; a draw counts with the mean of all its starts.
    """
    every, own = np.arange(cls.shape[1]), np.mean(learned, axis=2)
    kinds = (
        ("pair (k, v): labels and locations", told, every, colours.informative, "D", "full"),
        ("pair (k, v): labels, mean of its starts", own, layers, colours.text, "o", "full"),
        ("[CLS]: labels", cls, every, colours.other, "s", "full"),
        ("mean of the tokens: labels", mean, every, colours.other, "^", "none"),
        ("all tokens side by side: labels", joined, every, colours.other, "v", "none"),
    )
    for i, (axis, name) in enumerate(zip(axes.flat, names, strict=True)):
        for number, (label, values, at, ink, marker, fill) in enumerate(kinds):
            middle, low, high = (f(values[..., i], axis=0) for f in (np.mean, np.min, np.max))
            look = {"fmt": marker, "color": ink, "fillstyle": fill, "markersize": 5}
            look |= {"elinewidth": 1.2, "label": label}
            x = np.asarray(at) + 0.15 * (number - 2)
            axis.errorbar(x, middle, (middle - low, high - middle), **look)
        axis.text(0.5, 1.02, name, transform=axis.transAxes, ha="center", va="bottom")
        shares(axis, colours)
        axis.set_xticks(every)
    for axis in axes[1]:
        axis.set_xlabel("layer")
    for axis in axes[:, 0]:
        axis.set_ylabel("accuracy")
    legend_below(axes[0, 0], 1)


@picture(600, 370)
def starts_by_end(axes, colours, names, accuracy, ends, cls):
    """Every start of every draw in every set (run, set), by its end; ``cls`` (draw, set) beside."""
    jitter = 0.13 * np.sin(np.arange(len(accuracy)) * 2.4)
    kinds = {
        "found": (-0.22, "full", "o"),
        "shortcut": (0.05, "none", "^"),
        "lost": (0.05, "none", "X"),
    }
    for end, (shift, fill, marker) in kinds.items():
        those = np.asarray(ends) == end
        look = {"color": colours.text, "alpha": 0.8, "fillstyle": fill}
        for i in range(len(names)):
            label = f"(k, v), {end}" if i == 0 and those.any() else None
            x = i + shift + jitter[those]
            axes.plot(x, accuracy[those, i], marker, label=label, **look)
    for i in range(len(names)):
        label = "[CLS] probe" if i == 0 else None
        axes.plot(np.full(len(cls), i + 0.32), cls[:, i], "s", color=colours.other, label=label)
    shares(axes, colours)
    axes.set_xticks(range(len(names)), names)
    axes.set_ylabel("accuracy")
    legend_below(axes, 2)


@picture(640, 390, panels=(1, 2))
def by_length(axes, colours, names, length, curves):
    """Accuracy against the length of the text, a panel a set; ``curves`` maps a name to
    (set, length) and one of cls, told, found, shortcut, which says its colour."""
    inks = {
        "cls": (colours.other, "solid", "s"),
        "told": (colours.informative, "dashed", "D"),
        "found": (colours.text, "solid", "o"),
        "shortcut": (colours.text, "dotted", "^"),
    }
    for i, (axis, name) in enumerate(zip(axes, names, strict=True)):
        for label, (values, kind) in curves.items():
            ink, line, marker = inks[kind]
            look = {"fillstyle": "none" if kind == "shortcut" else "full", "color": ink}
            axis.plot(length, values[i], linestyle=line, marker=marker, label=label, **look)
        axis.set_xscale("log", base=2)
        axis.set_xticks(length[::2], [str(n) for n in length[::2]])
        axis.minorticks_off()
        axis.text(0.5, 1.02, name, transform=axis.transAxes, ha="center", va="bottom")
        shares(axis, colours)
        axis.set_xlabel("tokens in the text")
    axes[0].set_ylabel("accuracy")
    legend_below(axes[0], 2)

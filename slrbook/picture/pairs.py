"""The pictures of a pair (k, v) inside a language model, beside what else was fitted there."""

import numpy as np

from slrbook.picture.marks import legend_below, shares
from slrbook.picture.picture import picture


@picture(640, 620, panels=(2, 2))
def pair_beside_probe(axes, colours, names, cls, told, learned, layers):
    """Accuracy by layer in four sets: [CLS] probe, pair from labels, pair told the places.

    ``cls`` and ``told`` are (draw, layer, set), ``learned`` (draw, chosen layer, init, set) at
    ``layers``. Lines are means over the draws, bands and whiskers their range; each draw counts
    with the mean of all its starts.
    """
    every, own = np.arange(cls.shape[1]), np.mean(learned, axis=2)
    for i, (axis, name) in enumerate(zip(axes.flat, names, strict=True)):
        for values, ink, line, label in (
            (cls, colours.text, "solid", "[CLS] probe: labels"),
            (told, colours.informative, "dashed", "(k, v): labels and places"),
        ):
            middle, low, high = (f(values[..., i], axis=0) for f in (np.mean, np.min, np.max))
            axis.fill_between(every, low, high, color=ink, alpha=0.15, linewidth=0)
            axis.plot(every, middle, color=ink, linestyle=line, label=label)
        middle = own[..., i].mean(0)
        reach = np.abs(np.stack([own[..., i].min(0), own[..., i].max(0)]) - middle[None])
        points = {"fmt": "o", "color": colours.k, "capsize": 4, "zorder": 3}
        axis.errorbar(layers, middle, reach, **points, label="(k, v): labels, all starts")
        axis.text(0.5, 0.27, name, transform=axis.get_yaxis_transform(), ha="center")
        shares(axis, colours)
        axis.set_xticks(every)
    for axis in axes[1]:
        axis.set_xlabel("layer")
    for axis in axes[:, 0]:
        axis.set_ylabel("accuracy")
    legend_below(axes[0, 0], 1)


@picture(600, 420)
def starts_by_end(axes, colours, names, accuracy, ends, cls):
    """Every start of every draw in every set (run, set), by its end; ``cls`` (draw, set) beside."""
    jitter = 0.13 * np.sin(np.arange(len(accuracy)) * 2.4)
    kinds = {
        "found": (-0.22, colours.k, "o"),
        "shortcut": (0.05, colours.tilted, "^"),
        "lost": (0.05, colours.other, "X"),
    }
    for end, (shift, ink, marker) in kinds.items():
        those = np.asarray(ends) == end
        for i in range(len(names)):
            label = f"(k, v), {end}" if i == 0 and those.any() else None
            x = i + shift + jitter[those]
            axes.plot(x, accuracy[those, i], marker, color=ink, alpha=0.75, label=label)
    for i in range(len(names)):
        label = "[CLS] probe" if i == 0 else None
        axes.plot(np.full(len(cls), i + 0.32), cls[:, i], "s", color=colours.text, label=label)
    shares(axes, colours)
    axes.set_xticks(range(len(names)), names)
    axes.set_ylabel("accuracy")
    legend_below(axes, 2)


@picture(640, 470, panels=(1, 2))
def controls_by_set(axes, colours, names, controls, accuracy, layers):
    """Accuracy of each of four predictors in each set, (control, layer, set); a panel a layer."""
    inks = (colours.text, colours.other, colours.swapped, colours.informative)
    for axis, layer, values in zip(axes, layers, np.swapaxes(accuracy, 0, 1), strict=True):
        for i, (name, ink) in enumerate(zip(controls, inks, strict=True)):
            rows = -np.arange(len(names)) + 0.24 - 0.16 * i
            axis.plot(values[i], rows, "os^D"[i], color=ink, label=name)
        axis.axvline(0.5, color=colours.other, linewidth=1, zorder=0)
        axis.set_yticks(-np.arange(len(names)), names if axis is axes[0] else [""] * len(names))
        axis.set_xlim(0.4, 1.04)
        axis.set_xticks([0.5, 1])
        axis.set_xlabel(f"accuracy, layer {layer}")
    legend_below(axes[0], 2)


@picture(640, 430, panels=(1, 2))
def by_length(axes, colours, names, length, curves):
    """Accuracy against the length of the text, a panel a set; ``curves`` maps a name to
    (set, length) and one of cls, told, found, shortcut, which says its colour."""
    inks = {
        "cls": (colours.text, "solid", "s"),
        "told": (colours.informative, "dashed", "D"),
        "found": (colours.k, "solid", "o"),
        "shortcut": (colours.tilted, "dashdot", "^"),
    }
    for i, (axis, name) in enumerate(zip(axes, names, strict=True)):
        for label, (values, kind) in curves.items():
            ink, line, marker = inks[kind]
            axis.plot(length, values[i], color=ink, linestyle=line, marker=marker, label=label)
        axis.set_xscale("log", base=2)
        axis.set_xticks(length[::2], [str(n) for n in length[::2]])
        axis.minorticks_off()
        axis.text(0.5, 0.05, name, transform=axis.transAxes, ha="center")
        shares(axis, colours)
        axis.set_xlabel("tokens in the text")
    axes[0].set_ylabel("accuracy")
    legend_below(axes[0], 2)

"""The pictures of the chapter on language: Figures 1 and 2 of the paper, and the heads."""

import numpy as np

from slrbook.picture.picture import picture
from slrbook.picture.style import halo, legend_below, shares


@picture(640, 420, panels=(1, 2))
def one_word_flips(axes, colors, words, weights, places, outputs):
    """Draw two sentences, one word per row, with a bar for each weight; the informative is green.

    ``words`` and ``weights`` are two lists, ``places`` the index of the informative token in each,
    ``outputs`` the values of softmax(X k)^T X v.
    """
    for axis, text, weight, at, output in zip(axes, words, weights, places, outputs, strict=True):
        rows = -np.arange(len(text))
        inks = [colors.informative if i == at else colors.other for i in range(len(text))]
        axis.barh(rows, weight, color=inks)
        axis.set_yticks(rows, text)
        axis.tick_params(axis="y", length=0)
        axis.get_yticklabels()[at].set_color(colors.informative)
        shown = f"output {output:+.1f}".replace("-", "−")
        axis.text(0.98, rows[0], shown, ha="right", va="center", color=colors.v)
        axis.set(xlim=(0, 1), xticks=[0, 1])
        axis.set_xlabel("weight", color=colors.k)


@picture(640, 620, panels=(2, 2))
def probe_by_layer(axes, colors, names, accuracy, low, high, auc):
    """Draw accuracy with interval and area under the curve of a linear probe, (layer, set).

    The first set of ``names`` is the train set, gray in each panel; the others have a panel each.
    """
    layers = np.arange(len(accuracy))
    for at, axis in enumerate(axes.flat, start=1):
        reach = np.maximum([accuracy[:, at] - low[:, at], high[:, at] - accuracy[:, at]], 0)
        axis.plot(layers, accuracy[:, 0], color=colors.other)
        look = {"color": colors.text, "label": "accuracy"}
        axis.errorbar(layers, accuracy[:, at], reach, fmt="o-", **look)
        look = {"color": colors.text, "label": "area under the curve", "fillstyle": "none"}
        axis.plot(layers, auc[:, at], "D--", **look)
        shares(axis, colors)
        axis.set_xticks(layers)
        axis.text(0.97, 0.06, names[at], ha="right", transform=axis.transAxes)
    axes[0, 1].text(1.2, 0.98, names[0], va="top", color=colors.other)
    for above, below in axes.T:
        above.set_xticklabels([])
        below.set_xlabel("layer")
    for axis in axes[:, 1]:
        axis.set_yticklabels([])
    legend_below(axes[0, 0], 2)


@picture(600, 460)
def beside_the_paper(axes, colors, names, ours, paper):
    """Draw two bars per row: the accuracy of our model, filled, and of the paper's, outlined."""
    rows = -np.arange(len(names))
    axes.barh(rows + 0.19, ours, 0.36, color=colors.text, alpha=0.55, linewidth=0)
    axes.barh(rows - 0.19, paper, 0.36, facecolor="none", edgecolor=colors.text, linewidth=1.5)
    for row, mine, other in zip(rows, ours, paper, strict=True):
        axes.text(mine + 0.01, row + 0.19, f"{mine:.2f}", va="center")
        axes.text(other + 0.01, row - 0.19, f"{other:.2f}", va="center")
    axes.axvline(0.5, color=colors.other, linewidth=1, zorder=0)
    axes.set_yticks(rows, names)
    axes.set(xlim=(0, 1.12), xticks=[0, 0.5, 1])
    axes.set_xlabel("accuracy (filled: here; outlined: the paper)")


@picture(640, 430, panels=(1, 3))
def word_planes(axes, colors, score, value, role, layers, words=()):
    """Draw tokens at (X k, X v) in each of three layers.

    ``score`` and ``value`` are (layer, n, T). ``role`` (n, T) is 0 for padding, 1 for other tokens,
    2 for distractors, 3 and 4 for informative tokens with label +1 and -1. ``words`` are the n
    informative words, written near their clouds in the last panel.
    """
    kinds = {
        "another token": (role == 1, colors.other, "o", 0.15, 4),
        "adjective, first sentence": (role == 2, colors.text, "x", 0.4, 7),
        "informative, label +1": (role == 3, colors.informative, "+", 0.9, 10),
        "informative, label −1": (role == 4, colors.informative, "_", 0.9, 10),
    }
    for axis, x, y, layer in zip(axes, score, value, layers, strict=True):
        for name, (those, ink, marker, alpha, size) in kinds.items():
            look = {"color": ink, "alpha": alpha, "markersize": size, "markeredgewidth": 1.2}
            axis.plot(x[those], y[those], marker, label=name, **look)
        top = (1.95 if len(words) else 1.3) * np.max(np.abs(value))
        axis.set_ylim(-top, top)
        axis.set_title(f"layer {layer}", loc="left", fontsize="medium")
        axis.sharey(axes[0])
    for label, number in ((1, 3), (-1, 4)) if len(words) else ():
        those = role == number
        kept = [word for word, has in zip(words, those.any(1), strict=True) if has]
        right = (role > 0) & (score[-1] > score[-1][role > 0].mean())  # the half with the clouds
        near = value[-1][those | right]  # the column of words must not touch these
        edge, va = (near.max() + 1.2, "bottom") if label > 0 else (near.min() - 1.2, "top")
        look = {"color": colors.informative, "path_effects": halo(colors), "linespacing": 1.0}
        text = "\n".join(dict.fromkeys(kept))
        axes[-1].text(score[-1][those].mean(), edge, text, ha="center", va=va, **look)
    for axis in axes[1:]:
        axis.tick_params(labelleft=False)
    axes[1].set_xlabel(r"score $X_\ell\cdot k$", color=colors.k)
    axes[0].set_ylabel(r"value $X_\ell\cdot v+b$", color=colors.v)
    legend_below(axes[0], 2)


@picture(640, 330)
def head_hits(axes, colors, hits):
    """Draw for each head (layer, head) how often its largest weight is on the informative token."""
    axes.imshow(hits, vmin=0, vmax=1, cmap="viridis", aspect="auto")
    for (layer, head), hit in np.ndenumerate(hits):
        shown = f"{hit:.2f}".lstrip("0")
        ink = "black" if hit > 0.6 else "white"
        axes.text(head, layer, shown, ha="center", va="center", color=ink)
    axes.set_xticks(range(hits.shape[1]), range(1, hits.shape[1] + 1))
    axes.set_yticks(range(len(hits)), range(1, len(hits) + 1))
    axes.set(xlabel="head", ylabel="layer")

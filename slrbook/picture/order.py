"""The pictures of the chapter on M: order, the line that divides the starts, the plateau."""

import numpy as np
from matplotlib.patches import Rectangle

from slrbook.picture.manifold import square
from slrbook.picture.picture import picture
from slrbook.picture.style import halo


@picture(480, 460)
def ordered_runs(axes, colours, low, high, marked):
    """Two runs (steps, 2) of which ``high`` stays above and to the right of ``low``.

    At the steps ``marked`` a rectangle joins the two: its corners are where the runs are.
    """
    for step in marked:
        size = high[step] - low[step]
        look = {"facecolor": colours.other, "alpha": 0.18, "linewidth": 0}
        axes.add_patch(Rectangle(tuple(low[step]), *size, **look))
    for path, line in ((low, "dashed"), (high, "solid")):
        axes.plot(*path.T, color=colours.text, linestyle=line)
        axes.plot(*path[marked].T, "o", color=colours.text, markersize=5)
    label = {"path_effects": halo(colours), "ha": "center"}
    axes.text(*(low[0] - [0.06, 0]), "the lower start", va="center", **label | {"ha": "right"})
    axes.text(*(high[0] + [0, 0.06]), "the upper start", va="bottom", **label)
    square(axes, colours)


@picture(480, 460)
def one_on_each_line(axes, colours, paths, ends, line):
    """Runs (starts, steps, 2) from one vertical line, and the ``line`` (n, 2) that divides them.

    ``ends`` is 1 for the runs that go to (1, 1) and -1 for the others.
    """
    for path, end in zip(paths, ends, strict=True):
        axes.plot(*path.T, color=colours.text, linestyle="solid" if end > 0 else "dashed")
        axes.plot(*path[0], "o", color=colours.text, markersize=5)
    for side in (1, -1):
        axes.plot(*(side * np.transpose(line)), color=colours.saddle, linewidth=3.5)
    square(axes, colours)


@picture(480, 460)
def dividing_lines(axes, colours, kappa, lines, back):
    """Dividing lines nu(kappa) by name, one style each; ``back`` (n, 2) is one of them again.

    Only the quarter of the square is shown in which they lie.
    """
    styles = ("solid", "dashed", "dotted")
    for style, (name, nu) in zip(styles, lines.items(), strict=True):
        axes.plot(kappa, nu, color=colours.saddle, linestyle=style, linewidth=3, label=name)
    axes.plot(*np.transpose(back), "o", markerfacecolor="none", color=colours.text)
    square(axes, colours)
    axes.set_xlim(-0.06, 1.06)
    axes.set_ylim(-1.06, 0.06)
    axes.set_xticks([0, 0.5, 1])
    axes.set_yticks([-1, -0.5, 0])
    axes.legend(loc="upper right", bbox_to_anchor=(1.0, 0.92))


@picture(600, 380)
def plateau(axes, colours, lam, bounds):
    """Steps along the plateau against lam: per name (lower, measured, upper), (3, n)."""
    for shade, (name, steps) in zip((0.35, 0.2), bounds.items(), strict=True):
        low, found, high = np.asarray(steps, float)
        axes.fill_between(lam, low, high, color=colours.k, alpha=shade, linewidth=0)
        axes.plot(lam, found, "o", color=colours.k, markersize=5)
        label = {"path_effects": halo(colours), "ha": "right", "va": "bottom"}
        axes.text(lam[-1], 1.3 * high[-1], name, **label)
    axes.set_yscale("log")
    axes.set_ylim(None, 10 * np.max([steps[2] for steps in bounds.values()]))
    axes.set_xlabel(r"$\lambda$, inverse temperature")
    axes.set_ylabel("steps along the plateau")

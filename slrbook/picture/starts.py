"""The picture of the chapter on random starts: who recovers the teacher, against the dimension."""

from slrbook.picture.picture import picture
from slrbook.picture.style import halo

_LOOKS = {  # color and marker of each kind of attention, and the place of its name
    "softmax": ("oracle", "*", (0, -14)),
    "erf": ("swapped", "D", (0, 14)),
    "linear": ("k", "o", (0, -24)),
}


@picture(640, 340)
def fraction_by_dimension(axes, colours, d, fractions):
    """Draw the fraction of runs that recover the teacher, {kind: (size, 3)}, against ``d``.

    The three columns are the fraction and the ends of its interval.
    """
    axes.axhline(0.5, color=colours.other, linewidth=1, linestyle="dotted")
    for kind, x in fractions.items():
        color, marker, offset = _LOOKS[kind]
        color = getattr(colours, color)
        spread = [x[:, 0] - x[:, 1], x[:, 2] - x[:, 0]]
        axes.errorbar(d, x[:, 0], spread, color=color, marker=marker, markersize=9, capsize=3)
        axes.annotate(
            kind,
            (d[-1], x[-1, 0]),
            offset,
            textcoords="offset points",
            ha="right",
            va="center",
            color=color,
            path_effects=halo(colours),
        )
    axes.set(xscale="log", ylim=(0, 1.06))
    axes.set_xticks(d, [f"{x:g}" for x in d], minor=False)
    axes.set_xticks([], minor=True)
    axes.set_xlabel("dimension $d$")
    axes.set_ylabel("recovers the teacher")

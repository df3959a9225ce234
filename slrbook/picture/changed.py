"""The picture of the chapter on a changed task: where the risk of attention is least."""

import numpy as np

from slrbook.picture.picture import picture
from slrbook.picture.style import halo


@picture(600, 350)
def moved_minimum(axes, colours, kappa, risks):
    """Excess risks against kappa, {name: risks}, each with its name at its end.

    A star is the lowest point of a line.
    """
    for name, values in risks.items():
        low = int(np.argmin(values))
        falls = low == len(kappa) - 1
        axes.plot(kappa, values, color=colours.other)
        axes.plot(kappa[low], values[low], "*", color=colours.oracle, markersize=14, clip_on=False)
        axes.annotate(
            name,
            (kappa[-1], values[-1]),
            (-8, -8 if falls else 4),
            textcoords="offset points",
            ha="right",
            va="top" if falls else "bottom",
            color=colours.text,
            path_effects=halo(colours),
        )
    low = min(np.min(values) for values in risks.values())
    axes.set(yscale="log", xlim=(kappa[0], kappa[-1]))
    axes.set_ylim(bottom=low / 2)
    axes.set_xlabel(r"$\kappa$, overlap of $k$ with $k^\star$")
    axes.set_ylabel("excess risk")

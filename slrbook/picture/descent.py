"""Pictures of a descent: how the two overlaps grow."""

import numpy as np

from slrbook.picture.picture import picture
from slrbook.picture.style import halo


@picture(600, 340)
def alignments(axes, colours, steps, kappa, nu):
    """|kappa| and |nu| along a descent. Each array is (time, 3): lower end, median, upper end."""
    for band, colour in ((kappa, colours.k), (nu, colours.v)):
        low, middle, high = np.asarray(band).T
        axes.fill_between(steps, low, high, color=colour, alpha=0.22, linewidth=0)
        axes.plot(steps, middle, color=colour)
    label = {"va": "center", "path_effects": halo(colours)}
    before = steps[int(np.argmax(np.asarray(nu)[:, 2] > 0.8))] / 1.15
    axes.text(before, 0.8, r"$|\nu|$, what to read", color=colours.v, ha="right", **label)
    after = steps[int(np.argmax(np.asarray(kappa)[:, 0] > 0.4))] * 1.3
    axes.text(after, 0.4, r"$|\kappa|$, where to look", color=colours.k, ha="left", **label)
    axes.set_xscale("log")
    axes.set_xlim(steps[0], steps[-1])
    axes.set_ylim(-0.02, 1.04)
    axes.set_xlabel("step of gradient descent")
    axes.set_ylabel("alignment")

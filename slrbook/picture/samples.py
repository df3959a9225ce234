"""The picture of the chapter on open questions: what a finite number of sequences costs."""

import numpy as np

from slrbook.picture.picture import picture


@picture(600, 340)
def extra_by_samples(axes, colours, ratio, extra, law):
    """The extra risk of fits (sizes, repeats) against n / d, and the computed ``law`` at ``ratio``.

    A small dot is a fit, a diamond the mean of its column.
    """
    extra = np.asarray(extra)
    axes.plot(ratio, law, color=colours.text, linestyle="dashed", label="computed")
    axes.plot(ratio, extra, ".", color=colours.other, markersize=5)
    axes.plot(ratio, extra.mean(axis=1), "D", color=colours.oracle, label="mean of the fits")
    axes.set(xscale="log", yscale="log")
    axes.set_xticks(ratio, [f"{x:g}" for x in ratio], minor=False)
    axes.set_xticks([], minor=True)
    axes.set_xlabel("$n/d$, sequences for each dimension")
    axes.set_ylabel("extra risk")
    axes.legend(loc="lower left", handlelength=1.6)

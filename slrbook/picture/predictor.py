"""The pictures of the chapter on the predictor: the [CLS] row, the decomposition (9)."""

import numpy as np

from slrbook.picture.picture import picture
from slrbook.picture.style import curve


@picture(600, 330)
def shrink(axes, colors, lam, curves):
    """Draw 1 - a0, the weight of the tokens without [CLS], against lam: {x_cls.k: 1 - a0}.

    The three curves are in the order of x_cls.k; the last should have a dip, and is labeled there.
    """
    styles = ("solid", "dashed", "dashdot")
    third, lowest = len(lam) // 3, int(np.argmin(list(curves.values())[-1]))
    places = (  # of the label: point on the curve, offset, alignment
        (third, (0, 6), "right", "bottom"),
        (len(lam) // 2, (4, -6), "left", "top"),
        (lowest, (0, -8), "center", "top"),
    )
    for (overlap, kept), style, place in zip(curves.items(), styles, places, strict=True):
        name = rf"$x_{{\mathrm{{cls}}}}\cdot k = {overlap:g}$"
        curve(axes, colors, lam, kept, "text", name, *place, line=style)
    axes.set(xscale="log", xlim=(lam[0], lam[-1]), ylim=(0.7, 1.02), yticks=[0.7, 0.8, 0.9, 1.0])
    axes.set(xlabel=r"$\lambda$, inverse temperature", ylabel=r"$1 - a_0$, weight of the tokens")


@picture(600, 280)
def saturation(axes, colors, curve, tangent, noise, informative):
    """Draw erf with its tangent at 0, and histograms of its argument for both kinds of token.

    ``curve`` is (x, erf(x)), ``tangent`` (x, line); ``noise`` and ``informative`` are samples.
    """
    axes.plot(*curve, color=colors.text)
    axes.plot(*tangent, color=colors.text, linestyle="dotted")
    axes.axhline(1, color=colors.other, linewidth=1)
    bins = np.linspace(curve[0].min(), curve[0].max(), 90)
    for sample, name, color in (
        (noise, "the others", colors.other),
        (informative, "informative", colors.informative),
    ):
        height, edges = np.histogram(np.asarray(sample), bins)
        axes.stairs(0.55 * height / height.max(), edges, color=color, fill=True, alpha=0.6)
        axes.text(np.mean(sample), 0.6, name, color=color, ha="center", va="bottom")
    end = curve[0][-1]
    axes.text(end, 0.9, r"$\mathrm{erf}$", va="top", ha="right")
    axes.text(tangent[0][-1] + 0.03, tangent[1][-1], "tangent at 0", va="top")
    axes.set(xlim=(curve[0][0], end), ylim=(-0.62, 1.32), yticks=[-0.5, 0, 0.5, 1])
    axes.set_xlabel(r"$\lambda\, X_\ell\cdot k^\star$, the argument of erf")
    axes.set_ylabel("weight of the token")

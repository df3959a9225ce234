"""The overlaps as angles of arrows."""

import numpy as np
from matplotlib.patches import Arc

from slrbook.picture.picture import picture

_PAIRS = {  # of each overlap: the two arrows, and the letters at their tips
    "kappa": (("oracle", r"k^\star"), ("k", "k")),
    "nu": (("oracle", r"v^\star"), ("v", "v")),
    "theta": (("oracle", r"k^\star"), ("v", "v")),
    "eta": (("oracle", r"v^\star"), ("k", "k")),
    "rho": (("v", "v"), ("k", "k")),
}


def _dial(axis, colours, name, overlap):
    """Two arrows at the angle whose cosine is ``overlap``; a right angle has its corner."""
    tilt, turn = np.pi / 12, float(np.arccos(overlap))
    for (colour, letter), angle in zip(_PAIRS[name], (tilt, tilt + turn), strict=True):
        tip, ink = np.array([np.cos(angle), np.sin(angle)]), getattr(colours, colour)
        arrow = {"arrowstyle": "-|>", "color": ink, "linewidth": 2.2, "shrinkA": 0, "shrinkB": 0}
        axis.annotate("", tip, (0, 0), arrowprops=arrow)
        place = {"ha": "center", "va": "center"}
        axis.text(*(1.35 * tip), f"${letter}$", color=ink, **place)
    if abs(overlap) < 1e-12:
        one, two = (0.24 * np.array([np.cos(a), np.sin(a)]) for a in (tilt, tilt + turn))
        axis.plot(*np.array([one, one + two, two]).T, color=colours.text, linewidth=1.5)
    else:
        ends = np.degrees([tilt, tilt + turn])
        axis.add_patch(Arc((0, 0), 0.8, 0.8, theta1=ends[0], theta2=ends[1], color=colours.text))
    first, second = (letter for _, letter in _PAIRS[name][::-1])
    axis.set_xlabel(rf"$\{name}={first}\cdot {second}$", color=colours.text)
    axis.set_aspect("equal")
    axis.set_xlim(-0.8, 1.45)
    axis.set_ylim(-0.12, 1.48)
    axis.set_xticks([])
    axis.set_yticks([])
    axis.spines[:].set_visible(False)


def _dials(axes, colours, overlaps):
    for axis, (name, overlap) in zip(axes, overlaps.items(), strict=True):
        _dial(axis, colours, name, overlap)


@picture(600, 135, panels=(1, 5))
def on_manifold(axes, colours, overlaps):
    """The five overlaps ``{"kappa": ..., ...}`` of a pair on M, each as the angle of two arrows."""
    _dials(axes, colours, overlaps)


@picture(600, 300, panels=(2, 5))
def five_overlaps(axes, colours, anywhere, on_manifold):
    """The five overlaps as angles: of any pair above, of a pair on M below."""
    for row, overlaps, name in zip(
        axes, (anywhere, on_manifold), ("any pair", "on M"), strict=True
    ):
        _dials(row, colours, overlaps)
        row[0].set_ylabel(name)

"""The pictures of one Transformer layer that learns: Figure 8 of the paper and what explains it."""

from itertools import pairwise

import numpy as np
from matplotlib.ticker import NullFormatter

from slrbook.picture.picture import picture
from slrbook.picture.style import after_start, band, log_steps, rim, unit


def _from_zero(axis, values):
    """Make an axis linear near zero and logarithmic beyond, for a risk that may be zero."""
    axis.set_yscale("symlog", linthresh=1e-2, linscale=1.0)
    axis.set_yticks([0, 0.005, 0.01, 0.1, 1.0], ["0", ".005", ".01", ".1", "1"])
    axis.set_ylim(min(-3e-3, 1.1 * float(np.min(values))), 1.0)
    axis.yaxis.set_minor_formatter(NullFormatter())


@picture(640, 330, panels=(1, 2))
def layer_learns(axes, colors, step, excess_risk, floor, attention, kappa, nu, ends=()):
    """Draw excess risk (left) and |k.k*|, v.v* and attention (right); each is (time, repeats).

    ``floor``, the lowest excess risk that the layer can have, is drawn dotted. At each step in
    ``ends`` a new phase begins; phases are numbered.
    """
    shown, at = after_start(step)
    band(axes[0], at, np.asarray(excess_risk)[shown], colors.text)
    axes[0].axhline(floor, color=colors.text, linestyle="dotted", linewidth=1.5)
    _from_zero(axes[0], 0.0)
    axes[0].set_ylabel("excess risk")
    for name, values, color, line in (
        (r"$|k\cdot k^\star|$", np.abs(kappa), colors.k, "dashed"),
        (r"$v\cdot v^\star$", nu, colors.v, "solid"),
        ("attention", attention, colors.informative, "dotted"),
    ):
        band(axes[1], at, np.asarray(values)[shown], color, line)
        axes[1].lines[-1].set_label(name)
    unit(axes[1])
    axes[1].legend(loc="lower right", handlelength=1.4, handletextpad=0.4, borderaxespad=0)
    edges = (at[0], *ends, at[-1])
    for axis in axes:
        log_steps(axis, at)
        for end in ends:
            axis.axvline(end, color=colors.other, linewidth=1)
        for phase, (low, high) in enumerate(pairwise(edges), 1):
            words = {"ha": "center", "transform": axis.get_xaxis_transform()}
            if ends:
                axis.text((low * high) ** 0.5, 1.03, str(phase), **words)


@picture(640, 310, panels=(1, 2))
def zero_matrix(axes, colors, step, risks, kappas, prediction):
    """Draw excess risk and |k.k*| if the zero matrix acts on the tokens, or on the register.

    ``risks`` and ``kappas`` are pairs of (time, repeats); ``prediction``, drawn dotted, is the
    predicted initial |k.k*| in the second case.
    """
    shown, at = after_start(step)
    inks = (colors.text, colors.k)
    for axis, both, color in zip(axes, (risks, np.abs(kappas)), inks, strict=True):
        for draw, runs in zip((band, rim), both, strict=True):
            draw(axis, at, np.asarray(runs)[shown], color)
        log_steps(axis, at)
    axes[1].axhline(prediction, color=colors.text, linestyle="dotted", linewidth=1.5)
    _from_zero(axes[0], 0.0)
    unit(axes[1])
    axes[0].set_ylabel("excess risk")
    axes[1].set_ylabel(r"$|k\cdot k^\star|$", color=colors.k)


@picture(600, 340)
def live_beside_stored(axes, colors, step, stored, live):
    """Draw the excess risk of some repeats: stored values as lines, values computed now as rings.

    ``stored`` and ``live`` are (time, repeats); ``live`` may end before the lines do.
    """
    at = np.asarray(step, float)
    axes.plot(at, stored, color=colors.other, linewidth=1.5)
    axes.plot(at[: len(live)], live, "o", markerfacecolor="none", color=colors.text, markersize=8)
    axes.set(xlabel="step", ylabel="excess risk", ylim=(0, None))

"""The pictures of one Transformer layer that learns: Figure 8 of the paper and what explains it."""

import numpy as np
from matplotlib.ticker import NullFormatter

from slrbook.picture.picture import picture
from slrbook.picture.style import band, halo, log_steps, rim


def _from_zero(axis, values):
    """An axis that is linear beside zero and logarithmic beyond, for a risk that may touch zero."""
    axis.set_yscale("symlog", linthresh=1e-2, linscale=1.0)
    axis.set_yticks([0, 0.005, 0.01, 0.1, 1.0], ["0", ".005", ".01", ".1", "1"])
    axis.set_ylim(min(-3e-3, 1.1 * float(np.min(values))), 1.0)
    axis.yaxis.set_minor_formatter(NullFormatter())


def _unit(axis):
    axis.set_ylim(-0.03, 1.05)
    axis.set_yticks([0, 0.5, 1])


@picture(640, 540, panels=(2, 2))
def layer_learns(
    axes, colours, step, excess_risk, above_floor, kappa, nu, nu_gated, caps, verdict=(-2e-3, 6e-3)
):
    """Excess risk, the same above its floor, |k.k*| and v.v* along training; (time, repeats).

    ``caps`` are the alignments (of k, of v) of the best direction that layer norm lets through,
    drawn dotted; ``nu_gated`` is dashed; ``verdict`` is the interval that risk minus floor should
    end in.
    """
    shown = np.asarray(step) > 0
    at = np.asarray(step, float)[shown]
    panels = {
        "excess risk": (excess_risk, "text"),
        "excess risk, minus floor": (above_floor, "text"),
        r"$|k\cdot k^\star|$, where to look": (np.abs(kappa), "k"),
        r"$v\cdot v^\star$, what to read": (np.asarray(nu), "v"),
    }
    for axis, (name, (values, own)) in zip(axes.flat, panels.items(), strict=True):
        colour = getattr(colours, own)
        band(axis, at, np.asarray(values)[shown], colour, "solid")
        axis.set_ylabel(name, color=colour)
        log_steps(axis, at)
    axes[0, 1].axhspan(*verdict, color=colours.other, alpha=0.3, linewidth=0)
    _from_zero(axes[0, 0], 0.0)
    _from_zero(axes[0, 1], np.asarray(above_floor)[shown])
    rim(axes[1, 1], at, np.asarray(nu_gated)[shown], colours.v)
    for axis, cap in zip(axes[1], caps, strict=True):
        axis.axhline(cap, color=colours.text, linestyle="dotted", linewidth=1.5)
        _unit(axis)


@picture(600, 330)
def edge_of_stability(axes, colours, time, sharpness):
    """Sharpness against the number of steps times their size, a curve for each step size.

    ``sharpness`` maps a step size to values at ``time``; two over the step size is drawn dotted.
    """
    lines, marks = ("dashed", "solid", "dashdot"), ("s", "o", "^")
    for (size, values), line, mark in zip(sharpness.items(), lines, marks, strict=True):
        label = {"path_effects": halo(colours), "va": "bottom"}
        axes.axhline(2 / size, color=colours.other, linestyle="dotted", linewidth=1.5)
        axes.text(time[0], 2 / size, f"2 / {size:g}", **label)
        axes.plot(
            *(time, values, mark), linestyle=line, color=colours.text, label=f"step size {size:g}"
        )
    axes.set_xscale("log")
    axes.set_xticks(time, [f"{t:g}" for t in time])
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_yscale("log")
    axes.set_yticks([10, 100], ["10", "100"])
    axes.set_ylim(5, 3 / min(sharpness))
    axes.set_xlabel("number of steps times their size")
    axes.set_ylabel("sharpness")
    axes.legend(loc="lower right", handlelength=2.5)


@picture(640, 310, panels=(1, 2))
def zero_matrix(axes, colours, step, risks, kappas, prediction):
    """Excess risk and |k.k*| when the zero matrix acts on the tokens, or on the register.

    ``risks`` and ``kappas`` are pairs of (time, repeats); ``prediction`` is where |k.k*| starts
    in the second case, drawn dotted.
    """
    shown = np.asarray(step) > 0
    at = np.asarray(step, float)[shown]
    for axis, both, colour in (
        (axes[0], risks, colours.text),
        (axes[1], np.abs(kappas), colours.k),
    ):
        token, register = (np.asarray(each)[shown] for each in both)
        band(axis, at, token, colour, "solid")
        rim(axis, at, register, colour)
    axes[1].axhline(prediction, color=colours.text, linestyle="dotted", linewidth=1.5)
    for axis in axes:
        log_steps(axis, at)
    _from_zero(axes[0], 0.0)
    _unit(axes[1])
    axes[0].set_ylabel("excess risk")
    axes[1].set_ylabel(r"$|k\cdot k^\star|$, where to look", color=colours.k)


@picture(600, 390)
def phases(axes, colours, step, share, attention, kappa, nu, ends):
    """Medians of four curves, and the two steps at which a new phase begins.

    ``share`` is the excess risk in units of its first value, ``attention`` the weight on the
    informative token; each curve is (time, repeats).
    """
    shown = np.asarray(step) > 0
    at = np.asarray(step, float)[shown]
    curves = {
        "excess risk, rescaled": (share, "text", "dotted"),
        "weight on the right token": (attention, "informative", "solid"),
        r"$|k\cdot k^\star|$, where to look": (np.abs(kappa), "k", "solid"),
        r"$v\cdot v^\star$, what to read": (np.asarray(nu), "v", "solid"),
    }
    for name, (values, own, line) in curves.items():
        middle = np.median(np.asarray(values)[shown], axis=1)
        axes.plot(at, middle, color=getattr(colours, own), linestyle=line, label=name)
    names = ("plateau", "attention snaps", "v polishes")
    edges = (at[0], *ends, at[-1])
    for name, low, high in zip(names, edges[:-1], edges[1:], strict=True):
        axes.text((low * high) ** 0.5, 1.1, name, ha="center", path_effects=halo(colours))
    for end in ends:
        axes.axvline(end, ymax=0.88, color=colours.other, linewidth=1)  # no higher than the names
    axes.legend(loc="upper center", bbox_to_anchor=(0.45, -0.2), ncols=2, handlelength=1.2)
    log_steps(axes, at)
    axes.set_ylim(-0.03, 1.2)
    axes.set_yticks([0, 0.5, 1])


@picture(600, 340)
def live_beside_stored(axes, colours, step, stored, live):
    """Excess risk of some repeats: the stored rows as lines, the same rows computed now as rings.

    ``stored`` and ``live`` are (time, repeats); ``live`` may end before the lines do.
    """
    at = np.asarray(step, float)
    axes.plot(at, stored, color=colours.other, linewidth=1.5)
    axes.plot(at[: len(live)], live, "o", markerfacecolor="none", color=colours.text, markersize=8)
    axes.set_xlabel("step")
    axes.set_ylabel("excess risk")
    axes.set_ylim(0, None)

"""Colors by meaning, settings, captions and marks that all pictures share."""

import html
import json
import re
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace

import numpy as np
from matplotlib import font_manager, patheffects
from matplotlib.ticker import NullFormatter

_POWER = re.compile(r"(?<![\w.])(-?)(\d(?:\.\d+)?)e([+-]\d+)\b")
_SPREAD = re.compile(r"(?<=\d) ± (?=\d)")
_FORMULA = re.compile(r"\\\((?:(?!\\\)).)*\\\)[,.;:?!)]+")
_MINUS = re.compile(r"(?<![\w)])-(?=\.?\d)(?![^<>]*>)")
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def _power(found: re.Match) -> str:
    sign, digits, power = found.groups()
    if float(digits) == 0:
        return "0"
    times = "" if float(digits) == 1 else f"{digits}×"
    return f"{sign.replace('-', '−')}{times}10{str(int(power)).translate(_RAISED)}"


def readable(text: str) -> str:
    """Write powers of ten with raised digits, and keep ``a ± b`` on one line.

    >>> readable("about 3e-16")
    'about 3×10⁻¹⁶'
    """
    return _SPREAD.sub("\u00a0±\u00a0", _POWER.sub(_power, text))


def signed(text: str) -> str:
    """Apply ``readable``, and write minus signs before numbers, except within tags of HTML.

    >>> signed("-1 to 2-3")
    '−1 to 2-3'
    """
    return _MINUS.sub("−", readable(text))


def as_html(caption: str) -> str:
    r"""Escape a caption; each ``\(...\)`` stays on one line with the punctuation after it."""
    text = html.escape(readable(caption), quote=False)
    return _FORMULA.sub(r'<span class="slr-kept">\g<0></span>', text)


def band(axis, step, runs, color, line="solid"):
    """Draw the median and the band of 95% of the runs; up to three runs are drawn one by one."""
    if runs.shape[1] <= 3:
        axis.plot(step, runs, color=color, linestyle=line)
        return
    low, middle, high = np.percentile(runs, [2.5, 50, 97.5], axis=1)
    axis.fill_between(step, low, high, color=color, alpha=0.22, linewidth=0)
    axis.plot(step, middle, color=color, linestyle=line)


def rim(axis, step, runs, color):
    """Draw a second band over a first one: dashed median and outline, without filling."""
    low, middle, high = np.percentile(runs, [2.5, 50, 97.5], axis=1)
    look = {"facecolor": "none", "edgecolor": color, "linestyle": (0, (4, 3)), "linewidth": 0.9}
    axis.fill_between(step, low, high, **look)
    axis.plot(step, middle, color=color, linestyle="dashed")


def log_steps(axis, step):
    """Make the axis of steps logarithmic, from the first step after 0."""
    axis.set_xscale("log")
    axis.xaxis.set_minor_formatter(NullFormatter())
    axis.set(xlim=(step[0], step[-1]), xlabel="step")


def after_start(step):
    """Return the steps to draw on a logarithmic axis: a mask, and these steps.

    Step 0 is left out. Of the steps within one pixel only the first is drawn.
    """
    step = np.asarray(step, float)
    later = np.flatnonzero(step > 0)
    logs = np.log(step[later])
    pixels = np.floor((logs - logs[0]) * PIXELS / max(np.ptp(logs), 1e-9))
    shown = np.zeros(len(step), bool)
    shown[later[np.unique(pixels, return_index=True)[1]]] = True
    return shown, step[shown]


def unit(axis):
    """Set up an axis for values from 0 to 1."""
    axis.set_ylim(-0.03, 1.05)
    axis.set_yticks([0, 0.5, 1])


def same_height(axes):
    """Give several axes the same limits, which contain what all of them show."""
    limits = np.array([axis.get_ylim() for axis in axes])
    for axis in axes:
        axis.set_ylim(limits.min(), limits.max())


def above(axis, name, **look):
    """Write the name of a panel above it."""
    axis.text(0.5, 1.02, name, transform=axis.transAxes, ha="center", va="bottom", **look)


def beside(axis, colors, x, y, words, color, shift=(0, 6), ha="left", va="bottom"):
    """Write a label near the point (x, y), moved by ``shift`` in pixels."""
    look = {"color": color, "ha": ha, "va": va, "path_effects": halo(colors)}
    axis.annotate(words, (x, y), shift, textcoords="offset points", annotation_clip=False, **look)


def curve(axis, colors, x, y, ink, words, at=-1, *place, line="solid", **look):
    """Draw a line with a label near its point number ``at``; ``place`` is passed to ``beside``."""
    color = getattr(colors, ink)
    axis.plot(x, y, color=color, linestyle=line, **look)
    beside(axis, colors, x[at], y[at], words, color, *place)


def dots(axis, colors, simulated):
    """Draw simulated values with two standard errors, from rows (position, mean, error)."""
    at, mean, error = np.asarray(simulated).T
    axis.errorbar(at, mean, 2 * error, fmt="o", color=colors.oracle, markersize=5, capsize=3)


def shares(axis, colors):
    """Set up an axis for fractions of correct answers, with a line at chance."""
    axis.set_ylim(0.22, 1.04)
    axis.set_yticks([0.25, 0.5, 0.75, 1])
    axis.axhline(0.5, color=colors.other, linewidth=1, zorder=0)


def legend_below(axis, columns):
    """Draw one legend below all panels, from what ``axis`` shows, with marks in full color."""
    handles, names = axis.get_legend_handles_labels()
    words = {"loc": "outside lower center", "handlelength": 1.8, "columnspacing": 1.0}
    legend = axis.figure.legend(handles, names, ncols=columns, **words)
    for handle in legend.legend_handles:
        handle.set_alpha(1)


THEMES = ("light", "dark")
_TABLE = json.loads(files("slrbook.picture").joinpath("colors.json").read_text(encoding="utf-8"))
_GROUND = {"light": "#ffffff", "dark": "#121212"}  # of the page; used for halos and open rings only
_PHONE = 358.0  # pixels that a figure gets on a phone 390 pixels wide
SHOWN = 496  # pixels that it gets on a desktop, beside its caption
PIXELS = 300  # about the length of a logarithmic axis of steps
FONT = "Slr Sans"  # the letters of the explorers and headings; see tools/text_fonts.py
for _face in Path(__file__).parent.glob("*.ttf"):
    font_manager.fontManager.addfont(_face)

MARKERS = SimpleNamespace(**{name: entry["marker"] for name, entry in _TABLE.items()})
LINES = SimpleNamespace(**{name: entry["line"] for name, entry in _TABLE.items()})


_COLORS = {
    theme: {name: entry[theme] for name, entry in _TABLE.items()} | {"ground": _GROUND[theme]}
    for theme in THEMES
}
# Stand-ins: a picture is drawn once in these and then colored for each theme (see ``in_theme``).
EITHER = "either"
_COLORS[EITHER] = {name: f"#ff00{i:02x}" for i, name in enumerate(_COLORS["light"])}


def colors(theme: str) -> SimpleNamespace:
    """Return the colors of one theme by meaning: ``k``, ``v``, ``informative``, ..., ``text``.

    ``ground`` is the color of the page, for gaps and edges.
    """
    if theme not in _COLORS:
        raise ValueError(f'theme must be "light" or "dark", got {theme!r}')
    return SimpleNamespace(**_COLORS[theme], theme=theme)


def in_theme(svg: str, theme: str) -> str:
    """Replace the stand-ins in an SVG that was drawn in ``EITHER`` by the colors of ``theme``."""
    for name, stand_in in _COLORS[EITHER].items():
        svg = svg.replace(stand_in, _COLORS[theme][name].lower())
    return svg


def font_size(width: float) -> float:
    """Return the font size in a picture ``width`` pixels wide: 13 pixels or more on a phone."""
    return 13.2 * max(1.0, width / _PHONE)


def settings(theme: str, width: float) -> dict:
    """Return the matplotlib settings for drawing and saving a picture of this theme and width."""
    ink = colors(theme).text
    text = ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color")
    size, scale = font_size(width), max(1.0, width / SHOWN)
    same = ("font.size", "axes.labelsize", "xtick.labelsize", "ytick.labelsize", "legend.fontsize")
    return {
        **dict.fromkeys(text, ink),
        **dict.fromkeys(same, size),
        **dict.fromkeys(("figure.facecolor", "axes.facecolor", "savefig.facecolor"), "none"),
        "font.family": [FONT, "DejaVu Sans"],  # both bundled, so every machine draws the same
        "mathtext.fontset": "custom",
        **{f"mathtext.{name}": FONT for name in ("rm", "sf", "bf", "bfit", "tt", "cal")},
        "mathtext.it": f"{FONT}:italic",
        "mathtext.fallback": "stixsans",
        **dict.fromkeys(("axes.spines.top", "axes.spines.right"), False),
        **dict.fromkeys(("axes.linewidth", "xtick.major.width", "ytick.major.width"), scale),
        "lines.linewidth": 2.0 * scale,
        "lines.markersize": 7.0,
        "legend.frameon": False,
        "figure.dpi": 72,  # so that a point is a pixel
        "svg.fonttype": "path",
        "svg.hashsalt": "slr-book",  # ids in the SVG do not change from build to build
        "path.simplify": True,
    }


def halo(palette: SimpleNamespace, width: float = 4.0) -> list:
    """Return path effects that keep a direct label legible where it crosses marks."""
    return [patheffects.withStroke(linewidth=width, foreground=palette.ground)]

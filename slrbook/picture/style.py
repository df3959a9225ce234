"""Colours with a meaning, and the few settings that every picture shares.

The colours stand in ``colours.json``, which the explorers read too: blue is always k, orange is
always v, green is always the informative token and the oracle pair.
"""

import json
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace

from matplotlib import font_manager, patheffects

THEMES = ("light", "dark")
_TABLE = json.loads(files("slrbook.picture").joinpath("colours.json").read_text(encoding="utf-8"))
_GROUND = {"light": "#ffffff", "dark": "#121212"}  # of the page; used for halos and open rings only
_PHONE = 358.0  # pixels that a figure gets on a phone 390 pixels wide
SHOWN = 496  # pixels that it gets on a desktop, beside its caption
FONT = "Slr Sans"  # the letters of the explorers and headings; see tools/text_fonts.py
for _face in Path(__file__).parent.glob("*.ttf"):
    font_manager.fontManager.addfont(_face)

MARKERS = SimpleNamespace(**{name: entry["marker"] for name, entry in _TABLE.items()})
LINES = SimpleNamespace(**{name: entry["line"] for name, entry in _TABLE.items()})


def check_theme(theme: str) -> str:
    if theme not in THEMES:
        raise ValueError(f'theme must be "light" or "dark", got {theme!r}')
    return theme


def colours(theme: str) -> SimpleNamespace:
    """The colours of one theme by meaning: ``k``, ``v``, ``informative``, ``other``, ..., ``text``.

    ``ground`` is the colour of the page, for what must look cut out of a line.
    """
    theme = check_theme(theme)
    by_name = {name: entry[theme] for name, entry in _TABLE.items()}
    return SimpleNamespace(**by_name, ground=_GROUND[theme], theme=theme)


def font_size(width: float) -> float:
    """Pixels of all text in a picture ``width`` pixels wide: 13 or more once a phone shrinks it."""
    return 13.2 * max(1.0, width / _PHONE)


def settings(theme: str, width: float) -> dict:
    """The matplotlib settings under which a picture of this theme and width is drawn and saved."""
    ink = colours(theme).text
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
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.linewidth": scale,
        "xtick.major.width": scale,
        "ytick.major.width": scale,
        "lines.linewidth": 2.0 * scale,
        "lines.markersize": 7.0,
        "legend.frameon": False,
        "figure.dpi": 72,  # so that a point is a pixel
        "svg.fonttype": "path",
        "svg.hashsalt": "slr-book",  # ids in the SVG do not change from build to build
        "path.simplify": True,
    }


def halo(palette: SimpleNamespace, width: float = 4.0) -> list:
    """Path effects that keep a direct label legible where it crosses marks."""
    return [patheffects.withStroke(linewidth=width, foreground=palette.ground)]

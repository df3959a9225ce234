"""A figure for light and dark pages: two renderings, an alt text and a caption.

To write a new picture, decorate a function that draws arrays on matplotlib axes::

    @picture(600, 320)
    def risks(axes, colors, lam, risk):
        axes.plot(lam, risk, color=colors.k)
        axes.set_xlabel(r"$\\lambda$")

and call it without the first two arguments: ``risks(lam, risk, alt="...", caption="...")``.
"""

import base64
import functools
import gzip
import html
import inspect
import io
from collections.abc import Callable
from pathlib import Path

import matplotlib
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.text import Text
from PIL import Image  # a dependency of matplotlib

from slrbook.picture.style import EITHER, SHOWN, THEMES, as_html, colors, in_theme, settings

DRAWN: dict[str, Callable] = {}  # every function that ``picture`` has created, by name
LARGEST_SVG = 50_000  # bytes, compressed as hosts do; above this a PNG at 2x is smaller

# Exactly one image is visible: the attribute `hidden` decides without CSS, these rules with CSS.
# The dark theme puts a light background under images; a figure has its own dark version instead.
_CSS = Path(__file__).with_suffix(".css").read_text("utf-8")
_STYLE = "<style>" + _CSS.replace("\n", "").replace("SHOWN", str(SHOWN)) + "</style>"


def _with_palette(png: bytes) -> bytes:
    """Reduce a PNG to 256 colors: a third of the bytes, without a visible difference."""
    kept = io.BytesIO()
    image = Image.open(io.BytesIO(png))  # its background is transparent
    few = image.quantize(256, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    few.save(kept, "png", optimize=True)
    return kept.getvalue()


class Picture:
    """A finished figure, shown by Jupyter and the book; ``figure()`` and ``save()`` export it."""

    def __init__(self, draw, *, width, height, panels=(1, 1), alt, caption=""):
        if not isinstance(alt, str) or not alt.strip():
            raise ValueError(f"alt must be a sentence that says what the figure shows, got {alt!r}")
        self._draw, self._panels = draw, panels
        self.width, self.height = width, height
        self.alt, self.caption = " ".join(alt.split()), " ".join(caption.split())

    def figure(self, theme: str = "light") -> Figure:
        """Return a new matplotlib Figure, to modify or to use in a paper."""
        layout = ConstrainedLayoutEngine(w_pad=0.08, h_pad=0.06)  # inches
        with matplotlib.rc_context(settings(theme, self.width)):
            figure = Figure(figsize=(self.width / 72, self.height / 72), layout=layout)
            self._draw(figure.subplots(*self._panels), colors(theme))
        for words in figure.findobj(Text):  # the star of these letters is raised already
            words.set_text(words.get_text().replace(r"^\star", r"{\star}"))
        return figure

    def save(self, path, theme: str = "light", **options) -> None:
        """Write the figure to ``path``; the suffix (.svg, .png, .pdf) sets the format."""
        with matplotlib.rc_context(settings(theme, self.width)):
            self.figure(theme).savefig(path, dpi=144, **options)

    @functools.cached_property
    def _images(self) -> list[str]:
        """A data URI for each theme: an SVG, or a PNG at double resolution if that is smaller."""
        drawn = self._file("svg", EITHER, Date=None, Creator=None).decode()
        kind, images = "svg+xml", [in_theme(drawn, theme).encode() for theme in THEMES]
        if len(gzip.compress(images[0])) > LARGEST_SVG:
            files = (self._file("png", theme, Software=None) for theme in THEMES)
            kind, images = "png", [_with_palette(file) for file in files]
        encoded = (base64.b64encode(image).decode("ascii") for image in images)
        return [f"data:image/{kind};base64,{each}" for each in encoded]

    def _file(self, kind: str, theme: str, **dropped: None) -> bytes:
        """Return the file in one theme, without the metadata that differ from run to run."""
        buffer = io.BytesIO()
        self.save(buffer, theme, format=kind, metadata=dropped)
        return buffer.getvalue()

    def _repr_html_(self) -> str:
        size = f'width="{self.width}" height="{self.height}"'
        alt = html.escape(self.alt)
        light, dark = self._images
        caption = as_html(self.caption)  # Jupyter and the site render \( ... \)
        return (
            f'<figure class="slr-figure">{_STYLE}'
            f'<img class="slr-light" {size} alt="{alt}" src="{light}">'
            f'<img class="slr-dark" hidden {size} alt="{alt}" src="{dark}">'
            + (f"<figcaption>{caption}</figcaption>" if caption else "")
            + "</figure>"
        )

    def __repr__(self) -> str:
        return f"Picture({self.alt!r})"


def picture(width: int = 600, height: int = 340, panels: tuple = (1, 1)):
    """Turn ``draw(axes, colors, ...)`` into a function of ``...`` that returns a ``Picture``.

    Sizes are in pixels of the page. With ``panels = (rows, columns)`` other than (1, 1), ``axes``
    is the array that matplotlib's ``subplots`` gives.
    """

    def decorate(draw: Callable[..., None]) -> Callable[..., Picture]:
        signature = inspect.signature(draw)
        own = list(signature.parameters.values())[2:]
        words = inspect.signature(lambda *, alt, caption="": None).parameters.values()

        @functools.wraps(draw)
        def make(*args, alt, caption="", **kwargs):
            def drawn(axes, palette):
                draw(axes, palette, *args, **kwargs)

            size = {"width": width, "height": height, "panels": panels}
            return Picture(drawn, **size, alt=alt, caption=caption)

        vars(make)["__signature__"] = signature.replace(parameters=[*own, *words])
        DRAWN[draw.__name__] = make
        return make

    return decorate

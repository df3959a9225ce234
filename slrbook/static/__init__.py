"""Files that all explorers of a site share: a classic script, ``slr.js``, and a style, ``slr.css``.

A page loads both once, from local files. The script defines one name, ``slr``; each explorer begins
by unpacking the functions that it offers, such as ``plane``. In JupyterLab the same text is at the
top of each widget's module.
"""

import base64
import functools
import html
import json
import re
import shutil
from pathlib import Path

HERE = Path(__file__).parent
RUNTIME = HERE.with_name("javascript") / "runtime.js"
COLORS = HERE.with_name("picture") / "colors.json"
SCRIPTS = "draw heat square roots starts point frame foot steps controls address page".split()
# Names for explorers:
OFFERED = """erf erfc erfInv pow makeRandom px escapeText plane text textFrom textTo overLeft
overRight line legend curve graph graphInside area rectangle bar arrow marker stream axes square
squareOfM runOnM axesOfSteps corners ENDS atRight beside around apart heat shading root lowest
placeAmong sum evenly softmaxOf kept clamp written fixed minus tenTo count inSteps position
player calm listed importing isHeld experimentOf startsOf startsAt fiveOf ON_M""".split()
# Names for the code that shows explorers:
OUTSIDE = "drawing shown frameMarkup pythonOf truthOf compared widget live made".split()
# Selectors of explorers and of the pictures that a reader's own code draws.
LIGHT = ".slr-explorer, .slr-try"
DARK = (
    "html[data-theme=dark] :is(.slr-explorer, .slr-try), "
    "body[data-jp-theme-light=false] .slr-explorer"
)

FONT = re.compile(r"""url\(["']?([\w-]+\.woff2)["']?\)""")
# The script may run after the explorers of a page have been read, or before.
WAKE = """\
for (const each of window.slrExplorers ?? []) slr.live(...each);
window.slrExplorers = { push: (each) => slr.live(...each) };
"""


@functools.cache
def script() -> str:
    """Return the text of ``slr.js``: runtime of printed functions, drawing, frame and controls."""
    files = [RUNTIME, *(HERE / f"{name}.js" for name in SCRIPTS)]
    text = "\n".join(file.read_text("utf-8") for file in files)
    names = ", ".join(OFFERED + OUTSIDE)
    return (
        "// What all explorers of the site share, under one name.\n"
        f"var slr = (function made() {{\n{text}\nreturn {{ {names} }};\n}})();\n"
    )


def colors(theme: str) -> dict[str, str]:
    """Return the colors of figures and background; for labels, each mixed with the text color."""
    lines = {name: x[theme] for name, x in json.loads(COLORS.read_text("utf-8")).items()}
    words = {f"{name}words": _mixed(color, lines["text"]) for name, color in lines.items()}
    return lines | words | {"ground": "#fff" if theme == "light" else "#121212"}


def _mixed(color: str, text: str) -> str:
    """Mix the color with that of text, so that words in it are legible and still recognized."""
    channels = (bytes.fromhex(x[1:]) for x in (color, text))
    return "#" + "".join(f"{round(0.7 * a + 0.3 * b):02x}" for a, b in zip(*channels, strict=True))


@functools.cache
def style() -> str:
    """Return the text of ``slr.css``; the colors are those of the figures."""
    grounds = {"light": LIGHT, "dark": DARK}
    rules = [
        f"{where} {{ {' '.join(f'--slr-{name}:{x};' for name, x in colors(theme).items())} }}\n"
        for theme, where in grounds.items()
    ]
    names = json.loads(COLORS.read_text("utf-8"))
    words = [f".slr-panel text.{name} {{ fill: var(--slr-{name}words); }}\n" for name in names]
    return "".join([*rules, (HERE / "slr.css").read_text("utf-8"), *words])


def with_fonts(sheet: str, folder: Path = HERE) -> str:
    """Return a style sheet with its fonts, which are files in ``folder``, embedded."""

    def within(found: re.Match) -> str:
        data = base64.b64encode((folder / found[1]).read_bytes()).decode()
        return f"url(data:font/woff2;base64,{data})"

    return FONT.sub(within, sheet)


@functools.cache
def whole_style() -> str:
    """Return the text of ``slr.css`` with embedded fonts, for a page in one file."""
    return with_fonts(style())


def inline() -> str:
    """Return style and script for the head of a page in one file."""
    return f"<style>\n{whole_style()}</style>\n<script>\n{script()}{WAKE}</script>\n"


def alone(title: str, body: str) -> str:
    """Return a page in one file."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(title)}</title>\n{inline()}</head>\n"
        f"<body>\n{body}</body>\n</html>\n"
    )


def write(folder: Path) -> None:
    """Write what pages load to ``folder``; ``slr-class.js`` is for addresses with ``?class``."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "slr.js").write_text(script() + WAKE, "utf-8")
    (folder / "slr.css").write_text(style(), "utf-8")
    lesson = "\n".join((HERE / f"{name}.js").read_text("utf-8") for name in ("qr", "class"))
    (folder / "slr-class.js").write_text(f"(() => {{\n{lesson}\n}})();\n", "utf-8")
    for font in HERE.glob("*.woff2"):
        shutil.copy(font, folder)

"""The picture of an explorer, for a paper or a slide: its own JavaScript draws it in V8.

The panels are side by side in one self-contained SVG, in the light colors of the book.
"""

import base64
import html
import io
import json
import re
from functools import cache

from PIL import Image  # a dependency of matplotlib

from slrbook import static

ASKS = re.compile(
    "<text[^>]*>(?:[^<]*: )?(?:click|drag) [^<]*</text>|; drag the ring[^<]*"
)  # instructions for the mouse
GAP = 14  # pixels between two panels
NO_V8 = "to draw without a browser needs mini-racer: type 'pip install mini-racer'"
NEEDS_BROWSER = "the picture must be one that needs no browser: please save it from the page"

RUN = """
const run = (values, memo) => { // null where the picture waits for a browser
  let result;
  for (const work = explorer.work ? explorer.work(values) : [].values(); ; ) {
    const next = work.next();
    if (next.value) result = next.value;
    if (next.done) return explorer.draw(values, result, memo);
    if (next.value === null) return null;
  }
};
"""
_DRAW = """
{
  const picture = run(values, memo);
  const points = values.seed ? [] : (explorer.points ?? []); // random starts are not the ring
  const starts = (p, i) => points.filter(({ panel }) => panel === i)
    .map(({ x, y }) => slr.marker("ring", p.X(values[x]), p.Y(values[y]), 7, "text")).join("");
  const panels = picture && explorer.panels.map((p, i) => ({
    width: p.width, height: p.height, inside: picture.panels[i] + starts(p, i),
    box: [p.left, p.top, p.width - p.left - p.right, p.height - p.top - p.bottom],
    heat: explorer.heatPanel === i && picture.heat
      ? { ...picture.heat, rgba: [...picture.heat.rgba] } : null,
  }));
  JSON.stringify(picture && { panels, reading: picture.reading, figures: picture.figures });
}
"""


def seen(program: str, values: dict, memo: dict) -> dict:
    """Return what ``program`` shows at ``values``: panels, reading and figures."""
    return evaluated(program, values, memo, _DRAW)


def evaluated(program: str, values: dict, memo: dict, ending: str) -> dict:
    """Run ``program`` and then ``ending`` in V8; return the value of its JSON text."""
    try:
        from py_mini_racer import JSEvalException, MiniRacer
    except ModuleNotFoundError:
        raise ModuleNotFoundError(NO_V8) from None
    begin = f"const values = {json.dumps(values)}, memo = {json.dumps(memo)};\n"
    racer = MiniRacer()
    try:
        found = json.loads(str(racer.eval(program + begin + RUN + ending)))
    except JSEvalException as wrong:
        said = str(wrong).strip().splitlines()[0]
        raise ValueError(f"{NEEDS_BROWSER}; the script reports: {said}") from wrong
    finally:
        racer.close()
    if found is None:
        raise ValueError(NEEDS_BROWSER)
    return found


@cache
def style() -> str:
    """Return the page's style sheet for drawings, with the colors of the light theme inserted."""
    light = static.colors("light")
    every = re.findall(r"^\.slr-panel (?!svg)(.*)", static.style(), re.M)
    own = [rule for rule in every if not rule.startswith(".slr-")]
    rules = [rule.replace(".slr-panel ", "") for rule in own]  # a rule may have several selectors
    drawn = re.sub(r"var\(--slr-(\w+)\)", lambda found: light[found[1]], "\n".join(rules))
    greek = re.findall(r'^@font-face.*"Slr Greek".*', static.style(), re.M)  # else nu looks like v
    return static.with_fonts("\n".join(greek)) + "\n" + drawn


def png(heat: dict) -> str:
    """Return the data URI of a heat map as an RGB image, without transparency."""
    file = io.BytesIO()
    size = heat["width"], heat["height"]
    image = Image.frombytes("RGBA", size, bytes(heat["rgba"])).convert("RGB")
    image.save(file, "PNG", optimize=True)
    return f"data:image/png;base64,{base64.b64encode(file.getvalue()).decode()}"


def panel(drawn: dict, x: float) -> str:
    """Return a panel as a nested SVG with left edge ``x``, on top of its heat map if it has one."""
    width, height, image = drawn["width"], drawn["height"], ""
    if heat := drawn["heat"]:
        place = 'x="{}" y="{}" width="{}" height="{}"'.format(*drawn["box"])
        image = f'<image {place} opacity=".34" preserveAspectRatio="none" href="{png(heat)}"/>'
    place = f'x="{x}" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    return f'<svg {place} overflow="visible">{image}{ASKS.sub("", drawn["inside"])}</svg>'


def svg(title: str, found: dict) -> str:
    """Return a self-contained SVG of the panels that ``seen`` returned."""
    panels, x, parts = found["panels"], GAP, []
    for each in panels:
        parts.append(panel(each, x))
        x += each["width"] + GAP
    size = x, max(each["height"] for each in panels)
    text = static.colors("light")["text"]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size[0]}" height="{size[1]}" '
        f'viewBox="0 0 {size[0]} {size[1]}" color="{text}" font-family="Slr Greek, sans-serif">\n'
        f"<title>{html.escape(title)}</title>\n<desc>{html.escape(found['reading'])}</desc>\n"
        f'<style>\n{style()}\n</style>\n<rect width="100%" height="100%" fill="#fff"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )

"""Helpers of the explorers' browser tests: pages, drawings, no foreign requests, accessibility."""

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe

from slrbook import static

# A content policy that allows only the site itself and the content of a page; Playwright needs
# 'unsafe-eval' for waiting.
POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src data:; worker-src blob:"
)
HEAD = (
    '<!doctype html><html lang="en" data-theme="{theme}"><head><meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width"><title>explorers</title>{common}</head>'
    '<body style="margin:16px;background:{ground};color:{ink}">'
    "<main><h1>Explorers</h1>{body}</main></body>"
)


HANDS = Path(__file__).with_name("hands.js").read_text("utf-8")
AXE = Path(__file__).with_name("axe.js").read_text("utf-8")


def page_of(*widgets, theme="light", policy=""):
    body = "\n".join(widget.static_html() for widget in widgets)
    ground, ink = {"light": ("#fff", "#111"), "dark": ("#121212", "#eee")}[theme]
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">' if policy else ""
    common = meta + static.inline()
    return HEAD.format(theme=theme, common=common, ground=ground, ink=ink, body=body)


def folder_of(policy="", **pages):
    """Return a fixture for the folder of these pages, each of which shows some explorers.

    A page called ``dark`` is in the dark theme.
    """

    @pytest.fixture(scope="module")
    def folder(tmp_path_factory):
        folder = tmp_path_factory.mktemp("pages")
        for name, explorers in pages.items():
            theme = "dark" if name == "dark" else "light"
            text = page_of(*(explorer() for explorer in explorers), theme=theme, policy=policy)
            (folder / f"{name}.html").write_text(text, "utf-8")
        return folder

    return folder


# Work is divided into slices, one per frame: a slow machine needs more of them.
RESTED = """async () => {
  const frame = () => new Promise(requestAnimationFrame);
  const busy = () => document.querySelector('.slr-explorer[aria-busy=true]');
  await frame();
  while (busy()) await frame();
  await frame();
}"""
DRAWN = """e => [...e.querySelectorAll('.slr-panels svg')].map(s => s.innerHTML).join('')
  + e.querySelector('.slr-panels').textContent"""
# Whether the drawing, after all work, equals the given one (or differs from it).
IS_DRAWN = f"""([e, drawn, same]) => e.ariaBusy !== 'true' && (({DRAWN})(e) === drawn) === same"""
SOON = 180_000  # milliseconds; a fast machine shows a change at once


def rested(page):
    """Wait until no explorer of the page is working and its results are painted."""
    page.evaluate(RESTED)


def drawing(explorer):
    """The drawing after all work is done; for a change still to come see ``moved``."""
    rested(explorer.page)
    return explorer.evaluate(DRAWN)


def _drawn(explorer, drawn, same):
    given = [explorer.element_handle(), drawn, same]
    explorer.page.wait_for_function(IS_DRAWN, arg=given, timeout=SOON)
    return explorer.evaluate(DRAWN)


def moved(explorer, before):
    """The drawing, once it differs from ``before``: a busy page handles input late."""
    return _drawn(explorer, before, False)


def back(explorer, before):
    """The drawing, once it equals ``before`` again."""
    return _drawn(explorer, before, True)


def settled(page):
    return drawing(page.locator(".slr-explorer"))


def reset(explorer):
    """Click the button under *More* that restores the paper's values."""
    explorer.locator(".slr-reset").dispatch_event("click")


def says(explorer, words):
    """Wait until an explorer has done its work and its reading contains these words."""
    rested(explorer.page)
    explorer.locator(".slr-reading", has_text=words).wait_for(timeout=SOON)


def quiet(page):
    assert page.foreign == []
    assert page.errors == [], page.errors


# [which, pixels] of each text element of an explorer.
WORDS = """() => [...document.querySelectorAll('.slr-explorer svg text')]
  .filter(e => e.getClientRects().length)
  .map(e => [`${e.closest('.slr-explorer').id} ${e.textContent}`,
    parseFloat(getComputedStyle(e).fontSize) * e.ownerSVGElement.getScreenCTM().a])"""


COLORS = ["color-contrast", "link-in-text-block"]  # the rules to check again in the other theme


def accessible(page, only=None, known=frozenset()):
    """Check that axe reports no serious violation, by all its rules or by those in ``only``.

    Return the kinds of text on the page; colors of ``known`` kinds are not checked again.
    """
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(Axe().axe_script)
    found, kinds = page.evaluate(AXE, [only, [*known]])
    assert found == []
    return kinds

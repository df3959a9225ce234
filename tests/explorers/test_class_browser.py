"""`?class` on a page: one explorer fills the window, with large text and a QR code of its state."""

import hashlib
import json
from pathlib import Path

import pytest
from explored import rested, says
from js import Engine

from slrbook import static

pytestmark = pytest.mark.browser

# All visible text: [text, pixels], with labels in a picture at their displayed size.
LETTERS = """() => {
  const found = [];
  const stage = document.querySelector('.slr-stage');
  const walk = document.createTreeWalker(stage, NodeFilter.SHOW_TEXT);
  for (let node; (node = walk.nextNode()); ) {
    const at = node.parentElement, drawn = at.ownerSVGElement;
    if (!node.textContent.trim() || at.matches('option, title, script')) continue;
    if (!at.checkVisibility({ visibilityProperty: true }) || !at.getClientRects().length) continue;
    const scale = drawn ? drawn.getScreenCTM().a : 1;
    found.push([node.textContent, parseFloat(getComputedStyle(at).fontSize) * scale]);
  }
  return found;
}"""
ENCODER = """class TextEncoder {
  encode(words) { return [...words].map((letter) => letter.charCodeAt(0)); }
}"""  # missing in V8 without a browser
SHOWN = ".slr-stage .slr-explorer"


def test_an_explorer_fills_the_window_and_its_code_leads_to_its_state(open_page):
    lesson = open_page("book/intro.html?class#puzzle:lam=0.05", 1920, height=1080)
    lesson.locator(".slr-stage[open]").wait_for()
    rested(lesson)
    code = lesson.get_by_role("img", name="QR code of http")
    assert code.get_attribute("aria-label").endswith("/book/intro.html#puzzle:lam=0.05")
    names = []
    for _ in range(lesson.locator(".slr-explorer").count()):
        names.append(lesson.locator(SHOWN).get_attribute("data-name"))
        small = [(words, pixels) for words, pixels in lesson.evaluate(LETTERS) if pixels < 20]
        assert small == []
        box = lesson.locator(SHOWN).bounding_box()
        assert box["width"] > 1400 and box["y"] + box["height"] <= 1080
        lesson.keyboard.press("PageDown")
        rested(lesson)
    assert names[0] == "puzzle" == lesson.locator(SHOWN).get_attribute("data-name")
    assert len(set(names)) == len(names) > 1
    lesson.locator(".slr-stage .slr-more summary").first.click()
    lesson.keyboard.press("Escape")
    assert lesson.locator(".slr-stage .slr-more[open]").count() == 0
    assert lesson.locator(".slr-stage[open]").count() == 1
    lesson.keyboard.press("Escape")
    assert lesson.locator(".slr-stage[open]").count() == 0
    assert "class" not in lesson.evaluate("location.search")
    says(lesson.locator(".slr-explorer[data-name=puzzle]"), "descent")


def test_solutions_are_hidden_as_long_as_the_class_lasts(open_page):
    page = open_page("book/task.html?class", 1920, height=1080)
    page.locator(".slr-stage[open]").wait_for()
    solutions = page.locator("details.solution")
    assert solutions.count() and not any(each.is_visible() for each in solutions.all())
    page.keyboard.press("Escape")
    assert all(each.is_visible() for each in solutions.all())


def test_the_code_is_one_that_was_read():
    """Hashes of codes that OpenCV decoded; the tests do not need OpenCV."""
    engine = Engine(ENCODER, (Path(static.__file__).parent / "qr.js").read_text("utf-8"))
    state = "&".join(f"name{i}=0.1234" for i in range(9))
    for words, known in (
        ("intro.html#puzzle:lam=0.05", "1514f71b80b80ecd"),
        (f"laboratory.html#laboratory:{state}", "e60b5caf9afc0de5"),
    ):
        address = json.dumps(f"https://book.example/{words}")
        rows = engine.value(f"qr({address}).map((row) => row.map(Number).join('')).join('\\n')")
        assert hashlib.sha256(rows.encode()).hexdigest().startswith(known)

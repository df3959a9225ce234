"""`?class` on a page: one explorer fills the window, in large letters, with a code to its state."""

import pytest
import qr
from browsing import fresh_page
from explored import rested, says

pytestmark = pytest.mark.browser

# All that is seen: [words, pixels], those of a picture as they are shown.
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
CODE = """() => {
  const path = document.querySelector('.slr-qr path').getAttribute('d');
  const dark = [...path.matchAll(/M(\\d+),(\\d+)/g)].map(([, x, y]) => [+x, +y]);
  const size = document.querySelector('.slr-qr svg').viewBox.baseVal.width - 8;
  const rows = Array.from({ length: size }, () => Array(size).fill(false));
  for (const [x, y] of dark) rows[y][x] = true;
  return rows;
}"""
SHOWN = ".slr-stage .slr-explorer"


@pytest.fixture
def lesson(browser, site):
    with fresh_page(browser, viewport={"width": 1920, "height": 1080}) as page:
        page.goto(f"{site}book/intro.html?class#puzzle:lam=0.05")
        page.locator(".slr-stage[open]").wait_for()
        rested(page)
        yield page


def test_an_explorer_fills_the_window_in_letters_for_the_last_row(lesson):
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
    lesson.keyboard.press("ArrowLeft")
    assert lesson.locator(SHOWN).get_attribute("data-name") == names[-1]


def test_the_code_leads_to_the_state_that_is_shown(lesson):
    text, failed = qr.read(lesson.evaluate(CODE))
    assert (text.split("/")[-1], failed) == ("intro.html#puzzle:lam=0.05", 0)
    lesson.locator(".slr-stage .slr-first").click()
    lesson.wait_for_function("location.hash !== '#puzzle:lam=0.05'")
    text, failed = qr.read(lesson.evaluate(CODE))
    assert (text.split("#")[-1], failed) == (lesson.evaluate("location.hash.slice(1)"), 0)


def test_escape_closes_what_is_open_and_then_leaves_to_the_page(lesson):
    more = lesson.locator(".slr-stage .slr-more summary").first
    more.click()
    lesson.keyboard.press("Escape")
    assert lesson.locator(".slr-stage[open] .slr-more[open]").count() == 0
    assert lesson.locator(".slr-stage[open]").count() == 1
    lesson.keyboard.press("Escape")
    assert lesson.locator(".slr-stage[open]").count() == 0
    assert "class" not in lesson.evaluate("location.search")
    assert lesson.locator(".slr-stage .slr-explorer").count() == 0
    says(lesson.locator(".slr-explorer[data-name=puzzle]"), "descent")


def test_solutions_are_hidden_as_long_as_the_class_lasts(browser, site):
    with fresh_page(browser, viewport={"width": 1920, "height": 1080}) as page:
        page.goto(f"{site}book/task.html?class")
        page.locator(".slr-stage[open]").wait_for()
        solutions = page.locator(".solution")
        assert solutions.count() and not any(each.is_visible() for each in solutions.all())
        page.keyboard.press("Escape")
        assert all(each.is_visible() for each in solutions.all())

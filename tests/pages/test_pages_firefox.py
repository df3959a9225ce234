"""Firefox on pages with features in which browsers differ: formulas, controls, workers."""

import browsing
import pytest
from explored import HANDS, WORDS, quiet
from test_mathml import FONT, PREDICTOR
from test_pages import SEARCH, UNSET_FORMULAS, fits

PAGES = ["intro", "predictor", "lambda_must_fall", "pair_in_language", "laboratory"]
OF_A_KIND = "([i, what]) => hands(i, what).length"
# A key goes to the focused element; the page may get the focus only after it has loaded.
FOCUS = """async hand => {
  const e = theHand(...hand);
  const ready = () => document.hasFocus() && document.activeElement === e;
  for (const end = performance.now() + 60000; performance.now() < end; ) {
    e.focus({preventScroll: true});
    if (ready()) break;
    await new Promise(requestAnimationFrame);
  }
  if (!ready()) throw new Error(`${called(e)} gets no focus`);
  listen(e);
  return [e.type === 'range' && e.value === e.max ? 'at its end' : e.type, called(e)];
}"""
MIDDLE = """hand => {
  const e = theHand(...hand);
  e.scrollIntoView({block: 'center', behavior: 'instant'});
  listen(e);
  const box = e.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
}"""
KEY = {"range": "End", "at its end": "Home", "number": "ArrowUp", "select-one": "ArrowDown"}
KEY |= {"checkbox": "Space", "button": "Enter"}


def press(page, hand):
    kind, name = page.evaluate(FOCUS, hand)
    page.press(KEY[kind])
    return name


def move(page, hand):
    name = page.evaluate(FOCUS, hand)[1]
    for key in ("ArrowLeft", "ArrowUp"):
        page.press(key)
    return name


def drag(page, hand):
    x, y = page.evaluate(MIDDLE, hand)
    page.drag((x, y), (x - 30, y + 40))
    return "drag"


def click(page, hand):
    page.click(page.evaluate(MIDDLE, hand))
    return page.evaluate("hand => called(theHand(...hand))", hand)


# One control of each kind: its selector, how it is used, the resulting event.
INPUTS = ("[type=range]", "[type=number]", "[type=checkbox]", "select:not(.slr-menu)", ".slr-menu")
USES = [(what, press, "input") for what in INPUTS]
USES += [(".slr-point", move, "keydown"), (".slr-point", drag, "pointerdown")]
USES += [(".slr-action", click, "click"), (".slr-choices button", press, "click")]


def use(page, how, hand, kind):
    """Use a control until the page receives the event; undo the changes of failed attempts."""
    for again in range(3):
        if again:
            page.evaluate("goBack", hand[0])
        name = how(page, hand)
        if page.evaluate("hears", kind):
            if how is press:
                assert page.evaluate("hand => document.activeElement === theHand(...hand)", hand)
            return name
    raise AssertionError(f"{name} hears no {kind}")


def turned_dark(page):
    for _ in range(3):
        if page.evaluate("document.documentElement.dataset.theme") == "dark":
            return
        page.evaluate("document.querySelector('.theme-switch-button').click()")
    raise AssertionError("the page has no dark theme")


# Firefox reports this for a formula laid out while the page is still being parsed. Instead, the
# test checks the finished formulas: each element with a fixed number of children has them.
HALF_PARSED = "Invalid markup: Incorrect number of children"
INCOMPLETE = """() => {
  const counts = {mfrac: 2, mroot: 2, msub: 2, msup: 2, msubsup: 3, munder: 2, mover: 2};
  counts.munderover = 3;
  return Object.entries(counts).flatMap(([tag, count]) => [...document.querySelectorAll(tag)]
    .filter(({children}) => children.length !== count).map(({outerHTML}) => outerHTML));
}"""


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_whole_and_its_hands_move_and_it_turns_dark_and_narrow(firefox, site, path):
    firefox.resize(1280)
    firefox.goto(f"{site}book/{path}.html")
    firefox.evaluate(browsing.AT_ONCE)
    firefox.evaluate(SEARCH)
    browsing.settle(firefox)
    assert firefox.evaluate(UNSET_FORMULAS) == [] and firefox.evaluate(INCOMPLETE) == []
    fits(firefox)
    for i, _ in enumerate(firefox.evaluate(HANDS)):
        firefox.evaluate("goBack", i)
        firefox.evaluate("keep", i)
        for what, how, kind in USES:
            if firefox.evaluate(OF_A_KIND, [i, what]):
                name = use(firefox, how, [i, what, 0], kind)
                picture, words = firefox.evaluate("changes", i)
                assert picture, f"{name} changes no picture"
                # Another random sequence may have the same text.
                assert words or how is click, f"{name} changes no words"
                firefox.evaluate("goBack", i)
                assert firefox.evaluate("returns", i), f"no way back from {name}"
    turned_dark(firefox)
    firefox.resize(390)
    browsing.settle(firefox)
    fits(firefox)
    assert firefox.evaluate("document.documentElement.scrollWidth") <= 390
    assert [(word, size) for word, size in firefox.evaluate(WORDS) if size < 13] == []
    firefox.evaluate("localStorage.clear()")  # the next page starts in the light theme
    firefox.errors = [error for error in firefox.errors if not error.startswith(HALF_PARSED)]
    quiet(firefox)


@pytest.mark.usefixtures("site")
def test_a_page_opened_as_a_file_has_the_font_of_formulas(firefox):
    firefox.goto(PREDICTOR.as_uri())
    firefox.evaluate(browsing.AT_ONCE)
    browsing.settle(firefox)
    assert firefox.evaluate(FONT) == ["loaded"]

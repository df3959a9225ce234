"""The built pages in Firefox: each once, at 1280 pixels and light, then turned narrow and dark."""

import functools
import re

import browsing
import pytest
from explored import HANDS, legible, quiet
from test_pages import UNSET_FORMULAS, contents, fits

NARROW = 390
OF_A_KIND = "([i, what]) => hands(i, what).length"
# A key goes where the window has its focus: the page, which may get it after it has loaded.
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


@pytest.fixture(scope="module", params=contents())
def page(firefox, site, request):
    """Firefox with this page, light and wide; the tests of the page follow one another."""
    firefox.resize(1280)
    firefox.goto(site + request.param)
    firefox.evaluate(browsing.AT_ONCE)
    browsing.settle(firefox)
    firefox.path = request.param
    yield firefox
    firefox.evaluate("localStorage.clear()")  # the next page is light again


def theme(page):
    return page.evaluate("document.documentElement.dataset.theme")


def test_a_page_is_whole_and_alone(page):
    assert theme(page) == "light"
    assert page.evaluate(UNSET_FORMULAS) == []
    fits(page)
    quiet(page)


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


# One hand of each kind: where it is, how it is used, what the page hears then. Chromium uses all.
INPUTS = ("[type=range]", "[type=number]", "[type=checkbox]", "select:not(.slr-menu)", ".slr-menu")
USES = [(what, press, "input") for what in INPUTS]
USES += [(".slr-point", move, "keydown"), (".slr-point", drag, "pointerdown")]
USES += [(".slr-action", click, "click"), (".slr-choices button", press, "click")]


def use(page, how, hand, kind):
    """Use a hand until the page hears it; what a first try has moved is moved back."""
    for again in range(3):
        if again:
            page.evaluate("goBack", hand[0])
        name = how(page, hand)
        if page.evaluate("hears", kind):
            if how is press:
                assert page.evaluate("hand => document.activeElement === theHand(...hand)", hand)
            return name
    raise AssertionError(f"{name} hears no {kind}")


@functools.cache
def first_pages():
    """Each explorer, by name, and the first page that has it."""
    found = {}
    for path in contents():
        text = (browsing.SITE / path).read_text("utf-8")
        for name in re.findall(r'<div class="slr-explorer[^>]* data-name="(\w+)"', text):
            found.setdefault(name, path)
    return found


def test_a_hand_of_each_kind_changes_picture_and_words_and_reset_brings_them_back(page):
    first = first_pages()
    names = page.evaluate(HANDS)
    assert set(names) <= set(first)
    for i, explorer in enumerate(names):
        if first[explorer] != page.path:
            continue
        page.evaluate("goBack", i)
        page.evaluate("keep", i)
        for what, how, kind in USES:
            if page.evaluate(OF_A_KIND, [i, what]):
                name = use(page, how, [i, what, 0], kind)
                picture, words = page.evaluate("changes", i)
                assert picture, f"{name} changes no picture"
                # A new draw may say as much.
                assert words or how is click, f"{name} changes no words"
                page.evaluate("goBack", i)
                assert page.evaluate("returns", i), f"no way back from {name}"
    quiet(page)


def test_turned_dark_and_narrow(page):
    for _ in range(3):
        if theme(page) != "dark":
            page.evaluate("document.querySelector('.theme-switch-button').click()")
    page.resize(NARROW)
    browsing.settle(page)
    assert theme(page) == "dark"
    fits(page)
    if page.evaluate(HANDS):
        legible(page, NARROW)
    quiet(page)

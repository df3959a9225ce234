"""The built pages in Firefox: each once, at 1280 pixels and light, then turned narrow and dark."""

import browsing
import pytest
from explored import legible, quiet
from test_pages import UNSET_FORMULAS, contents, fits

NARROW = 390
# What a reader sees of an explorer, in pictures and in words; to wait for it; and the way back to
# the paper's values, from thirty random starts to the reader's own, which the controls move.
EYES = """() => {
  const explorers = [...document.querySelectorAll('.slr-explorer')];
  const all = (i, what, see) => [...explorers[i].querySelectorAll(what)].map(see).join('; ');
  const look = i => all(i, '.slr-panels svg', e => e.innerHTML)
    + all(i, '.slr-panels canvas', e => e.toDataURL()) + all(i, '.slr-action', e => e.textContent)
    + all(i, '.slr-choices button', e => e.getAttribute('aria-pressed'));
  const read = i => all(i, '.slr-reading, .slr-value', e => e.textContent)
    + all(i, 'select, [type=number]', e => e.value) + all(i, '[type=checkbox]', e => e.checked);
  const frame = () => new Promise(requestAnimationFrame);
  const [picture, words] = [[], []];
  const rests = async (i, frames) => {
    const end = performance.now() + 60000;
    for (let [seen, still] = ['', 0]; still < frames && performance.now() < end; await frame()) {
      const [now, busy] = [look(i), String(explorers[i].ariaBusy) === 'true'];
      [seen, still] = [now, now === seen && !busy ? still + 1 : 0];
    }
  };
  const found = {}; // at rest: what can be used then
  window.hands = (i, what) => (found[`${i} ${what}`] ??= [...explorers[i].querySelectorAll(what)]
    .filter(e => e.getAttribute('aria-disabled') !== 'true'));
  window.theHand = (i, what, n) => hands(i, what)[n];
  window.goBack = i => {
    const menu = theHand(i, '.slr-menu', 0);
    if (menu && !picture[i]) { // it rests on its stored picture, which has fewer points
      menu.value = menu.length - 1;
      menu.dispatchEvent(new Event('change'));
    }
    hands(i, '.slr-action').find(e => e.textContent === 'let go')?.click(); // reset keeps it
    theHand(i, '.slr-reset', 0).click();
    if (theHand(i, '.slr-action', 0)?.textContent === 'roll 30 starts')
      theHand(i, '.slr-point', 0).dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight'}));
  };
  window.keep = async i => {
    await rests(i, 10);
    [picture[i], words[i]] = [look(i), read(i)];
  };
  window.changes = async i => { // a key may reach a busy page late
    const end = performance.now() + 60000;
    while (look(i) === picture[i] && performance.now() < end) await frame();
    await rests(i, 4);
    return [look(i) !== picture[i], read(i) !== words[i]];
  };
  window.returns = async i => {
    const end = performance.now() + 300000;
    const plain = text => text.replaceAll(' saved', ''); // a file stays where it is
    while (plain(look(i)) !== plain(picture[i]) || read(i) !== words[i])
      if (performance.now() < end) await frame(); else return false;
    return true;
  };
  explorers.forEach(e => e.querySelectorAll('details').forEach(d => (d.open = true)));
  return explorers.length;
}"""
HANDS = "([i, what]) => hands(i, what).length"
FOCUS = """hand => {
  const e = theHand(...hand);
  e.focus({preventScroll: true});
  const end = e.type === 'range' && e.value === e.max ? 'at its end' : e.type;
  return [end, e.dataset.name ?? (e.getAttribute('aria-label') || e.textContent)];
}"""
MIDDLE = """hand => {
  const e = theHand(...hand);
  e.scrollIntoView({block: 'center', behavior: 'instant'});
  const box = e.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
}"""
KEY = {"range": "End", "at its end": "Home", "number": "ArrowUp", "select-one": "ArrowDown"}
KEY |= {"checkbox": "Space", "button": "Enter"}


# Firefox lets the transition of an unseen button wait for ever, and `settle` with it.
AT_ONCE = """() => {
  const style = document.createElement('style');
  style.textContent = '*, ::before, ::after { transition: none !important }';
  document.head.append(style);
}"""


@pytest.fixture(scope="module", params=contents())
def page(firefox, site, request):
    """Firefox with this page, light and wide; the tests of the page follow one another."""
    firefox.resize(1280)
    firefox.goto(site + request.param)
    firefox.evaluate(AT_ONCE)
    browsing.settle(firefox)
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
    assert page.evaluate("hand => document.activeElement === theHand(...hand)", hand)
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
    return page.evaluate(FOCUS, hand)[1]


USES = [("input, select", press), (".slr-point", move), (".slr-point", drag)]
USES += [(".slr-action", click), (".slr-choices button", press)]


def test_each_hand_changes_picture_and_words_and_reset_brings_them_back(page):
    for i in range(page.evaluate(EYES)):
        page.evaluate("goBack", i)
        page.evaluate("keep", i)
        for what, use in USES:
            for n in range(page.evaluate(HANDS, [i, what])):
                name = use(page, [i, what, n])
                picture, words = page.evaluate("changes", i)
                assert picture, f"{name} changes no picture"
                assert words or use is click, (
                    f"{name} changes no words"
                )  # a new draw may say as much
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
    if page.evaluate(EYES):
        legible(page, NARROW)
    quiet(page)

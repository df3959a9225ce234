"""The state in the address: stored links keep working, a hand writes them, anchors stay anchors."""

import json
from pathlib import Path

import pytest
from browsing import fresh_page, served
from explored import page_of, quiet, rested

from slrbook.explorers import find_token, puzzle, the_landscape, where_does_it_look

pytestmark = pytest.mark.browser

LINKS = json.loads(Path(__file__).with_name("links.json").read_text("utf-8"))
TALL = '<div style="height:1500px"><h2 id="section">A section</h2></div>'


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("links")
    four = [puzzle(), find_token(), where_does_it_look(), the_landscape()]
    page = page_of(*four).replace("<h1>", f"{TALL}<h1>")
    (folder / "four.html").write_text(page, "utf-8")
    twice = page_of(puzzle(), puzzle(lam=0.05))
    (folder / "twice.html").write_text(twice, "utf-8")
    return folder


@pytest.fixture(scope="module")
def place(folder):
    with served(folder) as address:
        yield address


def idle(page):
    """Wait until all work is done, and the timer over that writes the address after it."""
    rested(page)
    page.evaluate("new Promise(done => setTimeout(done, 100))")


def address(page):
    return page.evaluate("location.href")


def reading(page, name):
    return page.locator(f".slr-explorer[data-name={name}] .slr-reading").inner_text()


IN_SIGHT = """name => {
  const { top } = document.querySelector(`.slr-explorer[data-name=${name}]`)
    .getBoundingClientRect();
  return -2 <= top && top < innerHeight / 2;
}"""
AT_SECTION = """() => {
  const { top } = document.querySelector('#section').getBoundingClientRect();
  return -1 <= top && top < 50;
}"""


@pytest.fixture(scope="module")
def unmoved(pages, place):
    """What each of the four says where the address says nothing."""
    page = pages.take(place + "four.html", 1280, "light")
    idle(page)
    said = {name: reading(page, name) for name in ("puzzle", "find_token", "where", "landscape")}
    pages.give_back(page)
    return said


@pytest.mark.parametrize("link", LINKS)
def test_a_stored_link_shows_what_it_showed(open_page, place, unmoved, link):
    page = open_page(place + "four.html" + link)
    idle(page)
    for name, words in LINKS[link].items():
        assert reading(page, name).startswith(words), name
    first = next(iter(LINKS[link]))
    page.wait_for_function(IN_SIGHT, arg=first)  # scrolled there, as far as the page is long
    for name in set(unmoved) - set(LINKS[link]):
        assert reading(page, name) == unmoved[name]
    quiet(page)


def test_a_hand_writes_the_address_and_the_address_brings_the_state(open_page, place):
    page = open_page(place + "four.html")
    idle(page)
    assert "#" not in address(page)  # nothing was touched
    for name in ("where", "puzzle"):
        slider = page.locator(f".slr-explorer[data-name={name}] input[data-name=lam]")
        slider.focus()
        page.keyboard.press("PageUp")
        page.wait_for_function("name => location.hash.includes(`${name}:lam=`)", arg=name)
        idle(page)
    there = address(page).split("#")[1]
    assert there.startswith("puzzle:lam=") and ";where:lam=" in there
    other = open_page(address(page))
    idle(other)
    for name in ("puzzle", "where"):
        assert reading(other, name) == reading(page, name)
    for name in ("where", "puzzle"):
        page.locator(f".slr-explorer[data-name={name}] .slr-reset").dispatch_event("click")
        page.wait_for_function("name => !location.hash.includes(name)", arg=name)
    assert "#" not in address(page)
    quiet(page)
    quiet(other)


def test_a_link_within_the_page_and_an_anchor(open_page, place):
    page = open_page(place + "four.html")
    idle(page)
    page.evaluate("location.hash = '#landscape:kappa0=0&nu0=0'")
    page.wait_for_function(
        "document.querySelector('[data-name=landscape] .slr-reading')"
        ".textContent.includes('at the saddle')"
    )
    page.wait_for_function(IN_SIGHT, arg="landscape")
    rested(page)
    words = reading(page, "landscape")
    page.evaluate("location.hash = '#section'")
    page.wait_for_function(AT_SECTION)
    idle(page)
    assert address(page).endswith("#section")
    assert reading(page, "landscape") == words  # an anchor changes no picture
    quiet(page)


def test_the_button_copies_the_link(open_page, place):
    page = open_page(place + "four.html")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    idle(page)
    explorer = page.locator(".slr-explorer[data-name=landscape]")
    explorer.locator(".slr-point").focus()
    page.keyboard.press("ArrowUp")
    page.wait_for_function("location.hash.endsWith('nu0=-0.37')")
    explorer.get_by_text("More", exact=True).click()
    explorer.get_by_role("button", name="copy link").click()
    explorer.get_by_role("button", name="copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == place + "four.html#landscape:nu0=-0.37" == address(page)
    quiet(page)


def test_two_of_a_kind_have_each_their_name(open_page, place):
    page = open_page(place + "twice.html#puzzle.2:lam=1")
    idle(page)
    said = page.locator(".slr-reading").all_inner_texts()
    assert said[0].startswith("Yes: descent recovers") and "on the plateau" in said[1]
    again = open_page(place + "twice.html")  # the second begins where its cell says
    idle(again)
    again.locator(".slr-reset").nth(1).dispatch_event("click")
    again.wait_for_function("location.hash === '#puzzle.2:'")
    idle(again)
    assert len(set(again.locator(".slr-reading").all_inner_texts())) == 1
    quiet(page)


def test_from_a_file(browser, folder):
    with fresh_page(browser) as page:
        page.goto((folder / "four.html").as_uri() + "#puzzle:kappa0=0&nu0=0")
        idle(page)
        assert "descent is at the saddle" in reading(page, "puzzle")
        page.locator(".slr-explorer[data-name=puzzle] input[data-name=lam]").focus()
        page.keyboard.press("End")
        page.wait_for_function("location.hash.includes('lam=')")
        idle(page)
        assert address(page).endswith("four.html#puzzle:lam=2&kappa0=0&nu0=0")
        assert page.errors == []

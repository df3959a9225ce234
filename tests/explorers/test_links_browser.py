"""The state in the address: stored links work, controls update it, anchors stay anchors."""

import json
from pathlib import Path

import pytest
from browsing import fresh_page
from explored import page_of, quiet, rested

from slrbook.explorers import find_token, puzzle, the_landscape, where_does_it_look

pytestmark = pytest.mark.browser

LINKS = json.loads(Path(__file__).with_name("links.json").read_text("utf-8"))
TALL = '<div style="height:1500px"><h2 id="section">A section</h2></div>'
IN_SIGHT = """place => {
  const { top } = document.querySelector(place).getBoundingClientRect();
  return -2 <= top && top < innerHeight / 2;
}"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("links")
    four = [puzzle(), find_token(), where_does_it_look(), the_landscape()]
    page = page_of(*four).replace("<h1>", f"{TALL}<h1>")
    (folder / "four.html").write_text(page, "utf-8")
    return folder


def idle(page):
    """Wait until all work is done and the timer that updates the address has run."""
    rested(page)
    page.evaluate("new Promise(done => setTimeout(done, 100))")


def address(page):
    return page.evaluate("location.href")


def named(name):
    return f".slr-explorer[data-name={name}]"


def reading(page, name):
    return page.locator(f"{named(name)} .slr-reading").inner_text()


def test_stored_links_show_what_they_showed(open_page, place):
    page = open_page(place + "four.html")
    idle(page)
    unmoved = {name: reading(page, name) for name in ("puzzle", "find_token", "where", "landscape")}
    for link, said in LINKS.items():
        page.goto("about:blank")
        page.goto(place + "four.html" + link)
        idle(page)
        for name, words in said.items():
            assert reading(page, name).startswith(words), link
        # scrolled to the first one, as far as the length of the page allows
        page.wait_for_function(IN_SIGHT, arg=named(next(iter(said))))
        for name in set(unmoved) - set(said):
            assert reading(page, name) == unmoved[name], link
    quiet(page)


def test_a_hand_writes_the_address_and_the_address_brings_the_state(open_page, place):
    page = open_page(place + "four.html")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    idle(page)
    assert "#" not in address(page)  # no control was used
    for name in ("where", "puzzle"):
        page.locator(f"{named(name)} input[data-name=lam]").focus()
        page.keyboard.press("PageUp")
        page.wait_for_function("name => location.hash.includes(`${name}:lam=`)", arg=name)
        idle(page)
    there = address(page).split("#")[1]
    assert there.startswith("puzzle:lam=") and ";where:lam=" in there
    explorer = page.locator(named("puzzle"))
    explorer.get_by_text("More", exact=True).click()
    explorer.get_by_role("button", name="copy link").click()
    explorer.get_by_role("button", name="copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(place + "four.html#puzzle:lam=") and copied in address(page)
    other = open_page(address(page))
    idle(other)
    for name in ("puzzle", "where"):
        assert reading(other, name) == reading(page, name)
        page.locator(f"{named(name)} .slr-reset").dispatch_event("click")
        page.wait_for_function("name => !location.hash.includes(name)", arg=name)
    assert "#" not in address(page)
    quiet(page)
    quiet(other)


def test_a_link_within_the_page_and_an_anchor(open_page, place):
    page = open_page(place + "four.html")
    idle(page)
    page.evaluate("location.hash = '#landscape:kappa0=0&nu0=0'")
    words = page.locator(f"{named('landscape')} .slr-reading", has_text="at the saddle")
    words.wait_for()
    page.wait_for_function(IN_SIGHT, arg=named("landscape"))
    rested(page)
    said = words.inner_text()
    page.evaluate("location.hash = '#section'")
    page.wait_for_function(IN_SIGHT, arg="#section")
    idle(page)
    assert address(page).endswith("#section")
    assert reading(page, "landscape") == said  # an anchor does not change the picture
    quiet(page)


def test_from_a_file(browser, folder):
    with fresh_page(browser) as page:
        page.goto((folder / "four.html").as_uri() + "#puzzle:kappa0=0&nu0=0")
        idle(page)
        assert "descent is at the saddle" in reading(page, "puzzle")
        page.locator(f"{named('puzzle')} input[data-name=lam]").focus()
        page.keyboard.press("End")
        page.wait_for_function("location.hash.endsWith('#puzzle:lam=2&kappa0=0&nu0=0')")
        assert page.errors == []

"""The map of lambda in Chromium: sliders, the button, reset, a phone, the dark, silence."""

import pytest
from explored import back, both_themes, moved, quiet, readable, reset, settled

from slrbook.explorers import the_map_of_lam

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    with both_themes(tmp_path_factory.mktemp("lam_map"), the_map_of_lam()) as address:
        yield address


def the_explorer(page):
    page.wait_for_function("document.querySelector('.slr-explorer[data-live] path.tilted')")
    settled(page)
    return page.locator(".slr-explorer")


def test_each_slider_in_view_moves_the_picture_and_reset_brings_it_back(open_page, place):
    page = open_page(place + "light.html")
    explorer = the_explorer(page)
    before = settled(page)
    for name in ("lam0", "t", "d"):
        explorer.locator(f"input[data-name={name}]").focus()
        page.keyboard.press("PageUp")
        moved(explorer, before)
        reset(explorer)
        back(explorer, before)
    quiet(page)


def test_the_button_walks_through_the_regimes(open_page, place):
    page = open_page(place + "light.html")
    explorer = the_explorer(page)
    seen = []
    before = settled(page)
    for _ in range(6):
        seen.append(explorer.locator(".slr-reading").inner_text().split(": ")[1].split(".")[0])
        step = explorer.locator(".slr-action", has_text="next line")
        if step.count():
            step.click()
            before = moved(explorer, before)
    assert explorer.locator(".slr-first").inner_text() == "no further line"
    assert seen == [
        *("tilted", "tilted", "edge of stability", "on the plateau"),
        *("either basin", "swapped is lower"),
    ]
    quiet(page)


@pytest.mark.parametrize("theme, width", [("light", 1280), ("dark", 375)])
def test_readable_and_accessible(open_page, place, theme, width):
    page = open_page(place + f"{theme}.html", width=width)
    the_explorer(page)
    page.locator("details").first.evaluate("e => e.open = true")
    readable(page, width)

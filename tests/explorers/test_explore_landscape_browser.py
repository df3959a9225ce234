"""The landscape in Chromium: click, keys, the two buttons, a phone, the dark, reset, silence."""

import re

import pytest
from explored import (
    back,
    both_themes,
    drawing,
    heights,
    moved,
    quiet,
    readable,
    reset,
    rested,
    says,
    without_script,
)

from slrbook.explorers import the_landscape

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    with both_themes(tmp_path_factory.mktemp("landscape"), the_landscape()) as address:
        yield address


def the_explorer(page):
    explorer = page.locator(".slr-explorer")
    says(explorer, "dividing line")
    return explorer


def said(explorer):
    rested(explorer.page)
    return explorer.locator(".slr-reading").inner_text()


def test_a_click_anywhere_moves_the_start_and_reset_brings_it_back(open_page, place):
    page = open_page(place + "light.html")
    explorer = the_explorer(page)
    before, words = drawing(explorer), said(explorer)
    box = explorer.locator(".slr-panel").first.bounding_box()
    page.mouse.click(box["x"] + 0.3 * box["width"], box["y"] + 0.7 * box["height"])
    says(explorer, re.compile(r"^Descent recovers the teacher at \(−1, −1\)"))
    reset(explorer)
    back(explorer, before)
    assert said(explorer) == words
    quiet(page)


def test_the_two_buttons_show_that_the_line_is_thin(open_page, place):
    page = open_page(place + "light.html")
    explorer = the_explorer(page)
    explorer.get_by_role("button", name="start on the dividing line").click()
    says(explorer, "on the dividing line")
    across = explorer.get_by_role("button", name="start 10⁻⁶ beyond it")
    across.click()
    says(explorer, re.compile(r"^Descent recovers the teacher at \((1, 1|−1, −1)\) after"))
    other = {"1, 1": "−1, −1", "−1, −1": "1, 1"}[
        said(explorer)[len("Descent recovers the teacher at (") :].split(")")[0]
    ]
    across.click()
    says(explorer, f"Descent recovers the teacher at ({other}) after")
    quiet(page)


def test_keys_move_the_start_and_the_slider_tilts_the_valley(open_page, place):
    page = open_page(place + "light.html")
    explorer = the_explorer(page)
    before = drawing(explorer)
    explorer.locator(".slr-point").focus()
    page.keyboard.press("Shift+ArrowUp")
    explorer.locator(".slr-point[aria-valuetext$='nu of v minus 0.29']").wait_for()
    there = moved(explorer, before)
    slope = "() => document.querySelector('path.line.thick.saddle').getAttribute('d')"
    line = page.evaluate(slope)
    slider = explorer.locator("input[type=range]").first
    slider.focus()
    page.keyboard.press("Home")
    page.wait_for_function(f"({slope})() !== {line!r}")
    moved(explorer, there)
    quiet(page)


@pytest.mark.parametrize("theme, width", [("light", 1280), ("dark", 375)])
def test_readable_and_accessible(open_page, place, theme, width):
    page = open_page(place + f"{theme}.html", width=width)
    the_explorer(page)
    page.locator(".slr-more").first.evaluate("e => e.open = true")
    readable(page, width)


def test_the_still_takes_the_space_of_the_live_one(open_page, browser, place):
    live = open_page(place + "light.html")
    the_explorer(live)
    with without_script(browser, place + "light.html", 1280) as still:
        assert heights(live) == pytest.approx(heights(still), abs=30)
        assert still.locator(".slr-explorer svg").count() == 2

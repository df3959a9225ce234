"""The map of lambda in Chromium: sliders, the button, reset, a phone, the dark, silence."""

import pytest
from explored import back, both_themes, moved, quiet, readable, reset, says, settled

from slrbook.explorers import the_map_of_lam

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    with both_themes(tmp_path_factory.mktemp("lam_map"), the_map_of_lam()) as address:
        yield address


def the_explorer(page):
    page.wait_for_function("document.querySelector('.slr-explorer[data-live] path.band.tilted')")
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


def test_the_first_move_plays_the_schedule_to_its_end(open_page, place):
    page = open_page(place + "light.html")
    explorer = the_explorer(page)
    assert explorer.locator(".slr-reading").inner_text().startswith("No: at step 0, λ = 1, ")
    explorer.get_by_role("button", name="play").click()
    explorer.get_by_role("button", name="pause").wait_for()
    says(explorer, "No: at step 120,000, ")
    explorer.get_by_role("button", name="play").wait_for()
    quiet(page)


def test_one_more_line_comes_on_demand(open_page, place):
    page = open_page(place + "light.html")
    explorer = the_explorer(page)
    before = settled(page)
    explorer.locator("select[data-name=also]").select_option(label="the edge of stability")
    moved(explorer, before)
    says(explorer, "the curvature h is too large for the step size")
    assert explorer.locator(".slr-panel").first.locator("path.dash").count() == 1
    quiet(page)


@pytest.mark.parametrize("theme, width", [("light", 1280), ("dark", 375)])
def test_readable_and_accessible(open_page, place, theme, width):
    page = open_page(place + f"{theme}.html", width=width)
    the_explorer(page)
    page.locator(".slr-more").evaluate("e => e.open = true")
    readable(page, width)

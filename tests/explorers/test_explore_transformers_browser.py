"""The explorers of the chapter on transformers in Chromium: hand, keys, a phone, the dark."""

import re

import pytest
from browsing import served
from explored import (
    back,
    drawing,
    heights,
    moved,
    page_of,
    quiet,
    readable,
    reset,
    says,
    settled,
    without_script,
)

from slrbook.explorers import through_training, two_heads

pytestmark = pytest.mark.browser

EXPLORERS = {"two_heads": two_heads, "through_training": through_training}
each = pytest.mark.parametrize("name", EXPLORERS)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("transformers")
    for name, make in EXPLORERS.items():
        for theme in ("light", "dark"):
            page = page_of(make(), theme=theme)
            (folder / f"{name}-{theme}.html").write_text(page, "utf-8")
    with served(folder) as address:
        yield address


@each
def test_each_control_moves_the_picture_and_reset_brings_it_back(open_page, place, name):
    page = open_page(f"{place}{name}-light.html")
    explorer = page.locator(".slr-explorer")
    before, said = settled(page), explorer.locator(".slr-reading").inner_text()
    controls = explorer.locator("input").all()
    assert len(controls) <= 4
    for control in controls:
        control.focus()
        page.keyboard.press("Space" if control.get_attribute("type") == "checkbox" else "PageUp")
        moved(explorer, before)
        reset(explorer)
        back(explorer, before)
    assert explorer.locator(".slr-reading").inner_text() == said
    quiet(page)


@each
@pytest.mark.parametrize("theme, width", [("light", 1280), ("dark", 375)])
def test_readable_and_accessible(open_page, place, name, theme, width):
    page = open_page(f"{place}{name}-{theme}.html", width=width)
    settled(page)
    readable(page, width, marks="text")


@each
@pytest.mark.parametrize("width", [375, 900])
def test_the_still_takes_the_space_of_the_picture(open_page, browser, place, name, width):
    live = open_page(f"{place}{name}-light.html", width=width)
    settled(live)
    with without_script(browser, f"{place}{name}-light.html", width) as still:
        assert heights(live) == pytest.approx(heights(still), abs=30)  # one line of the reading
        assert still.locator(".slr-explorer svg").first.is_visible()
        assert still.locator(".slr-reset").is_hidden()


def test_the_first_move_of_two_heads_takes_the_second_away(open_page, place):
    page = open_page(place + "two_heads-light.html")
    explorer = page.locator(".slr-explorer")
    before = settled(page)
    explorer.get_by_role("button", name="show one head").click()
    moved(explorer, before)
    assert explorer.locator(".slr-panel").first.locator(".bar.v").count() == 0
    explorer.get_by_role("button", name="show two heads").click()
    back(explorer, before)
    quiet(page)


def test_keys_go_from_one_stored_row_to_the_next(open_page, place):
    page = open_page(place + "through_training-light.html")
    explorer = page.locator(".slr-explorer")
    settled(page)
    explorer.locator("input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    says(explorer, re.compile("^Step 50: "))
    assert explorer.locator(".slr-value").inner_text() == "50"
    page.keyboard.press("End")
    says(explorer, re.compile("^Step 8,000: "))
    page.keyboard.press("Home")
    says(explorer, re.compile("^Step 0: "))
    quiet(page)


# Play, and pause once the next stop is shown, which is not read aloud; in one go, as it ends soon.
PLAY_AND_PAUSE = """async () => {
  const [action, reading] = ['.slr-action', '.slr-reading'].map(e => document.querySelector(e));
  action.click();
  while (reading.ariaLive !== 'off' || reading.textContent.startsWith('Step 0:'))
    await new Promise(requestAnimationFrame);
  const words = action.textContent;
  action.click();
  return words;
}"""


def test_play_and_pause(open_page, place):
    page = open_page(place + "through_training-light.html")
    explorer = page.locator(".slr-explorer")
    settled(page)
    reading = explorer.locator(".slr-reading")
    assert page.evaluate(PLAY_AND_PAUSE) == "pause"
    explorer.get_by_role("button", name="play").wait_for()
    rests = settled(page)
    page.evaluate("new Promise(done => setTimeout(done, 360))")  # the time of three more stops
    assert drawing(explorer) == rests
    assert reading.get_attribute("aria-live") == "polite"
    explorer.locator("input[type=range]").focus()
    page.keyboard.press("End")
    says(explorer, re.compile("^Step 8,000: "))
    end = settled(page)
    page.keyboard.press("ArrowLeft")
    moved(explorer, end)
    explorer.get_by_role("button", name="play").click()
    page.wait_for_function("document.querySelector('.slr-reading').textContent.includes('8,000:')")
    explorer.get_by_role("button", name="play").wait_for()  # it stopped by itself
    quiet(page)


# The next stop of the play is due while the page is busy with the reset.
RESET_LATE = """async () => {
  const [action, reset, reading] = ['.slr-action', '.slr-reset', '.slr-reading']
    .map(e => document.querySelector(e));
  action.click();
  while (reading.textContent.startsWith('Step 0:')) await new Promise(requestAnimationFrame);
  reset.click();
  for (const end = performance.now() + 250; performance.now() < end; );
  await new Promise(done => setTimeout(done, 250));
}"""


def test_a_reset_ends_the_play_and_no_late_stop_undoes_it(open_page, place):
    page = open_page(place + "through_training-light.html")
    explorer = page.locator(".slr-explorer")
    before = settled(page)
    page.evaluate(RESET_LATE)
    assert drawing(explorer) == before
    quiet(page)


def test_play_without_motion_goes_to_the_end_at_once(open_page, place):
    page = open_page(place + "through_training-light.html", reduced_motion="reduce")
    explorer = page.locator(".slr-explorer")
    settled(page)
    explorer.get_by_role("button", name="play").click()
    says(explorer, re.compile("^Step 8,000: "))
    assert explorer.get_by_role("button", name="play").is_visible()
    quiet(page)

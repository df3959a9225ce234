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


def middle(locator):
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_each_head_is_dragged_by_itself(open_page, place):
    page = open_page(place + "two_heads-light.html")
    explorer = page.locator(".slr-explorer")
    handles = explorer.locator(".slr-point").all()
    assert len(handles) == 4
    settled(page)
    for number, handle in enumerate(handles):
        places = [h.get_attribute("aria-valuetext") for h in handles]
        before = settled(page)
        x, y = middle(handle)
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x - 30, y + 40, steps=4)
        page.mouse.up()
        moved(explorer, before)
        changed = [
            h.get_attribute("aria-valuetext") != old for h, old in zip(handles, places, strict=True)
        ]
        assert changed == [i == number for i in range(4)]
    quiet(page)


def test_a_press_beside_the_points_moves_the_nearest_and_stays_in_the_disc(open_page, place):
    page = open_page(place + "two_heads-light.html")
    before = settled(page)
    first, second, *_ = page.locator(".slr-point").all()
    disc = page.locator(".slr-panel").first.bounding_box()
    page.mouse.click(disc["x"] + disc["width"] * 0.84, disc["y"] + disc["height"] * 0.86)
    moved(page.locator(".slr-explorer"), before)
    place = re.fullmatch(
        "along k star 1 (.*), along k star 2 (.*)", first.get_attribute("aria-valuetext")
    )
    k11, k12 = (float(x.replace("minus ", "-")) for x in place.groups())
    assert k11 > 0.5 and k12 < -0.5 and k11**2 + k12**2 == pytest.approx(1, abs=0.02)
    assert second.get_attribute("aria-valuetext") == "along k star 1 0.00, along k star 2 0.98"
    named = {e.get_attribute("aria-label") for e in page.locator("[role=slider]").all()}
    assert "start of k of head 1: along k star 1, along k star 2. Arrow keys move it." in named
    quiet(page)


def test_arrow_keys_move_a_head(open_page, place):
    page = open_page(place + "two_heads-light.html")
    explorer, before = page.locator(".slr-explorer"), settled(page)
    point = page.locator(".slr-point").nth(3)
    point.focus()
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("ArrowLeft")
    there = "along v star 1 minus 0.02, along v star 2 0.88"
    page.locator(f".slr-point[aria-valuetext='{there}']").wait_for()
    moved(explorer, before)
    page.keyboard.press("Home")
    back(explorer, before)
    quiet(page)


def test_the_buttons_of_two_heads(open_page, place):
    page = open_page(place + "two_heads-light.html")
    explorer = page.locator(".slr-explorer")
    before = settled(page)
    explorer.get_by_role("button", name="sample the other overlaps again").click()
    moved(explorer, before)
    explorer.get_by_role("button", name="start at a minimum").click()
    says(explorer, "descent stays at 0.248.")
    assert "This is a local minimum ▲." in explorer.locator(".slr-reading").inner_text()
    quiet(page)


def test_a_reader_who_wants_no_motion_sees_the_end_at_once(open_page, place):
    page = open_page(place + "two_heads-light.html", reduced_motion="reduce")
    says(page.locator(".slr-explorer"), "descent reaches 0.2")
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

"""The explorers of the chapter on transformers in Chromium: hand, keys, a phone, the dark."""

import re

import pytest
from browsing import served
from explored import drawing, heights, page_of, quiet, readable, settled, without_script

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
        assert settled(page) != before, control.get_attribute("data-name")
        explorer.get_by_role("button", name="reset to the paper’s values").click()
        assert settled(page) == before
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
        labels = [h.get_attribute("aria-label") for h in handles]
        before = settled(page)
        x, y = middle(handle)
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x - 30, y + 40, steps=4)
        page.mouse.up()
        assert settled(page) != before
        changed = [
            h.get_attribute("aria-label") != old for h, old in zip(handles, labels, strict=True)
        ]
        assert changed == [i == number for i in range(4)]
    quiet(page)


def test_a_press_beside_the_points_moves_the_nearest_and_stays_in_the_disc(open_page, place):
    page = open_page(place + "two_heads-light.html")
    settled(page)
    first, second, *_ = page.locator(".slr-point").all()
    disc = page.locator(".slr-panel").first.bounding_box()
    page.mouse.click(disc["x"] + disc["width"] * 0.84, disc["y"] + disc["height"] * 0.86)
    settled(page)
    label = re.fullmatch(r"k1: k11 (.*), k12 (.*)\. Arrow.*", first.get_attribute("aria-label"))
    k11, k12 = map(float, label.groups())
    assert k11 > 0.5 and k12 < -0.5 and k11**2 + k12**2 == pytest.approx(1, abs=0.02)
    assert "k21 0.00, k22 0.98" in second.get_attribute("aria-label")
    quiet(page)


def test_arrow_keys_move_a_head(open_page, place):
    page = open_page(place + "two_heads-light.html")
    before = settled(page)
    point = page.locator(".slr-point").nth(3)
    point.focus()
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("ArrowLeft")
    assert settled(page) != before
    assert "v2: v21 -0.02, v22 0.88" in point.get_attribute("aria-label")
    page.keyboard.press("Home")
    assert settled(page) == before
    quiet(page)


def test_the_buttons_of_two_heads(open_page, place):
    page = open_page(place + "two_heads-light.html")
    explorer = page.locator(".slr-explorer")
    before = settled(page)
    explorer.get_by_role("button", name="another draw").click()
    assert settled(page) != before
    explorer.get_by_role("button", name="to a minimum").click()
    settled(page)
    assert "descent rests here" in explorer.locator(".slr-reading").inner_text()
    assert "A minimum ▲: 0.248." in explorer.locator(".slr-reading").inner_text()
    quiet(page)


def test_a_reader_who_wants_no_motion_sees_the_end_at_once(open_page, place):
    page = open_page(place + "two_heads-light.html", reduced_motion="reduce")
    settled(page)
    assert "after 800 steps 0.2" in page.locator(".slr-reading").inner_text()
    quiet(page)


def test_keys_go_from_one_stored_row_to_the_next(open_page, place):
    page = open_page(place + "through_training-light.html")
    explorer = page.locator(".slr-explorer")
    settled(page)
    explorer.locator("input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    settled(page)
    assert explorer.locator(".slr-value").inner_text() == "350"
    assert explorer.locator(".slr-reading").inner_text().startswith("Step 350: ")
    page.keyboard.press("End")
    settled(page)
    assert explorer.locator(".slr-reading").inner_text().startswith("Step 8,000: ")
    page.keyboard.press("Home")
    settled(page)
    assert explorer.locator(".slr-reading").inner_text().startswith("Step 0: ")
    quiet(page)


def test_play_and_pause(open_page, place):
    page = open_page(place + "through_training-light.html")
    explorer = page.locator(".slr-explorer")
    settled(page)
    reading = explorer.locator(".slr-reading")
    explorer.get_by_role("button", name="play").click()
    page.wait_for_function("document.querySelector('.slr-reading').textContent.includes('450:')")
    assert reading.get_attribute("aria-live") == "off"
    explorer.get_by_role("button", name="pause").click()
    rests = settled(page)
    page.wait_for_timeout(500)
    assert drawing(explorer) == rests
    assert reading.get_attribute("aria-live") == "polite"
    explorer.locator("input[type=range]").focus()
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    settled(page)
    explorer.get_by_role("button", name="play").click()
    page.wait_for_function("document.querySelector('.slr-reading').textContent.includes('8,000:')")
    explorer.get_by_role("button", name="play").wait_for()  # it stopped by itself
    quiet(page)


def test_play_without_motion_goes_to_the_end_at_once(open_page, place):
    page = open_page(place + "through_training-light.html", reduced_motion="reduce")
    explorer = page.locator(".slr-explorer")
    settled(page)
    explorer.get_by_role("button", name="play").click()
    settled(page)
    assert explorer.locator(".slr-reading").inner_text().startswith("Step 8,000: ")
    assert explorer.get_by_role("button", name="play").is_visible()
    quiet(page)

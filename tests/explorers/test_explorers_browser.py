"""The explorers in Chromium, on separate pages: keyboard, mouse, touch, play, saved files."""

import re

import pytest
from browsing import fresh_page
from explored import back, drawing, folder_of, moved, quiet, reset, rested, says, settled

from slrbook.explorers import EXPLORERS, find_token, puzzle, through_training, where_does_it_look

pytestmark = pytest.mark.browser

THREE = puzzle, find_token, where_does_it_look
folder = folder_of(three=THREE, training=[through_training], all=EXPLORERS)


def explorer_on(page, number):
    return page.locator(".slr-explorer").nth(number)


def has_focus(locator):
    return locator.evaluate("e => document.activeElement === e")


def middle(locator):
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page, start, end):
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=5)
    page.mouse.up()


def test_keys_move_sliders_and_the_start_and_reset_brings_all_back(open_page, place):
    page = open_page(place + "three.html")
    for explorer in page.locator(".slr-explorer").all():
        before, said = drawing(explorer), explorer.locator(".slr-reading").inner_text()
        slider = explorer.locator("input[type=range]").first
        slider.focus()
        page.keyboard.press("PageUp")
        moved(explorer, before)
        assert has_focus(slider)
        reset(explorer)
        back(explorer, before)
        assert explorer.locator(".slr-reading").inner_text() == said
    explorer = explorer_on(page, 0)
    before, point = drawing(explorer), explorer.locator(".slr-point")
    point.focus()
    scrolled = page.evaluate("scrollY")
    for key in ("End", "Home", "Shift+ArrowLeft", "ArrowDown"):
        page.keyboard.press(key)
    explorer.locator(".slr-point[aria-valuetext='kappa of k minus 0.15, nu of v 0.03']").wait_for()
    moved(explorer, before)
    assert page.evaluate("scrollY") == scrolled  # arrow keys on a start do not scroll the page
    page.keyboard.press("Home")
    back(explorer, before)
    quiet(page)


def test_escape_closes_what_is_open_and_leads_back(open_page, place):
    page = open_page(place + "three.html")
    rested(page)
    explorer = explorer_on(page, 0)
    for fold, inside in ((".slr-more", "input"), (".slr-steps", ".slr-guess")):
        line = explorer.locator(f"{fold} > summary")
        line.focus()
        page.keyboard.press("Enter")
        explorer.locator(f"{fold} {inside}").first.focus()
        page.keyboard.press("Escape")
        explorer.locator(f"{fold} {inside}").first.wait_for(state="hidden")
        assert has_focus(line)
    quiet(page)


def test_the_mouse_drags_the_start_and_a_slider(open_page, place):
    page = open_page(place + "three.html")
    explorer = explorer_on(page, 0)
    before = drawing(explorer)
    x, y = middle(explorer.locator(".slr-point"))
    drag(page, (x, y), (x - 60, y + 80))
    says(explorer, re.compile(r"^Yes: descent recovers the teacher at \(−1, −1\)"))
    after = moved(explorer, before)
    page.mouse.move(x + 50, y)  # the button is released
    assert drawing(explorer) == after
    slider = explorer.locator("input[type=range]").first
    slider.scroll_into_view_if_needed()
    box, y = slider.bounding_box(), middle(slider)[1]
    drag(page, *((box["x"] + part * box["width"], y) for part in (0.3, 0.9)))
    moved(explorer, after)
    quiet(page)


def test_ten_rounds_of_the_game(open_page, place):
    page = open_page(place + "three.html")
    game = explorer_on(page, 1)
    reading = game.locator(".slr-reading")
    for number in range(1, 11):
        token = game.get_by_role("button", name=re.compile("^token 4,"))
        token.focus()
        page.keyboard.press("Enter")
        says(game, re.compile(r"^You chose token 4 by its length\."))
        assert token.get_attribute("aria-pressed") == "true"
        assert game.locator("svg").nth(1).locator("circle").count() == 0  # no answer yet
        game.get_by_role("button", name=re.compile(r"^along k⋆: token 4,")).click()
        if number < 10:
            says(game, f" of {number} along k⋆.")
            game.get_by_role("button", name="next sequence").click()
            says(game, "Click the bar of the token")
    says(game, re.compile("^By length you found "))
    assert reading.inner_text().endswith("the largest X·k⋆ finds 10 of 10.")
    game.get_by_role("button", name="play again").click()
    says(game, "Click the bar of the token")
    assert game.locator("svg").nth(1).locator("circle").count() == 0
    quiet(page)


def test_a_finger_drags_the_start_and_taps(open_page, place):
    page = open_page(place + "three.html", width=375, has_touch=True)
    explorer = explorer_on(page, 0)
    x, y = middle(explorer.locator(".slr-point"))
    before = drawing(explorer)
    session = page.context.new_cdp_session(page)

    def touch(kind, *points):
        """Real touch events, from the browser's own input pipeline."""
        at = [{"x": x, "y": y} for x, y in points]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

    touch("touchStart", (x, y))
    for step in range(1, 6):
        touch("touchMove", (x - 12 * step, y + 14 * step))
    touch("touchEnd")
    dragged = moved(explorer, before)
    assert page.evaluate("scrollY") == 0  # the drag moved the point and did not scroll the page
    page.touchscreen.tap(x + 60, y - 40)
    moved(explorer, dragged)
    game = explorer_on(page, 1)
    unseen = drawing(game)
    game.get_by_role("button", name=re.compile("^token 2,")).tap()
    moved(game, unseen)
    quiet(page)


def heights(page):
    return [e.bounding_box()["height"] for e in page.locator(".slr-explorer").all()]


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_jumps_when_the_script_takes_over(open_page, browser, place, width):
    """The still picture occupies the space of the live one and is visible without scripts."""
    live = open_page(place + "all.html", width=width)
    rested(live)
    viewport = {"width": width, "height": 900}
    with fresh_page(browser, viewport=viewport, java_script_enabled=False) as still:
        still.goto(place + "all.html")
        assert heights(live) == pytest.approx(heights(still), abs=30)  # one line of the reading
        for explorer in still.locator(".slr-explorer").all():
            assert explorer.locator("svg").first.is_visible()
            assert explorer.locator(".slr-more").is_hidden()


# Play, and pause after the next stop, which is not announced; in one call, as the play ends soon.
PLAY_AND_PAUSE = """async () => {
  const [action, reading] = ['.slr-action', '.slr-reading'].map(e => document.querySelector(e));
  action.click();
  while (reading.ariaLive !== 'off' || reading.textContent.startsWith('Step 0:'))
    await new Promise(requestAnimationFrame);
  const words = action.textContent;
  action.click();
  return words;
}"""
# The next stop of the play is due while the page is busy with the reset.
RESET_LATE = """async () => {
  const [action, reset, reading] = ['.slr-action', '.slr-reset', '.slr-reading']
    .map(e => document.querySelector(e));
  action.click();
  await new Promise(requestAnimationFrame);
  reset.click();
  for (const end = performance.now() + 250; performance.now() < end; );
  await new Promise(done => setTimeout(done, 250));
}"""


def test_play_pauses_ends_and_is_ended_by_a_reset(open_page, place):
    page = open_page(place + "training.html")
    explorer = page.locator(".slr-explorer")
    before = settled(page)
    assert page.evaluate(PLAY_AND_PAUSE) == "pause"
    explorer.get_by_role("button", name="play").wait_for()
    rests = settled(page)
    page.evaluate("new Promise(done => setTimeout(done, 360))")  # the duration of three more stops
    assert drawing(explorer) == rests
    assert explorer.locator(".slr-reading").get_attribute("aria-live") == "polite"
    page.evaluate(RESET_LATE)
    assert drawing(explorer) == before
    explorer.locator("input[type=range]").focus()
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    explorer.get_by_role("button", name="play").click()
    says(explorer, "At step 8,000, ")
    explorer.get_by_role("button", name="play").wait_for()  # it stopped by itself
    quiet(page)


def test_a_saved_page_shows_the_state(open_page, place, folder):
    puzzle(lam=0.2).save_html(folder / "new" / "saved.html")
    page = open_page(place + "new/saved.html", reduced_motion="reduce")
    explorer = explorer_on(page, 0)
    says(explorer, "descent")  # at once, because the reader prefers reduced motion
    slider = explorer.locator("input[type=range]").first
    assert "0.2" in slider.get_attribute("aria-valuetext")
    before = drawing(explorer)
    slider.press("ArrowRight")
    moved(explorer, before)
    quiet(page)

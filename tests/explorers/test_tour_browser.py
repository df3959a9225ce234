"""The tour in Chromium: it plays on demand, follows the time slider, jumps and can stand still."""

import re

import pytest
from explored import POLICY, drawing, folder_of, moved, quiet, rested, says, settled

from slrbook.explorers import the_tour

pytestmark = pytest.mark.browser

SECOND = "+document.querySelector('input[data-name=t]').value"
folder = folder_of(POLICY, light=[the_tour], dark=[the_tour])


def test_it_plays_when_asked_and_stops_when_asked_or_scrubbed(open_page, place):
    page = open_page(place + "light.html")
    before = settled(page)
    play, time = page.locator(".slr-action").first, page.locator("input[data-name=t]")
    assert play.inner_text() == "▶ play the tour, 2 minutes" and page.evaluate(SECOND) == 0
    play.focus()
    page.keyboard.press("Enter")
    page.wait_for_function(f"{SECOND} >= 1.5")
    assert play.inner_text().startswith("❚❚ pause 0:0")
    assert page.locator(".slr-reading").get_attribute("aria-live") == "off"
    page.keyboard.press("Space")
    page.get_by_role("button", name="play on").wait_for()
    rests = moved(page.locator(".slr-explorer"), before)
    page.evaluate("new Promise(done => setTimeout(done, 200))")
    assert drawing(page.locator(".slr-explorer")) == rests
    assert page.locator(".slr-reading").get_attribute("aria-live") == "polite"
    play.click()
    time.focus()
    page.keyboard.press("PageUp")  # moving the time slider stops the play
    page.get_by_role("button", name="play on").wait_for()
    rested(page)
    assert page.evaluate(SECOND) > 10
    quiet(page)


def test_a_button_shows_a_scene_in_full_and_its_link_hands_over(open_page, place):
    page = open_page(place + "dark.html", width=390)
    rested(page)
    seen = set()
    for number, words in enumerate(
        ("“gentle”", "Along k⋆", "The sum is", "erf is flat", "Theorem 5", "Softmax: all"), start=1
    ):
        page.locator(".slr-action").nth(number).click()
        says(page.locator(".slr-explorer"), words)
        scene = page.locator(".slr-action[aria-current=true]")
        assert scene.inner_text().startswith(f"{number} ")
        link = page.locator(".slr-onward a")
        assert re.fullmatch(r"\w+\.html#\w+:\w+=\S+", link.get_attribute("href"))
        seen.add(link.get_attribute("href"))
    assert len(seen) == 6
    page.wait_for_function("location.hash === '#tour:t=119'")
    page.locator("input[data-name=t]").press("ArrowLeft")  # else the scene plays from its start
    rested(page)
    page.locator(".slr-action").first.click()
    page.get_by_role("button", name="play the tour").wait_for()  # it has stopped by itself
    assert page.evaluate(SECOND) == 120
    quiet(page)

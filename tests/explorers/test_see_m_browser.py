"""See M in Chromium: two pictures with one clock, for a pointer, for keys, and for a hand."""

import pytest
from explored import accessible, both_themes, inside, legible, quiet, reset

from slrbook.explorers import see_m

pytestmark = pytest.mark.browser

MARKS = """() => [...document.querySelectorAll('.slr-panel svg')].map(svg =>
  [...svg.querySelectorAll('text')].map(t => t.textContent).find(t => t.startsWith('step ')))"""
AT = f"words => ({MARKS})().every(mark => mark && mark.startsWith(words))"


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    with both_themes(tmp_path_factory.mktemp("see_m"), see_m()) as address:
        yield address


def says(page, words):
    """The reading and nothing under way."""
    page.wait_for_function(
        """words => document.querySelector('.slr-explorer').ariaBusy === 'false'
          && document.querySelector('.slr-reading').textContent.includes(words)""",
        arg=words,
    )


def test_pointer_and_keys_move_the_mark_on_both_pictures(open_page, place):
    page = open_page(place + "light.html")
    says(page, "recovered the teacher at (1, 1)")
    page.wait_for_function(AT, arg="step 20,000:")
    square, clock = page.locator(".slr-panel").all()
    box = clock.bounding_box()  # the plotting box goes from 56 to 328 of 340
    page.mouse.move(box["x"] + box["width"] * (56 + 136) / 340, box["y"] + box["height"] / 2)
    page.wait_for_function(AT, arg="step 10,000:")
    page.mouse.move(5, 5)
    page.wait_for_function(AT, arg="step 20,000:")
    box = square.bounding_box()  # on the start, where the path begins
    x, y = 56 + 272 * 1.05 / 2, 46 + 260 * 0.97 / 2
    page.mouse.move(box["x"] + box["width"] * x / 340, box["y"] + box["height"] * y / 350)
    page.wait_for_function(f"() => !({AT})('step 20,000:')")
    steps = page.evaluate(MARKS)
    assert steps[0].split(":")[0] == steps[1].split(":")[0]
    page.mouse.move(5, 5)
    page.wait_for_function(AT, arg="step 20,000:")
    page.locator("input[data-name=at]").focus()
    page.keyboard.press("Home")
    page.wait_for_function(AT, arg="step 0:")
    says(page, "At step 0: κ = 0.05, ν = 0.03, distance 0.03.")
    accessible(page)
    quiet(page)


def test_a_start_further_off_leaves_m_and_a_hand_moves_it(open_page, place):
    page = open_page(place + "dark.html#see_m:far=0.09", width=390)
    says(page, "is swapped")
    legible(page, 390)
    inside(page, "text, .mark")
    page.locator(".slr-point").focus()
    for _ in range(6):
        page.keyboard.press("Shift+ArrowUp")
    says(page, "has recovered the teacher at (1, 1)")
    page.wait_for_function("location.hash.includes('nu0=0.33')")
    reset(page)
    says(page, "falls from 0.03 to")
    accessible(page)
    quiet(page)

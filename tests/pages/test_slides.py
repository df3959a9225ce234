"""The slides of the lecture: one per row of the plan, with its explorer in the given state."""

import pytest
from browsing import SITE
from bs4 import BeautifulSoup
from explored import quiet

from slrbook.sphinx_ext.publish import SLIDES


def test_each_row_of_the_plan_is_a_slide(site):
    soup = BeautifulSoup((SITE / SLIDES).read_text("utf-8"), "html.parser")
    frames = soup.select("section iframe")
    assert len(frames) >= 5
    for section in soup.select("section:has(iframe)"):
        page, _, _ = section.iframe["data-src"].partition("?class#")
        assert (SITE / "book" / page).exists() and section.h2.text.endswith("?")
        assert "Usual wrong answer" in section.aside.text and section.aside.b.text.strip()
    assert any(":" in frame["data-src"] for frame in frames)


@pytest.mark.browser
def test_keys_turn_the_slides_and_show_the_notes(open_page):
    page = open_page(SLIDES, 1920)
    page.keyboard.press("ArrowRight")
    now = page.locator("section.now")
    assert now.locator("h2").inner_text().endswith("?")
    inner = page.frame_locator("section.now iframe")
    inner.locator("dialog.slr-stage .slr-explorer").wait_for()
    page.locator("button[value='1']").focus()
    page.keyboard.press("n")
    now.locator("aside").wait_for()
    inner.locator(".slr-more summary").first.focus()
    page.keyboard.press("n")
    now.locator("aside").wait_for(state="hidden")
    page.keyboard.press("PageUp")
    page.locator("section.now.title").wait_for()
    quiet(page)

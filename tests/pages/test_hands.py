"""Use every control of every explorer of the book once in Chromium on a dark phone."""

import browsing
import pytest
from explored import HANDS, quiet
from test_pages import contents

USED = set()  # the explorers tested on earlier pages


@pytest.mark.parametrize("path", contents())
def test_each_hand_changes_picture_and_words_and_reset_brings_them_back(browser, site, path):
    if 'class="slr-explorer"' not in (browsing.SITE / path).read_text("utf-8"):
        return
    with browsing.page_at(browser, site + path, 390, "dark") as page:
        page.evaluate(browsing.AT_ONCE)
        names = page.evaluate(HANDS)
        assert page.evaluate("used => everyHand(used)", [*USED]) == []
        USED.update(names)
        quiet(page)

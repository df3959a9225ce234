"""The generic part of slrbook serves another paper: two pages and an explorer about momentum."""

import json
import shutil
from importlib import import_module
from pathlib import Path

import pytest
import yaml
from explored import quiet, says
from fresh import python
from smallbook import settings

from slrbook.explorers import stills

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The built site; the explorer's module is imported from its own folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(HERE / "book")
        still = json.dumps(stills.make(import_module("momentum.spec").Momentum))
    paper = tmp_path_factory.mktemp("another") / "paper"
    shutil.copytree(HERE, paper)
    (paper / "book" / "momentum" / "still.json").write_text(still, "utf-8")
    config = settings() | {"title": "Momentum"}
    (paper / "_config.yml").write_text(yaml.safe_dump(config), "utf-8")
    python("-m", "slrbook.build", ".", folder=paper, PYTHONPATH=str(ROOT))
    return paper / "_build" / "html"


@pytest.mark.browser
def test_the_page_holds_a_check_and_an_explorer_that_moves(open_page, place):
    page = open_page(place + "book/descent.html")
    assert page.locator(".slr-check.slr-holds").count() == 1
    explorer = page.locator(".slr-explorer")
    explorer.scroll_into_view_if_needed()
    says(explorer, "No: the error shrinks by the factor 0.980 per step.")
    before = explorer.locator(".slr-panels svg").first.inner_html()
    slider = explorer.locator("input[type=range]").nth(1)
    slider.focus()
    for _ in range(40):
        page.keyboard.press("ArrowRight")
    says(explorer, "Yes: the error shrinks by the factor 0.894 per step.")
    assert explorer.locator(".slr-panels svg").first.inner_html() != before
    quiet(page)

"""The general part of slrbook serves another paper: two pages and an explorer about momentum."""

import json
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest
import yaml
from browsing import served
from explored import quiet, says
from fresh import python
from smallbook import settings

from slrbook.explorers import stills

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


@pytest.fixture(scope="module")
def momentum():
    """The explorer's module, imported from where it is."""
    sys.path.insert(0, str(HERE / "book"))
    try:
        from momentum import spec

        yield spec
    finally:
        sys.path.remove(str(HERE / "book"))


@pytest.fixture(scope="module")
def site(tmp_path_factory, momentum):
    """The built site."""
    folder = tmp_path_factory.mktemp("another") / "paper"
    shutil.copytree(HERE, folder)
    still = json.dumps(stills.make(momentum.Momentum))
    (folder / "book" / "momentum" / "still.json").write_text(still, "utf-8")
    config = settings() | {"title": "Momentum"}
    (folder / "_config.yml").write_text(yaml.safe_dump(config), "utf-8")
    python("-m", "slrbook.build", ".", folder=folder, PYTHONPATH=str(ROOT))
    return folder / "_build" / "html"


def test_the_rate_is_that_of_the_recursion(momentum):
    for curvature, alpha, beta in [(1.0, 0.5, 0.0), (0.02, 1.0, 0.9), (1.0, 3.0, 0.5)]:
        matrix = [[1 + beta - alpha * curvature, -beta], [1.0, 0.0]]
        largest = np.abs(np.linalg.eigvals(matrix)).max()
        np.testing.assert_allclose(momentum.rate(curvature, alpha, beta), largest, rtol=1e-6)


@pytest.mark.browser
def test_the_page_holds_a_check_and_an_explorer_that_moves(open_page, site):
    with served(site) as address:
        page = open_page(address + "book/descent.html")
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

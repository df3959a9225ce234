"""Published addresses keep working: pages, labels and states of explorers."""

import json
import re
from functools import cache
from types import SimpleNamespace

import browsing
import pytest
from booksource import ROOT

from slrbook.reading import moved
from slrbook.sphinx_ext import contents

KEPT = json.loads((ROOT / "tests" / "data" / "addresses.json").read_text("utf-8"))
LINKS = [ROOT / "tests" / "explorers" / name for name in ("links.json", "links_of_all.json")]


@pytest.fixture(scope="module")
def places(site):
    """The list in which the pages search for a missing anchor."""
    text = (browsing.SITE / "_static" / "slr-places.js").read_text("utf-8")
    return json.loads(re.fullmatch(r"slrPlaces\((.*)\);\s*", text, re.S)[1])


@cache
def anchors(page: str) -> set[str]:
    """The anchors of a built page, and the explorers whose state an address can set."""
    text = (browsing.SITE / f"{page}.html").read_text("utf-8")
    named = re.findall(r' data-name="(\w+)"', text)
    return {*re.findall(r' id="([^"]+)"', text), *(f"{name}:" for name in named)}


@pytest.mark.browser
def test_an_address_that_was_given_once_still_leads_to_its_place(places):
    for page, kept in KEPT.items():
        there = (browsing.SITE / f"{page}.html").exists()
        lost = set(kept.split()) - anchors(page if there else moved()["pages"].get(page, page))
        assert lost - places.keys() == set(), page
        homes = {name: places[name].partition(".html#") for name in lost}
        assert all((anchor or name) in anchors(home) for name, (home, _, anchor) in homes.items())


def test_every_explorer_of_a_stored_state_has_a_page(places):
    text = "".join(file.read_text("utf-8") for file in LINKS)
    names = re.findall(r"[#;\"](\w+)(?:\.\d+)?:(?=\w+=)", text)
    assert len(names) >= 20
    assert {f"{name}:" for name in names} <= places.keys()


def test_a_page_that_moved_leads_on_with_its_anchor(tmp_path, browser):
    (old, new), *_ = moved()["pages"].items()
    (tmp_path / "book").mkdir()
    (tmp_path / f"{new}.html").write_text('<title>new</title><p id="place">here</p>', "utf-8")
    env = SimpleNamespace(found_docs={new})
    app = SimpleNamespace(builder=SimpleNamespace(format="html"), env=env, outdir=tmp_path)
    contents.write_stubs(app)
    with browsing.served(tmp_path) as address, browsing.fresh_page(browser) as page:
        page.goto(f"{address}{old}.html#place", wait_until="commit")
        page.wait_for_url(f"**/{new}.html#place")
        page.get_by_text("here").wait_for()
        assert page.errors == []
    with browsing.fresh_page(browser, java_script_enabled=False) as page:
        page.goto((tmp_path / f"{old}.html").as_uri(), wait_until="commit")
        page.wait_for_url(f"**/{new}.html")

"""The page of the package in the built book."""

import pytest
from booksource import ROOT, references
from browsing import SITE
from bs4 import BeautifulSoup
from sphinx.util.inventory import InventoryFile

from slrbook.sphinx_ext import contents

LABELS = {
    label
    for file in (ROOT / "slrlib").rglob("*.py")
    for label in references(file.read_text("utf-8"))
}


@pytest.fixture(scope="module")
def page(site):
    return BeautifulSoup((SITE / "book" / "api.html").read_text("utf-8"), "html.parser")


NAMES = [(level, name) for level in contents.LEVELS for name in contents.public(level)]


def test_every_public_name_is_in_the_inventory(site):
    with open(SITE / "objects.inv", "rb") as file:
        inventory = InventoryFile.load(file, "", lambda _, uri: uri)
    assert next(iter(inventory["py:function"].values()))[0] == "slr-book"
    found = {name for kind, names in inventory.items() if kind.startswith("py:") for name in names}
    assert {f"slrlib.{level}.{name}" for level, name in NAMES} <= found


def test_every_public_name_has_a_line_of_its_own(page):
    rows = {
        row.td.get_text(strip=True): row.find_all("td")[1].get_text(strip=True)
        for row in page.select("table.autosummary tr")
    }
    values = {
        dt.find(class_="descname").get_text(strip=True) for dt in page.select("dl.py.data > dt")
    }
    assert {name for _, name in NAMES} <= set(rows) | values
    assert all(rows.values())


def test_links_lead_to_the_equations(page):
    assert "{eq}" not in page.text
    assert len(page.select('a[href*="#equation-"]')) >= len(LABELS)

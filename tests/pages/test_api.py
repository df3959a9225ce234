"""The page of the package: built alone, under -W, with stubs for the pages that it links to."""

import shutil
import subprocess
import sys

import pytest
import smallbook
import yaml
from booksource import ROOT, references
from bs4 import BeautifulSoup
from sphinx.util.inventory import InventoryFile

from slrbook import chapters
from slrbook.sphinx_ext import api

LABELS = sorted(
    {
        label
        for file in (ROOT / "slrlib").rglob("*.py")
        for label in references(file.read_text("utf-8"))
    }
)


def stub() -> str:
    """Write a page with every label that a docstring of slrlib names."""
    made = [f"$$ x $$ ({label})" for label in LABELS if label.startswith("eq-")]
    made += [
        f":::{{prf:lemma}}\n:label: {label}\nx\n:::"
        for label in LABELS
        if not label.startswith("eq-")
    ]
    return "\n\n".join(["# A page", *made])


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The folder of a site that holds the page of the package."""
    folder = tmp_path_factory.mktemp("api")
    (folder / "book").mkdir()
    pages = [page for page in chapters.contents(ROOT) if page != "book/api"]
    for page in pages:
        (folder / f"{page}.md").write_text(f"# {page}\n" if page != pages[0] else stub(), "utf-8")
    shutil.copy(ROOT / "book" / "api.md", folder / "book")
    shutil.copy(ROOT / "book" / "references.bib", folder / "references.bib")
    (folder / "_config.yml").write_text(yaml.safe_dump(smallbook.settings()), "utf-8")
    files = [{"file": page} for page in (*pages[1:], "book/api")]
    (folder / "_toc.yml").write_text(
        yaml.safe_dump({"format": "jb-book", "root": pages[0], "chapters": files})
    )
    command = "from jupyter_book.cli.main import main; main(prog_name='jupyter-book')"
    line = [sys.executable, "-c", command, "build", ".", "-W", "-n", "--keep-going"]
    done = subprocess.run(line, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-9000:]
    return folder / "_build" / "html"


NAMES = [(level, name) for level in api.LEVELS for name in api.public(level)]


def test_every_public_name_is_in_the_inventory(built):
    with open(built / "objects.inv", "rb") as file:
        inventory = InventoryFile.load(file, "", lambda _, uri: uri)
    assert next(iter(inventory["py:function"].values()))[0] == "slr-book"
    found = {name for kind, names in inventory.items() if kind.startswith("py:") for name in names}
    assert {f"slrlib.{level}.{name}" for level, name in NAMES} <= found


def test_every_public_name_has_a_line_of_its_own(built):
    page = BeautifulSoup((built / "book" / "api.html").read_text("utf-8"), "html.parser")
    rows = {
        row.td.get_text(strip=True): row.find_all("td")[1].get_text(strip=True)
        for row in page.select("table.autosummary tr")
    }
    values = {
        dt.find(class_="descname").get_text(strip=True) for dt in page.select("dl.py.data > dt")
    }
    assert {name for _, name in NAMES} <= set(rows) | values
    assert all(rows.values())


def test_links_lead_to_the_equations(built):
    page = BeautifulSoup((built / "book" / "api.html").read_text("utf-8"), "html.parser")
    assert "{eq}" not in page.text
    assert len(page.select('a[href*="#equation-"]')) >= len(LABELS)

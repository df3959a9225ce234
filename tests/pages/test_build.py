"""Build a book: chapters run in parallel, and readers get a book even if some fail."""

import re

import nbformat
import pytest
from booksource import notebook
from fresh import python

from slrbook.build import BUILT

CONFIG = """
title: A small book
only_build_toc_files: true
execute: {execute_notebooks: force}
sphinx: {extra_extensions: [slrbook.sphinx_ext.publish]}
"""
TOC = "{format: jb-book, root: intro, chapters: [{file: claims}, {file: dies}]}"
GLUE = "from myst_nb import glue\nglue('two', 2.0, display=False)"
PAGES = {
    "intro": ["# Welcome", "6 * 7"],
    "claims": [
        "# Claims",
        "gap, bound = 0.279, 1e-2",
        "## The slice, again",
        "assert (\n    0 < gap < bound\n    and bound > 0\n)",
        "print('still', 'here')",
        "undefined",
        "also_undefined",
        GLUE,
        "import numpy as np\nnp.testing.assert_allclose(1.0, 2.0)",
    ],
    "dies": ["# Dies", "import os", "os._exit(3)", "print('never')"],
}


def cell(text):
    new = nbformat.v4
    return new.new_markdown_cell(text) if text.startswith("#") else new.new_code_cell(text)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """(folder, output) of building a book with two failing chapters."""
    folder = tmp_path_factory.mktemp("a small book")
    (folder / "_config.yml").write_text(CONFIG)
    (folder / "_toc.yml").write_text(TOC)
    for name, sources in PAGES.items():
        nbformat.write(notebook(map(cell, sources)), folder / f"{name}.ipynb")
    return folder, python("-m", "slrbook.build", str(folder), status=1, CI="")


def page(built, name):
    return (built[0] / "_build" / "html" / f"{name}.html").read_text("utf-8")


def test_a_claim_that_fails_leaves_the_reader_a_book_and_make_an_error(built):
    """The cell is named and shown with its code and error; the other chapters have pages."""
    _, said = built
    assert "42" in page(built, "intro")
    assert "AssertionError" in page(built, "claims") and "still here" in page(built, "claims")
    assert "Dies" in page(built, "dies") and "never</" not in page(built, "dies")
    assert "The book is ready" in said and "\nFAILED: the cells" in said
    failed = re.findall(r"^FAILED (\w+)\.ipynb::Cell (\d+)", said, re.M)
    cells = [("claims", 1), ("claims", 3), ("claims", 4), ("claims", 6), ("dies", 1), ("dies", 2)]
    assert sorted((name, int(cell)) for name, cell in failed) == cells
    assert "0 < gap < bound" in said and "name 'also_undefined' is not defined" in said


def test_the_executed_notebook_holds_the_numbers_of_the_prose(built):
    folder = built[0]
    executed = nbformat.read(folder / "_build" / "executed" / "claims.ipynb", as_version=4)
    outputs = [output for cell in executed.cells for output in cell.get("outputs", [])]
    (number,) = (output for output in outputs if "scrapbook" in output.get("metadata", {}))
    assert number.metadata.scrapbook.name == "two"
    assert [text for kind, text in number.data.items() if kind.endswith("plain")] == ["2.0"]
    assert not nbformat.read(folder / "claims.ipynb", as_version=4).cells[1].outputs


def test_one_chapter_runs_again_and_the_others_keep_their_outputs(built):
    file, mark = built[0] / "intro.ipynb", built[0] / "_build" / "html" / BUILT
    assert mark.exists()
    mark.unlink()
    file.write_text(file.read_text("utf-8").replace("6 * 7", "6 * 9"), "utf-8")
    python("-m", "slrbook.build", str(built[0]), "intro", CI="")
    assert "54" in page(built, "intro") and "still here" in page(built, "claims")
    assert not mark.exists()  # one chapter does not complete a site

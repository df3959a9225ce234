"""The plain notebooks beside the pages: the same code, and prose that Jupyter can show."""

import json
import re

import nbformat
import pytest
from booksource import NOTEBOOKS, code_cells
from browsing import SITE

from slrbook.sphinx_ext import plain_notebooks

FOLDER = SITE / plain_notebooks.FOLDER
MYST = re.compile(r"\{[a-z:]+\}`|^ *:{3,}|^ *`{3,}\{|\((?:eq|fig|sec|paper|ex)-[\w-]+\)=?", re.M)
MACROS = {"R": r"\mathbb{R}", "norm": r"\lVert #1 \rVert", "abs": r"\lvert #1 \rvert"}

each_notebook = pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)


def plain(file):
    return nbformat.read(FOLDER / file.name, as_version=4)


@each_notebook
def test_the_code_is_that_of_the_chapter(file):
    found = [c.source for c in plain(file).cells if c.cell_type == "code"]
    wanted = [c["source"] for c in code_cells(file) if c["source"].strip()]
    assert found == wanted


@each_notebook
def test_the_prose_holds_neither_myst_nor_macros(file):
    notebook = plain(file)
    nbformat.validate(notebook)
    prose = "\n\n".join(c.source for c in notebook.cells if c.cell_type == "markdown")
    assert len(prose.split()) > 50 or file.stem == "laboratory"
    assert MYST.findall(prose) == []
    assert re.findall(r"\\(?:E|P|R|S|N|M|erf|erfc|sign|norm|abs)(?![A-Za-z])|#1", prose) == []


@each_notebook
def test_an_output_needs_no_script(file):
    for cell in plain(file).cells:
        text = json.dumps(cell.get("outputs", []))
        assert "<script" not in text and "slr-dark" not in text


def test_numbers_and_references_are_in_place(tmp_path):
    prose = "\n".join(c.source for c in plain(NOTEBOOKS[0]).cells if c.cell_type == "markdown")
    assert "{glue" not in prose
    every = "\n".join(
        c.source for file in NOTEBOOKS for c in plain(file).cells if c.cell_type == "markdown"
    )
    assert re.search(r"\\tag\{\d+\.\d+\}", every) and re.search(r"\*\*Theorem \d+\.\d+", every)


@pytest.mark.parametrize(
    ("tex", "wanted"),
    [
        (r"\R^d", r"\mathbb{R}^d"),
        (r"\norm{x_{1}}+\Re z", r"\lVert x_{1} \rVert+\Re z"),
        (r"\abs k", r"\lvert k \rvert"),
        (r"\abs{\norm{k}}", r"\lvert \lVert k \rVert \rvert"),
    ],
)
def test_macros_are_expanded(tex, wanted):
    assert plain_notebooks.expanded(tex, MACROS) == wanted

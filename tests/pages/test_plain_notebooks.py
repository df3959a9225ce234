"""The plain notebooks accompanying the pages: the same code, and prose that Jupyter can render."""

import json
import re

import nbformat
from booksource import NOTEBOOKS, code_cells
from booksource import prose as source
from browsing import SITE

from slrbook.sphinx_ext import plain_notebooks

FOLDER = SITE / plain_notebooks.FOLDER
MYST = re.compile(r"\{[a-z:]+\}`|^ *:{3,}|^ *`{3,}\{|\((?:eq|fig|sec|paper|ex)-[\w-]+\)=?", re.M)


def test_the_code_is_that_of_the_chapter_and_the_prose_is_plain(site):
    every = ""
    for file in NOTEBOOKS:
        notebook = nbformat.read(FOLDER / file.name, as_version=4)
        nbformat.validate(notebook)
        found = [c.source for c in notebook.cells if c.cell_type == "code"]
        assert found == [c["source"] for c in code_cells(file) if c["source"].strip()]
        prose = "\n\n".join(c.source for c in notebook.cells if c.cell_type == "markdown")
        assert len(prose.split()) > 50 or file.stem == "laboratory"
        assert MYST.findall(prose) == [] and "{glue" not in prose
        asked = source(file).count("{solution-start}")
        assert len(re.findall(r"^\*\*Exercise [A-Z\d]+\.\d+\*\*$", prose, re.M)) == asked
        assert len(re.findall(r"(?:\*\*|<summary>)Solution(?:\*\*|</summary>)", prose)) == asked
        assert "```ipython3" not in prose  # code appears in cells only
        assert re.findall(r"\\(?:E|P|R|S|N|M|erf|erfc|sign|norm|abs)(?![A-Za-z])|#1", prose) == []
        outputs = json.dumps([cell.get("outputs", []) for cell in notebook.cells])
        assert "<script" not in outputs and "slr-dark" not in outputs
        every += prose
    assert re.search(r"\\tag\{\d+\.\d+\}", every) and re.search(r"\*\*Theorem \d+\.\d+", every)

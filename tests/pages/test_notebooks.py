"""The committed chapters: without outputs, and with the required parts of a chapter."""

import json
import re

import metrics
import pytest
from booksource import NOTEBOOKS, ROOT, cells, code_cells, prose

from slrbook import chapters
from slrbook.explorers import EXPLORERS

APPENDICES = {"notation", "gaussian_integrals"}  # takeaways and exercises are optional
NO_CHAPTERS = {*APPENDICES, "intro", "cheat_sheet", "paper_map", "open_questions", "laboratory"}
CHAPTERS = [file for file in NOTEBOOKS if file.stem not in NO_CHAPTERS]
NOTEBOOK_KEYS = {"about", "kernelspec", "language_info", "level"}
CELL_KEYS = {"tags", "mystnb"}
TAKEAWAYS = re.compile(  # a section or a box, up to the next heading or the end of the box
    r"^(?:#|[:`]{3,}\{)[^\n]*takeaway[^\n]*\n(.*?)(?=^#|^[:`]{3,} *$|\Z)", re.M | re.S | re.I
)
EXPLORE = re.compile(r"\{explore\}`[^`<]+<(?:(\w+)#)?(\w+):([^>]+)>`")  # page, explorer, state
EXERCISE = re.compile(r"\{exercise(?:-start)?\}[^\n]*\n(?: *:[^\n]*\n)*? *:label: *(\S+)")
EFFORT = re.compile(r"^ *\*\*[A-Z][\w ,]+, (?:easy|medium|hard), \d+ min\.\*\* ", re.M)

each_notebook = pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
each_chapter = pytest.mark.parametrize("file", CHAPTERS, ids=lambda file: file.stem)


def test_every_page_is_in_the_table_of_contents():
    files = {f"book/{file.stem}" for file in [*NOTEBOOKS, *ROOT.glob("book/*.md")]}
    assert set(chapters.contents(ROOT)) == files


@each_notebook
def test_committed_clean(file):
    notebook = json.loads(file.read_text("utf-8"))
    assert set(notebook["metadata"]) <= NOTEBOOK_KEYS
    assert set(notebook["metadata"].get("language_info", {})) <= {"name"}
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(set(ids)) == len(ids)
    for cell in notebook["cells"]:
        assert set(cell["metadata"]) <= CELL_KEYS, cell["source"]
        assert "attachments" not in cell
    assert all(cell["source"].strip() for cell in cells(file))
    for cell in code_cells(file)[:1]:
        assert 'jax.config.update("jax_enable_x64", True)' in cell["source"]
    for cell in code_cells(file):
        assert cell["execution_count"] is None
        if "keep_output" not in cell["metadata"].get("tags", []):
            assert cell["outputs"] == [], cell["source"]


def test_code_in_view_fits_its_column_and_keeps_no_books():
    seen = metrics.seen_lines()
    assert seen
    assert [line for line in seen if len(line[1]) > metrics.COLUMN] == []
    assert [line for line in seen if metrics.BOOKKEEPING.search(line[1])] == []


@each_chapter
def test_a_chapter_has_a_title_a_margin_note_takeaways_and_exercises_with_solutions(file):
    text = prose(file)
    assert re.match(r"(\([\w-]+\)=\n)?# ", text) and "{margin}" in text
    takeaways = TAKEAWAYS.search(text)
    assert takeaways, "no section or box with Takeaways in its title"
    assert re.search(r"^[-*] ", takeaways[1], re.M)
    exercises = EXERCISE.findall(text)
    solved = re.findall(r"\{solution(?:-start)?\} *(\S+)", text)
    assert exercises and sorted(solved) == sorted(exercises)
    assert len(EFFORT.findall(text)) == len(exercises)


@each_chapter
def test_a_chapter_has_an_answer_box_under_one_of_its_exercises(file):
    boxes = [cell for cell in code_cells(file) if re.search(r"^answer\(", cell["source"], re.M)]
    assert boxes
    labels = EXERCISE.findall(prose(file))
    for cell in boxes:
        label = re.search(r'^answer\(\s*"([\w-]+)"', cell["source"], re.M)[1]
        assert label in labels and "wrong={" in cell["source"]
        assert cell["metadata"]["tags"] == ["remove-input"]
        at = cells(file).index(cell)
        assert f":label: {label}\n" in cells(file)[at - 1]["source"]
        assert f"{{solution-start}} {label}\n" in cells(file)[at + 1]["source"]


@each_notebook
def test_a_link_into_an_explorer_names_a_state_that_it_has(file):
    assert prose(file).count("{explore}") == len(EXPLORE.findall(prose(file)))
    for page, name, state in EXPLORE.findall(prose(file)):
        (explorer,) = (each for each in EXPLORERS if each.stem() == name)
        there = ROOT / "book" / f"{page or file.stem}.ipynb"
        code = "\n".join(cell["source"] for cell in code_cells(there))
        assert f"explorers.{explorer.make.__name__}(" in code
        for pair in state.split("&"):
            control, value = pair.split("=")
            asked = explorer.controls()[control]
            assert asked.low <= float(value) <= asked.high and float(value) != asked.paper

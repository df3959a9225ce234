"""The list of all statements."""

import re

import pytest
from booksource import (
    ROOT,
    TEST,
    code_cells,
    labels_made,
    missing_tests,
    pages,
    prose,
    references,
)

from slrbook import statements

MADE = [
    label
    for page in pages()
    for box in re.findall(r"^[:`]{3,}\{prf:(?!proof)[^\n]*\n(?::[^\n]*\n)+", prose(page), re.M)
    for label in labels_made(box)
]


def test_every_statement_is_in_the_list_once():
    assert len(MADE) > 20
    assert sorted(references(statements.text())) == sorted(MADE)


PAGE = (ROOT / "book" / "statements.md").read_text("utf-8")
ROWS = re.findall(r"^\* - \{prf:ref\}`[^`<]+ <([\w-]+)>`\n  - (.+)$", PAGE, re.M)


def test_each_statement_without_a_number_in_the_paper_is_held_against_something():
    own = [label for label in MADE if not label.startswith("paper-")]
    assert sorted(label for label, _ in ROWS) == sorted(own)


@pytest.mark.parametrize("label, held", ROWS, ids=[label for label, _ in ROWS])
def test_what_it_is_held_against_exists(label, held):
    tests, chapters = TEST.findall(held), re.findall(r"\{doc\}`(\w+)`", held)
    assert tests or chapters
    assert missing_tests(tests) == []
    for chapter in chapters:
        where = ROOT / "book" / f"{chapter}.ipynb"
        assert label in labels_made(prose(where))
        assert any(re.search(r"check\(|assert ", "".join(c["source"])) for c in code_cells(where))

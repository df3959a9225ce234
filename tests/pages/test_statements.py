"""The list of all statements."""

import re

import pytest
from booksource import (
    ROOT,
    STATEMENT,
    TEST,
    code_cells,
    labels_made,
    missing_tests,
    pages,
    prose,
    references,
)

from slrbook import statements
from slrbook.certificates import stored

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


NOTE = prose(ROOT / "book" / "additions.md")
CITED = re.findall(
    r"^\*Status\*: (\w+)\. \*Cite as\*: "
    r"\{prf:ref\}`[^`<]+ <([\w-]+)>`, `(\w+)\.html#([\w-]+)`\.$",
    NOTE,
    re.M,
)
OTHERS = re.findall(r"^\* - (.+)\n  - ([a-z, ]+)\n  - (\{.+)$", NOTE, re.M)
LISTED = [(label, status) for status, label, *_ in CITED]
LISTED += [(label, status) for _, status, link in OTHERS for label in STATEMENT.findall(link)]


def test_the_note_lists_each_statement_of_the_book_once_as_proved():
    assert len(CITED) == len(re.findall(r"^## \d", NOTE, re.M)) <= 10
    titles = re.findall(r"^\* - \{prf:ref\}`([^`<]+) <([\w-]+)>`$", PAGE, re.M)
    own = [label for title, label in titles if "of the paper" not in title]
    assert sorted(label for label, _ in LISTED) == sorted(own)
    assert [label for label, status in LISTED if "proved" not in status] == []


def test_each_address_to_cite_is_that_of_its_statement():
    for _, label, page, anchor in CITED:
        (file,) = (file for file in pages() if file.stem == page)
        assert anchor == label in labels_made(prose(file))


def test_the_note_names_every_certificate_as_certified():
    rows = " ".join(result for result, status, _ in OTHERS if "certified" in status)
    assert sorted(re.findall(r"(?<!\})`([\w.-]+)`", rows)) == sorted(stored())


def test_the_map_refers_to_results_of_the_note_only():
    named = set(STATEMENT.findall(prose(ROOT / "book" / "paper_map.ipynb")))
    assert {x for x in named if not x.startswith("paper-")} <= {label for label, _ in LISTED}

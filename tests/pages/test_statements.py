"""The list of all statements."""

import re

from booksource import (
    ROOT,
    STATEMENT,
    code_cells,
    labels_made,
    missing_tests,
    pages,
    prose,
    references,
)

from slrbook import chapters, statements
from slrbook.certificates import stored

MADE = [
    label
    for page in pages()
    for box in re.findall(r"^[:`]{3,}\{prf:(?!proof)[^\n]*\n(?::[^\n]*\n)+", prose(page), re.M)
    for label in labels_made(box)
]
OURS = [label for label in MADE if not label.startswith("paper-")]
MAP = prose(ROOT / "book" / "paper_map.ipynb")


def test_every_statement_is_on_the_map_once():
    assert len(MADE) > 20
    of_the_paper = re.findall(r"^\* - \*\*\{prf:ref\}`[^`<]+ <([\w-]+)>`", MAP, re.M)
    assert statements.MARK in MAP
    assert sorted(of_the_paper + references(statements.text())) == sorted(MADE)


def test_each_of_our_statements_is_tested_against_something_that_exists():
    assert sorted(statements.OWN) == sorted(OURS)
    for label, (words, *where) in statements.OWN.items():
        assert words and where and "tests/" not in words
        tests = [tuple(one.split("::")) for one in where if "::" in one]
        assert missing_tests(tests) == [], label
        for chapter in (one for one in where if "::" not in one):
            page = ROOT / "book" / f"{chapter}.ipynb"
            assert label in labels_made(prose(page))
            checked = [re.search(r"check\(|assert ", c["source"]) for c in code_cells(page)]
            assert any(checked), label


NOTE = prose(ROOT / "book" / "additions.md")
CITED = re.findall(
    r"^\*Status\*: (\w+)\. \*Cite as\*: "
    r"\{prf:ref\}`[^`<]+ <([\w-]+)>`, `(\w+)\.html#([\w-]+)`\.$",
    NOTE,
    re.M,
)
GROUPS = dict(re.findall(r"^\*\*(\w+)\*\*[^\n]*\n\n((?:- .*\n)+)", NOTE, re.M))
PAGES = chapters.contents(ROOT)
LISTED = [(label, status) for status, label, *_ in CITED]
LISTED += [(label, "proved") for label in STATEMENT.findall(GROUPS["Proved"])]


def test_the_note_lists_each_statement_of_the_book_once_as_proved():
    assert len(CITED) == len(re.findall(r"^## \d", NOTE, re.M)) <= 10
    titles = {label: title for page in PAGES for _, title, label in statements.of(page)}
    own = [label for label in OURS if "of the paper" not in titles[label]]
    assert sorted(label for label, _ in LISTED) == sorted(own)
    assert {status for _, status in LISTED} == {"proved"}
    for _, label, page, anchor in CITED:
        (file,) = (file for file in pages() if file.stem == page)
        assert anchor == label in labels_made(prose(file))


def test_the_note_names_every_certificate_and_the_map_only_results_of_the_note():
    assert sorted(re.findall(r"(?<!\})`([\w.-]+)`", GROUPS["Certified"])) == sorted(stored())
    named = set(STATEMENT.findall(MAP))
    assert {x for x in named if not x.startswith("paper-")} <= {label for label, _ in LISTED}

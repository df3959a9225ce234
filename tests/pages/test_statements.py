"""The list of all statements."""

import re

from booksource import labels_made, pages, prose, references

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

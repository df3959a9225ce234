"""The formulas of the package and the displayed equations of the book name one another."""

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

from booksource import ROOT, labels_made, pages, prose, references

PACKAGE = ROOT / "slrlib"
FORMULA_MODULES = "special sphere overlaps task predictors risk dynamics heads".split()


@cache
def made() -> Counter[str]:
    """How often the book makes each label."""
    return Counter(label for page in pages() for label in labels_made(prose(page)))


def docstrings(file: Path):
    """(name, docstring) of the module, its classes and its functions, nested ones too."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef)
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, kinds):
            yield getattr(node, "name", file.stem), ast.get_docstring(node) or ""


def offered(file: Path) -> set[str]:
    """The names in ``__all__`` of the package that holds ``file``, or of the module itself."""
    if file.parent != PACKAGE:
        file = file.parent / "__init__.py"
    lists = [
        node.value
        for node in ast.parse(file.read_text("utf-8")).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    ]
    return {name for names in lists for name in ast.literal_eval(names)}


def public_functions(file: Path):
    for node in ast.parse(file.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef) and node.name in offered(file):
            yield node.name, ast.get_docstring(node) or ""


NAMED = [
    (str(file.relative_to(ROOT)), name, label)
    for file in sorted(PACKAGE.rglob("*.py"))
    for name, text in docstrings(file)
    for label in references(text)
]
FORMULAS = [
    (str(file.relative_to(ROOT)), name, text)
    for module in FORMULA_MODULES
    for file in sorted([*PACKAGE.glob(f"{module}.py"), *PACKAGE.glob(f"{module}/*.py")])
    for name, text in public_functions(file)
]


def test_there_is_something_to_check():
    assert len(NAMED) > 20 and len(FORMULAS) > 20 and len(made()) > 20


def test_a_label_that_a_docstring_names_is_in_the_book_once():
    assert [named for named in NAMED if made()[named[-1]] != 1] == []


def test_a_public_formula_says_where_the_book_shows_it():
    """In one line `Book: {eq}`...`` of its docstring."""
    for file, name, text in FORMULAS:
        _, *after = text.split("Book:")
        assert len(after) == 1 and references(after[0]), f"{file}: {name}"


def test_references_in_the_book_resolve():
    for page in pages():
        missing = [label for label in references(prose(page)) if label not in made()]
        assert missing == [], page


def test_no_label_is_made_twice():
    assert {label: count for label, count in made().items() if count > 1} == {}


def test_a_link_to_a_statement_of_the_paper_says_which_not_its_number_here():
    for page in pages():
        assert re.findall(r"\{prf:ref\}`paper-[^`]*`", prose(page)) == [], page

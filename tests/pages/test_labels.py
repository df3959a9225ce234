"""A formula of the package links to its place in the book; the build itself checks each label."""

import ast
import importlib
import re

from booksource import ROOT, pages, prose, references

PACKAGE = ROOT / "slrlib"
FORMULA_MODULES = "special sphere overlaps task predictors risk dynamics heads".split()


def public_functions(module: str):
    """(name, docstring) of the public functions of a module or package."""
    files = [*PACKAGE.glob(f"{module}.py"), *PACKAGE.glob(f"{module}/*.py")]
    offered = importlib.import_module(f"slrlib.{module}").__all__
    for file in files:
        for node in ast.parse(file.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name in offered:
                yield node.name, ast.get_docstring(node) or ""


def test_a_public_formula_says_where_the_book_shows_it():
    """Its docstring has a line `Book: {eq}`...``."""
    found = [(module, *each) for module in FORMULA_MODULES for each in public_functions(module)]
    assert len(found) > 20
    for module, name, text in found:
        _, *after = text.split("Book:")
        assert len(after) == 1 and references(after[0]), f"{module}: {name}"


def test_a_link_to_a_statement_of_the_paper_says_which_not_its_number_here():
    for page in pages():
        assert re.findall(r"\{prf:ref\}`paper-[^`]*`", prose(page)) == [], page

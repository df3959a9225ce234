"""The page of the package: all public names, in words that a page can hold."""

import importlib

import pytest
from booksource import ROOT

import slrlib
from slrbook import api, chapters


@pytest.fixture(scope="module")
def page():
    return api.text()


def test_every_public_name_has_its_place(page):
    names = [
        (module, name)
        for module in api.MODULES
        for name in importlib.import_module(f"slrlib.{module}").__all__
    ]
    assert len(names) > 100
    assert [name for name in names if f"\n### {name[1]}\n" not in page] == []
    labels = [line for line in page.splitlines() if line.startswith("(api-")]
    assert len(labels) == len(set(labels)) == len(names)


def test_every_package_of_slrlib_is_on_it():
    folder = ROOT / "slrlib"
    packages = {file.parent.name for file in folder.glob("*/__init__.py")}
    assert packages - {"checks"} <= set(api.MODULES)  # checks serves the others
    assert set(slrlib.__all__) - {"__version__"} <= {"Overlaps", "Task", "Teacher"}
    assert f"book/{(ROOT / 'book' / 'api.md').stem}" in chapters.contents(ROOT)


def test_words_are_plain_and_code_is_code():
    assert api.prose("``x`` is k* in R^d, <0>") == r"`x` is k\* in R\^d, \<0\>"
    assert api.signature(slrlib.Task).startswith("(d, L, gamma=0.7071")
    assert api.pages_with("dynamics", "manifold_step") and not api.pages_with("dynamics", "no_such")


def test_nothing_of_it_is_cut_off(page):
    """Code keeps to its column; all else is text, which wraps."""
    blocks = page.split("```text\n")[1:]
    lines = [line for block in blocks for line in block.split("\n```")[0].splitlines()]
    assert max(map(len, lines)) <= 77
    assert "0x" not in page

"""The examples in the docstrings of slrlib run, and print what they show."""

import doctest
import importlib
import pkgutil

import slrlib


def test_the_examples_of_slrlib(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # an example writes a file
    names = [x.name for x in pkgutil.walk_packages(slrlib.__path__, "slrlib.")]
    results = [
        doctest.testmod(importlib.import_module(name))
        for name in names
        if not name.startswith("slrlib.language") and name != "slrlib.__main__"
    ]
    assert sum(result.attempted for result in results) > 5
    assert sum(result.failed for result in results) == 0

"""The examples in the docstrings of slrlib run and print the documented output."""

import doctest
import importlib
import inspect
import pkgutil
import re

import slrlib
from slrbook.sphinx_ext.contents import LEVELS


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


def public():
    """Return each public function and class of slrlib with its full name."""
    found = {}
    for x in pkgutil.walk_packages(slrlib.__path__, "slrlib."):
        module = importlib.import_module(x.name) if x.name != "slrlib.__main__" else slrlib
        members = ((name, getattr(module, name)) for name in getattr(module, "__all__", ()))
        found |= {member: f"{x.name}.{name}" for name, member in members if callable(member)}
    return found.items()


def test_each_public_name_documents_its_arguments_its_result_and_an_example():
    missing = []
    for member, name in public():
        text = inspect.getdoc(member) or ""
        arguments = set(inspect.signature(member).parameters)
        section = text.partition("Parameters\n-")[2].partition("\n\n")[0]
        listed = {
            each for line in re.findall(r"^(\S.*?) :", section, re.M) for each in line.split(", ")
        }
        wanted = {"Examples"} if inspect.isclass(member) else {"Examples", "Returns"}
        missing += [(name, each) for each in arguments - listed]
        missing += [(name, each) for each in wanted if f"{each}\n-" not in text]
    assert len(public()) > 100 and missing == []


def test_each_level_of_the_package_leads_to_the_table_of_symbols():
    for level in LEVELS:
        assert "{doc}`notation`" in importlib.import_module(f"slrlib.{level}").__doc__

"""Write the list of our statements and the page of the package into the sources of their pages.

The page of the package has a section for each level of slrlib: a table of its public names, each
with the first line of its docstring, and a fold with the docstrings, set by autodoc and napoleon.
The whole page has 12,000 elements; a link to a name opens the fold that holds it.
"""

import importlib
import inspect
import json
import re
from pathlib import Path

from sphinx.pycode import ModuleAnalyzer

import slrlib
from slrbook import statements

PACKAGE = Path(slrlib.__file__).parent
MARK = "<!-- the public names -->"
LEVELS = (
    *("task", "overlaps", "sphere", "special", "predictors", "risk", "dynamics", "landscape"),
    *("heads", "transformer", "language", "experiments"),
)
CODE = re.compile(r"(``.+?``|:[\w:]+:`[^`]+`)", re.S)  # literal text and roles stay as they are


def public(level: str) -> dict[str, object]:
    """Return the public names of a level of slrlib in alphabetical order, with their objects."""
    module = importlib.import_module(f"slrlib.{level}")
    return {name: getattr(module, name) for name in sorted(module.__all__, key=str.lower)}


def comment(level: str, name: str) -> str:
    """Return the ``#:`` comment on a value, from whichever module of the level assigns it."""
    for file in sorted([*PACKAGE.glob(f"{level}.py"), *PACKAGE.glob(f"{level}/*.py")]):
        found = ModuleAnalyzer.for_file(str(file), file.stem).find_attr_docs()
        if ("", name) in found:
            return " ".join(found["", name]).strip()
    raise ValueError(f"slrlib.{level}.{name} needs a comment that starts with '#:'")


def section(level: str) -> str:
    """Write the section of one level in MyST."""
    module, names = f"slrlib.{level}", public(level)
    values = {name for name, thing in names.items() if name.isupper() or not callable(thing)}
    words = (inspect.getdoc(importlib.import_module(module)) or "").split("\n\n")[0]
    lines = [f".. py:currentmodule:: {module}", "", words, "", ".. autosummary::"]
    lines += ["   :nosignatures:", ""]
    lines += [f"   {name}" for name in names if name not in values]
    lines += ["", ".. dropdown:: Parameters, examples and equations"]
    for name, thing in names.items():
        if name in values:
            lines += ["", f"   .. py:data:: {name}", "", f"      {comment(level, name)}"]
        elif inspect.isclass(thing):
            lines += ["", f"   .. autoclass:: {name}", "      :members:"]
        else:
            lines += ["", f"   .. autofunction:: {name}"]
    return "\n".join([f"## {module}", "", "```{eval-rst}", *lines, "```", ""])


def _fill(app, docname, source):
    if statements.MARK in source[0]:  # in a notebook, which is JSON
        text = json.dumps(statements.text())[1:-1]
        source[0] = source[0].replace(statements.MARK, text)
    if MARK in source[0]:
        source[0] = source[0].replace(MARK, "\n".join(map(section, LEVELS)))


def _as_rst(app, what, name, thing, options, lines):
    """Turn the roles of MyST into those of reStructuredText."""
    text = re.sub(r"\{([\w:]+)\}`", r":\1:`", "\n".join(lines))
    text = re.sub(r"(?<![`:\w])`([^`\n]+)`(?![`_])", r"``\1``", text)
    parts = CODE.split(text)
    parts[::2] = [re.sub(r"\||(?<=\w)_(?!\w)", r"\\\g<0>", part) for part in parts[::2]]
    lines[:] = "".join(parts).splitlines()
    lines.append("")


def _skip(app, what, name, thing, skip, options):
    """Leave out the fields of a NamedTuple, and classes that are attributes of a class."""
    field = str(getattr(thing, "__doc__", "")).startswith("Alias for field")
    return True if field or inspect.isclass(thing) else None


def setup(app):
    for extension in ("autodoc", "autosummary", "napoleon"):
        app.setup_extension(f"sphinx.ext.{extension}")
    app.connect("source-read", _fill)
    app.connect("autodoc-process-docstring", _as_rst, priority=100)  # before napoleon
    app.connect("autodoc-skip-member", _skip)

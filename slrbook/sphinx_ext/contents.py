"""The contents: letters for the pages of a part, the head of a page, lists of pages and names.

The pages of a part of ``_toc.yml`` that is numbered to depth 1 have letters instead of numbers, and
so have unnumbered pages with numbered equations. The labels of their figures, statements and
equations begin with the letter. The metadata of a notebook or the front matter of Markdown states
the ``level`` of a page and, in one line, what it is ``about``; its reading time is computed. The
role ``minutes`` gives the time of the named pages, and the directive ``pages`` lists all pages.
References to pages show their number.

The page of the package has a section for each level of slrlib: a table of its public names, each
with the first line of its docstring, and a fold with the docstrings, typeset by autodoc and
napoleon. The whole page has 12,000 elements; a link to a name opens the fold that contains it.
"""

import importlib
import inspect
import json
import re
from pathlib import Path
from string import ascii_uppercase

from docutils import nodes
from sphinx import addnodes
from sphinx.environment.collectors.toctree import TocTreeCollector
from sphinx.pycode import ModuleAnalyzer
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective, SphinxRole

import slrlib
from slrbook import chapters, length, statements
from slrbook.reading import moved
from slrbook.sphinx_ext.document import OfPages, when_written

PACKAGE = Path(slrlib.__file__).parent
API_MARK = "<!-- the public names -->"
LEVELS = (
    *("task", "overlaps", "sphere", "special", "predictors", "risk", "dynamics", "landscape"),
    *("heads", "transformer", "language", "experiments"),
)
CODE = re.compile(r"(``.+?``|:[\w:]+:`[^`]+`)", re.S)  # literal text and roles stay as they are
TO_LOOK_UP = "to look up"  # the level of a page for reference; it has no reading time
STUB = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>This page has moved</title>
<noscript><meta http-equiv="refresh" content="0; url={url}"></noscript>
<script>location.replace({quoted} + location.search + location.hash);</script></head>
<body><p>This page has moved to <a href="{url}">{url}</a>.</p></body></html>
"""
assign_figure_numbers = TocTreeCollector.assign_figure_numbers


def with_letters(self, env) -> list[str]:
    """Assign letters to the pages that need them, and then numbers to all figures."""
    toctrees = env.get_doctree(env.config.root_doc).findall(addnodes.toctree)
    equations = {page for page, _ in env.get_domain("math").equations.values()}
    lettered = [
        page
        for tree in toctrees
        for _, page in tree["entries"]
        if tree["numbered"] == 1 or (not tree["numbered"] and page in equations)
    ]
    for letter, page in zip(ascii_uppercase, lettered, strict=False):
        first, *sections = env.tocs[page].findall(nodes.reference)
        numbers = dict.fromkeys((section["anchorname"] for section in sections), None)
        env.toc_secnumbers[page] = {**numbers, "": (letter,)}
        env.titles[page]["secnumber"] = first["secnumber"] = [letter]
    return assign_figure_numbers(self, env)


def minutes(root: Path, *pages: str) -> str:
    """Return the total reading time of the pages."""
    return f"{sum(length.of(root, page).minutes for page in pages)}\u00a0min"


class Minutes(SphinxRole):
    def run(self):
        pages = (f"book/{page}" for page in self.text.split())
        return [nodes.Text(minutes(Path(self.env.srcdir), *pages))], []


class ListOfPages(SphinxDirective):
    """List all pages by parts, each with its minutes and its subject."""

    def run(self):
        root, lines = Path(self.env.srcdir), []
        for caption, pages in chapters.parts(root):
            lines += [f"**{caption}**", ""]
            for page in pages:
                about = chapters.about(root, page)
                time = "" if about.get("level") == TO_LOOK_UP else f" ({minutes(root, page)})"
                lines += [f"{{doc}}`/{page}`{time}", f": {about.get('about', '')}", ""]
        return self.parse_text_to_nodes("\n".join(lines))


class Head(OfPages):
    """Add minutes and level below the title of a page, and mark its opening paragraph."""

    default_priority = 197

    def run(self, **kwargs):
        root, page = Path(self.env.srcdir), self.env.docname
        title = next(iter(self.document.findall(nodes.title)), None)
        if title is None or page not in chapters.contents(root):
            return
        level = chapters.about(root, page).get("level", "")
        time = "" if level == TO_LOOK_UP else minutes(root, page)
        section, at = title.parent, title.parent.index(title) + 1
        for first in section.children[at : at + 1]:
            if isinstance(first, nodes.paragraph) and first.astext().startswith("What you "):
                first["classes"].append("slr-opening")
        words = " · ".join(filter(None, [time, level]))
        section.insert(at, nodes.paragraph("", words, classes=["slr-head"]))


class ByNumber(SphinxPostTransform):
    """Cite a chapter by its number, because a title is hard to read within a sentence."""

    default_priority = 5  # before the references are resolved

    def run(self):
        for reference in self.document.findall(addnodes.pending_xref):
            page = f"book/{reference['reftarget']}"
            number = self.env.titles[page].get("secnumber") if page in self.env.titles else None
            if number and reference["reftype"] == "doc" and not reference["refexplicit"]:
                reference["refexplicit"] = True
                reference[:] = [nodes.inline("", f"Chapter\u00a0{number[0]}")]


def write_stubs(app):
    """Write a page that redirects, for each page that has moved."""
    for old, new in moved()["pages"].items():
        if new in app.env.found_docs and old not in app.env.found_docs:
            url = f"{Path(new).name}.html"  # all pages share one folder
            text = STUB.format(url=url, quoted=json.dumps(url))
            (Path(app.outdir) / f"{old}.html").write_text(text, "utf-8")


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
    """Write the list of our statements and the page of the package into their sources."""
    if statements.MARK in source[0]:  # in a notebook, which is JSON
        text = json.dumps(statements.text())[1:-1]
        source[0] = source[0].replace(statements.MARK, text)
    if API_MARK in source[0]:
        source[0] = source[0].replace(API_MARK, "\n".join(map(section, LEVELS)))


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
    TocTreeCollector.assign_figure_numbers = with_letters
    for extension in ("autodoc", "autosummary", "napoleon"):
        app.setup_extension(f"sphinx.ext.{extension}")
    app.connect("source-read", _fill)
    app.connect("autodoc-process-docstring", _as_rst, priority=100)  # before napoleon
    app.connect("autodoc-skip-member", _skip)
    app.add_role("minutes", Minutes())
    app.add_directive("pages", ListOfPages)
    app.add_post_transform(Head)
    app.add_post_transform(ByNumber)
    when_written(app, write_stubs)

"""The contents: letters for the pages of a part, the head of a page, the list of all pages.

A part of ``_toc.yml`` that is numbered to depth 1 has letters instead of numbers, which its
figures, statements and equations begin with. A page says in its metadata (a notebook) or front
matter (Markdown) its ``level`` and in one line what it is ``about``; its minutes are computed.
The role ``minutes`` gives those of the pages that it names, and the directive ``pages`` lists all.
"""

import json
from pathlib import Path
from string import ascii_uppercase

from docutils import nodes
from docutils.statemachine import StringList
from sphinx import addnodes
from sphinx.environment.collectors.toctree import TocTreeCollector
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective, SphinxRole

from slrbook import chapters, length
from slrbook.reading import moved

TO_LOOK_UP = "to look up"  # the level of a page that nobody reads from its first to its last line
STUB = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>This page has moved</title>
<noscript><meta http-equiv="refresh" content="0; url={url}"></noscript>
<script>location.replace({quoted} + location.search + location.hash);</script></head>
<body><p>This page has moved to <a href="{url}">{url}</a>.</p></body></html>
"""
assign_figure_numbers = TocTreeCollector.assign_figure_numbers


def with_letters(self, env) -> list[str]:
    """Give the chapters of each toctree of depth 1 a letter, and then all figures their numbers."""
    toctrees = env.get_doctree(env.config.root_doc).findall(addnodes.toctree)
    lettered = [page for tree in toctrees if tree["numbered"] == 1 for _, page in tree["entries"]]
    for letter, page in zip(ascii_uppercase, lettered, strict=False):
        reference = next(env.tocs[page].findall(nodes.reference))
        env.toc_secnumbers[page][""] = (letter,)
        env.titles[page]["secnumber"] = reference["secnumber"] = [letter]
    return assign_figure_numbers(self, env)


def minutes(root: Path, *pages: str) -> str:
    """The time that the pages take together."""
    return f"{sum(length.of(root, page).minutes for page in pages)}\u00a0min"


class Minutes(SphinxRole):
    def run(self):
        pages = (f"book/{page}" for page in self.text.split())
        return [nodes.Text(minutes(Path(self.env.srcdir), *pages))], []


class ListOfPages(SphinxDirective):
    """Every page by parts, with its minutes and what it is about."""

    def run(self):
        root, lines = Path(self.env.srcdir), []
        for caption, pages in chapters.parts(root):
            lines += [f"**{caption}**", ""]
            for page in pages:
                about = chapters.about(root, page)
                time = "" if about.get("level") == TO_LOOK_UP else f" ({minutes(root, page)})"
                lines += [f"{{doc}}`/{page}`{time}", f": {about.get('about', '')}", ""]
        whole = nodes.container()
        self.state.nested_parse(StringList(lines, self.get_location()), 0, whole)
        return whole.children


class Head(SphinxPostTransform):
    """Below the title of a page, its minutes and its level; what it needs is as quiet."""

    default_priority = 197
    formats = ("html",)

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


def write_stubs(app, exception):
    """Write a page that leads on, for each page that has moved."""
    if exception is not None or app.builder.format != "html":
        return
    for old, new in moved()["pages"].items():
        if new in app.env.found_docs and old not in app.env.found_docs:
            url = f"{Path(new).name}.html"  # all pages share one folder
            text = STUB.format(url=url, quoted=json.dumps(url))
            (Path(app.outdir) / f"{old}.html").write_text(text, "utf-8")


def setup(app):
    TocTreeCollector.assign_figure_numbers = with_letters
    app.add_role("minutes", Minutes())
    app.add_directive("pages", ListOfPages)
    app.add_post_transform(Head)
    app.connect("build-finished", write_stubs)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

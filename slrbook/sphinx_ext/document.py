"""Roles, directives, formulas as MathML, and changes of the document tree.

The role ``explore`` links to an explorer in a state: ``{explore}`try it <where:lam=0.07>` `` on the
page that holds the link, ``<task#find_token:seed=3>`` on another one. The directive ``try`` shows
Python code that a reader may change and run on the page; its argument is a name that no other
directive of the book has.
"""

import base64
import hashlib
import re
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from html import escape, unescape
from itertools import count, takewhile
from pathlib import Path
from typing import cast

from docutils import nodes
from docutils.parsers.rst import Directive
from pygments.formatters import HtmlFormatter
from pygments.token import Name, Operator, Punctuation, Text, Whitespace
from sphinx.highlighting import PygmentsBridge
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.docutils import ReferenceRole
from sphinx.util.math import get_node_equation_number
from sphinx_exercise.nodes import is_exercise_node, solution_node
from sphinx_proof.nodes import unenumerable_node

from slrbook import formulas
from slrbook.picture.style import readable, signed

logger = logging.getLogger(__name__)

HOLDS = '<p class="slr-check slr-holds"'
BEFORE_NUMBER = ("\\le", "\\ge", "\\approx", "=", "<", ">")  # the end of a formula
INSIDE = re.compile(r' src="data:image/(svg|png)[^,]*;base64,([^"]*)"')
IN_A_LINE = re.compile(r"\\\((.*?)\\\)", re.DOTALL)  # a formula in a caption
WIDE = "tag_full-width"
PUNCTUATION = re.compile(r"[,.;:?!)]+")


class Explore(ReferenceRole):
    def run(self):
        page, _, state = self.target.rpartition("#")
        address = f"{page}.html#{state}" if page else f"#{state}"
        return [nodes.reference("", self.title, refuri=address, internal=False)], []


class Try(Directive):
    required_arguments = 1
    has_content = True

    def run(self):
        self.assert_has_content()
        name, code = escape(self.arguments[0]), escape("\n".join(self.content))
        template = f"<template>{code}\n</template>"
        return [_raw(f'<div class="slr-try" data-name="{name}">{template}</div>')]


def when_written(app, function: Callable, **order: int) -> None:
    """Call ``function`` once all pages are there, if no error ended the build."""

    def finish(app, exception):
        if exception is None and app.builder.format == "html":
            function(app)

    app.connect("build-finished", finish, **order)


def _raw(text: str) -> nodes.raw:
    return nodes.raw("", text, format="html")


def _fold(kind: str, title: str, *inner: nodes.Node) -> list[nodes.Node]:
    return [_raw(f'<details class="{kind}"><summary>{title}</summary>'), *inner, _raw("</details>")]


class OfPages(SphinxPostTransform):
    """A change of the document tree for HTML pages only."""

    formats = ("html",)


class Checks(OfPages):
    """Fold the checks of a section behind one badge.

    Each line behind it unfolds the code of its cell (tagged ``check``). A cell with a check that
    fails, or with other outputs, stays visible and unchanged.
    """

    default_priority = 198  # after the outputs are chosen, before myst-nb folds what is hidden

    def run(self, **kwargs):
        gathered: dict[nodes.Element, list[nodes.Element]] = {}
        for cell in list(self.document.findall(nodes.container)):
            if "tag_check" not in cell["classes"]:
                continue
            outputs = [text.astext() for text in cell.children[-1].findall(nodes.FixedTextElement)]
            if outputs and all(text.startswith(HOLDS) for text in outputs):
                place, item = cell.parent, self.item(cell.children[0], readable("".join(outputs)))
                place.remove(cell)
                gathered.setdefault(place, []).append(item)
        for place, items in gathered.items():
            self.badge(place, items)

    def item(self, code: nodes.Node, lines: str) -> nodes.Element:
        """Fold the code of a cell behind its lines."""
        text = lines.replace("<p ", "<span ").replace("</p>", "</span>")  # a summary holds no <p>
        folded = _fold("slr-checked", text, code)
        return nodes.container("", *folded, classes=["cell", "tag_check"])

    def badge(self, place: nodes.Element, items: list[nodes.Element]) -> None:
        """Fold ``items`` behind one line, at the end of ``place`` but before its subsections."""
        count = sum(item.children[0].astext().count('class="slr-check ') for item in items)
        words = f"<b>✓</b> {count} check{'s' if count > 1 else ''}"
        inner = (i for i, each in enumerate(place) if isinstance(each, nodes.section))
        at = next(inner, len(place))
        place[at:at] = _fold("slr-checks", words, *items)


class Exercises(OfPages):
    """Put the hints, answer box and solution of an exercise on one line of folds below it."""

    default_priority = 202  # after their titles are resolved

    def run(self, **kwargs):
        found = [cast(nodes.Element, node) for node in self.document.findall(is_exercise_node)]
        for exercise in found:
            content = cast(nodes.Element, exercise[-1])
            content["ids"] = []  # all of them would be the same
            folds = [child for child in content if type(child).__name__ == "dropdown_main"]
            siblings = exercise.parent.children[exercise.parent.index(exercise) + 1 :]
            boxes = [*takewhile(lambda node: not isinstance(node, nodes.Admonition), siblings)]
            after = next(iter(siblings[len(boxes) :]), None)
            moved = [*folds]
            if isinstance(after, solution_node):
                moved += [*boxes, after, after[0]]  # its title is now that of the fold
                cast(nodes.Element, after[-1])["ids"] = []
                folds += _fold("answer", "Check your answer", *boxes) if boxes else []
                folds += _fold("solution", "Solution", after)
            for node in moved:
                node.parent.remove(node)
            exercise += nodes.container("", *folds, classes=["slr-folds"])


class Numbered(OfPages):
    """Number figures by chapter, and give figures and explorers an id to link to.

    Both are outputs of cells, which Sphinx does not number. A statement of the paper keeps the
    number of the paper, which is in its title, and shows no other.
    """

    default_priority = 190

    def run(self, **kwargs):
        numbers = self.env.toc_secnumbers.get(self.env.docname, {}).get("", ())
        label = f"Figure {numbers[0]}.%d. " if numbers else ""
        self.place("figure", '<figure class="slr-figure"', label)
        self.place("explorer", '<div class="slr-explorer"')
        for statement in list(self.document.findall(nodes.Element)):
            proof = isinstance(statement, nodes.Admonition) and "proof" in statement["classes"]
            title = statement[0] if proof else None
            if isinstance(title, nodes.title) and title.astext():
                self.title(statement, title)
                if statement["ids"]:
                    link = {"refid": statement["ids"][0], "reftitle": "Link to this statement"}
                    title += nodes.reference("", "#", **link, classes=["headerlink"])

    def place(self, name: str, opening: str, label: str = "") -> None:
        """Add ids to the elements that begin with ``opening``, and ``label`` to their captions."""
        numbers = count(1)
        caption = re.compile(rf'id="{name}-(\d+)".*?<figcaption[^>]*>', re.DOTALL)

        def begun(found: re.Match) -> str:
            return f'{found[0]} id="{name}-{next(numbers)}"'

        def numbered(found: re.Match) -> str:
            return f'{found[0]}<span class="caption-number">{label % int(found[1])}</span>'

        for raw in self.document.findall(nodes.raw):
            if opening in (text := raw.astext()):
                text = re.sub(opening, begun, text)
                raw[:] = [nodes.Text(caption.sub(numbered, text) if label else text)]
                if name == "explorer":  # its cell spans text and margin
                    _outer(raw, lambda node: "cell" in node["classes"])["classes"] += [WIDE]

    def title(self, statement: nodes.Element, title: nodes.title) -> None:
        first, *_, last = [*title.findall(nodes.Text)] * 2
        if isinstance(statement, unenumerable_node):  # " (Theorem 1 of the paper)"
            title["ids"] = []  # the box has the same
            _replace(first, first.removeprefix(" ("))
            *_, last = title.findall(nodes.Text)
            _replace(last, last.removesuffix(")"))
            box = nodes.admonition("", ids=statement["ids"], classes=statement["classes"])
            statement.replace_self(box)
            box += statement.children
        elif last.endswith(" (not in the paper))"):
            _replace(last, last.removesuffix(" (not in the paper))") + "; not in the paper)")


def _outer(node: nodes.Node, wanted: Callable[[nodes.Element], bool]) -> nodes.Element:
    """Return the innermost element around ``node`` that is ``wanted``."""
    around = node.parent
    while not wanted(around):
        around = around.parent
    return around


def _replace(text: nodes.Text, by: str) -> None:
    text.parent.replace(text, nodes.Text(by))


class Readable(OfPages):
    """Typeset minus signs and powers of ten, and avoid line breaks next to a formula.

    No line begins with the punctuation after a formula, or with a number that follows ≤ or ±.
    """

    default_priority = 191

    def run(self, **kwargs):
        for number in self.document.findall(nodes.inline):
            if _is_number(number):
                number[:] = [nodes.Text(signed(number.astext()))]
        for text in list(self.document.findall(nodes.Text)):
            if " ± " in text and not isinstance(text.parent, nodes.raw):
                _replace(text, readable(text))
        for formula in list(self.document.findall(nodes.math)):
            self.keep(formula)

    def keep(self, formula: nodes.math) -> None:
        """Keep ``formula`` on one line with the punctuation or number that follows it."""
        parent, at = formula.parent, formula.parent.index(formula)
        after = parent.children[at + 1 : at + 3]
        whole = nodes.inline("", "", classes=["slr-kept"])
        if len(after) == 2 and after[0] == " " and _is_number(after[1]):
            between = at > 1 and _is_number(parent[at - 2]) and parent[at - 1] == " "
            if formula.astext() == r"\pm" and between:
                parent[at - 1 : at + 2] = [nodes.Text("\u00a0±\u00a0")]
            elif formula.astext().endswith(BEFORE_NUMBER):
                parent[at : at + 3] = [whole]
                whole += [formula, *after]
        elif after and (found := PUNCTUATION.match(str(after[0]))):
            parent[at : at + 2] = [whole, nodes.Text(str(after[0])[found.end() :])]
            whole += [formula, nodes.Text(found[0])]


def _is_number(node: nodes.Node) -> bool:
    """Return whether ``node`` was pasted by ``{glue:text}``."""
    return isinstance(node, nodes.inline) and "pasted-text" in node["classes"]


class Files(OfPages):
    """Write the pictures of figures to ``_images``, so that a page loads only those of its theme.

    Each is loaded when a reader scrolls near it. In the output of a notebook, both pictures are
    embedded. A figure in the first section is visible at once, so its light picture, which most
    readers see, is loaded without waiting for the layout.
    """

    default_priority = 203

    def run(self, **kwargs):
        for raw in list(self.document.findall(nodes.raw)):
            if '<figure class="slr-figure"' in (text := raw.astext()):
                text = INSIDE.sub(self.file, text)
                section = _outer(raw, lambda node: isinstance(node, nodes.section))
                if isinstance(section.parent, nodes.document):
                    text = text.replace(' loading="lazy"', "", 1)
                raw[:] = [nodes.Text(text)]

    def file(self, picture: re.Match) -> str:
        kind, data = picture[1], base64.b64decode(picture[2])
        name = f"{hashlib.sha256(data).hexdigest()[:16]}.{kind}"
        folder = Path(self.app.outdir) / "_images"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
        return f' loading="lazy" src="{"../" * self.env.docname.count("/")}_images/{name}"'


def _mathml(tex: str, display: bool, config, node: nodes.Node) -> str:
    """Return the formula as MathML; if Temml refuses it, warn and return its TeX."""
    try:
        return formulas.mathml(tex, display, config.formula_macros)
    except formulas.BadFormula as error:
        logger.warning("%s", error, location=node)
        return f"<code>{escape(tex)}</code>"


def _visit_formula(self, node):
    self.body.append(_mathml(node.astext(), False, self.config, node))
    raise nodes.SkipNode


def _visit_display(self, node):
    tex = " ".join(node.astext().split())
    self.body.append(self.starttag(node, "div", CLASS="math", **{"data-tex": tex}))
    if node["number"]:
        self.body.append(f'<span class="eqno">({get_node_equation_number(self, node)})')
        self.add_permalink_ref(node, "Link to this equation")
        self.body.append("</span>")
    self.body.append(_mathml(node.astext(), True, self.config, node) + "</div>\n")
    raise nodes.SkipNode


class Captions(OfPages):
    r"""Convert formulas ``\(...\)`` in captions of figures; in notebooks Jupyter renders them."""

    default_priority = 202

    def run(self, **kwargs):
        for raw in list(self.document.findall(nodes.raw)):
            if "<figcaption" in (text := raw.astext()):
                raw[:] = [nodes.Text(IN_A_LINE.sub(partial(self.written, raw), text))]

    def written(self, raw: nodes.raw, tex: re.Match) -> str:
        return _mathml(unescape(tex[1]), False, self.config, raw)


def _early(app, doctree):
    """Convert the formulas of a page once it is read; writing the page finds them in a cache."""
    for kind in (nodes.math, nodes.math_block):
        for node in doctree.findall(kind):
            with suppress(formulas.BadFormula):  # reported when the page is written
                formulas.mathml(node.astext(), kind is nodes.math_block, app.config.formula_macros)


def _visit_citation(self, node):
    """Write a citation with the role of a list item, because its own role is invalid in a list."""
    type(self).visit_citation(self, node)
    self.body[-1] = self.body[-1].replace("doc-biblioentry", "listitem")


def _visit_text(self, node):
    """Write text unchanged, because Sphinx puts an element around each word of code."""
    self.body.append(self.encode(node.astext()))


class Few(HtmlFormatter):
    """Mark up only a few kinds of token in code, which saves up to 4,000 elements on a page."""

    def format_unencoded(self, tokensource, outfile):
        plain = {Name, Operator, Punctuation, Whitespace}
        few = ((Text if kind in plain else kind, text) for kind, text in tokensource)
        super().format_unencoded(few, outfile)


def setup(app):
    PygmentsBridge.html_formatter = Few
    app.add_config_value("formula_macros", {}, "env")
    app.add_html_math_renderer("mathml", (_visit_formula, None), (_visit_display, None))
    app.connect("doctree-read", _early)
    app.add_role("explore", Explore())
    app.add_directive("try", Try)
    app.add_node(nodes.Text, override=True, html=(_visit_text, None))
    app.add_node(nodes.citation, override=True, html=(_visit_citation, None))
    for transform in (Checks, Numbered, Readable, Exercises, Captions, Files):
        app.add_post_transform(transform)

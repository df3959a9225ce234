"""Formulas of pages as MathML: those of the text, and those in captions of figures."""

import html
import re
from contextlib import suppress
from functools import partial

from docutils import nodes
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

from slrbook import formulas
from slrbook.sphinx_ext.document import OfPages

logger = logging.getLogger(__name__)

IN_A_LINE = re.compile(r"\\\((.*?)\\\)", re.DOTALL)


def _mathml(tex: str, display: bool, config, node: nodes.Node) -> str:
    """Return the formula as MathML; if Temml refuses it, warn and return its TeX."""
    try:
        return formulas.mathml(tex, display, config.formula_macros)
    except formulas.BadFormula as error:
        logger.warning("%s", error, location=node)
        return f"<code>{html.escape(tex)}</code>"


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
    r"""In captions of figures, which a notebook shows too, ``\(...\)`` is a formula."""

    default_priority = 202

    def run(self, **kwargs):
        for raw in list(self.document.findall(nodes.raw)):
            if "<figcaption" in (text := raw.astext()):
                raw[:] = [nodes.Text(IN_A_LINE.sub(partial(self.written, raw), text))]

    def written(self, raw: nodes.raw, tex: re.Match) -> str:
        return _mathml(html.unescape(tex[1]), False, self.config, raw)


def _early(app, doctree):
    """Convert the formulas of a page once it is read; writing the page finds them in a cache."""
    for kind in (nodes.math, nodes.math_block):
        for node in doctree.findall(kind):
            with suppress(formulas.BadFormula):  # reported when the page is written
                formulas.mathml(node.astext(), kind is nodes.math_block, app.config.formula_macros)


def setup(app):
    app.add_config_value("formula_macros", {}, "env")
    app.add_html_math_renderer("mathml", (_visit_formula, None), (_visit_display, None))
    app.add_post_transform(Captions)
    app.connect("doctree-read", _early)

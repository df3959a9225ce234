"""One number for each thing. A statement of the paper keeps the paper's number and has no other;
those of the book are counted by chapter. Figures are, too, and have a place to link to, as
explorers have. (Both are output of cells, which Sphinx does not number.)"""

import re

FIGURE, EXPLORER = '<figure class="slr-figure"', '<div class="slr-explorer"'
CAPTION = re.compile(r"<figcaption[^>]*>")
# What sphinx-proof writes for a statement with :nonumber:, whose place it names twice.
OF_PAPER = re.compile(
    r'(<div class="proof \w+ admonition" id="([\w-]+)">\n)'
    r'<p class="admonition-title" id="\2"><span class="caption-number">\w+ </span> \((.*)\)</p>'
)
OURS = re.compile(r'(<p class="admonition-title">.*?</span> \(.*) \(not in the paper\)\)</p>')


def _chapter(app, page):
    numbers = app.env.toc_secnumbers.get(page, {}).get("", ())
    return f"{numbers[0]}." if numbers else ""


def _placed(body, opening, name):
    """``body`` with the places name-1, name-2, ... at what begins with ``opening``."""
    first, *rest = body.split(opening)
    parts = [f'{opening} id="{name}-{i}"{part}' for i, part in enumerate(rest, 1)]
    return first, parts


def _titled(body):
    """``body`` with the titles of its statements."""
    body = OF_PAPER.sub(r'\1<p class="admonition-title">\3</p>', body)
    return OURS.sub(r"\1; not in the paper)</p>", body)


def _numbered(app, pagename, templatename, context, doctree):
    if "body" not in context:
        return
    first, figures = _placed(_titled(context["body"]), FIGURE, "figure")
    if chapter := _chapter(app, pagename):
        for i, figure in enumerate(figures):
            number = f'<span class="caption-number">Figure {chapter}{i + 1}. </span>'
            inside, end, after = figure.partition("</figure>")
            inside = CAPTION.sub(lambda found, n=number: found[0] + n, inside, count=1)
            figures[i] = inside + end + after
    first, explorers = _placed(first + "".join(figures), EXPLORER, "explorer")
    context["body"] = first + "".join(explorers)


def setup(app):
    app.connect("html-page-context", _numbered)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

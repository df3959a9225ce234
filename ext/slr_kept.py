"""Where a line may break: not before a comma or a number that belongs, but within a long name."""

import re

FORMULA = re.compile(r'<span class="math notranslate nohighlight">[^<]*</span>[,.;:?!)]+')
NUMBER = r'(<span class="pasted-text">[^<]*</span>)'
OPEN = r'<span class="math notranslate nohighlight">\\\('
PLUS_MINUS = re.compile(rf"{NUMBER} {OPEN}\\pm\\\)</span> {NUMBER}")
BOUND = re.compile(rf"{OPEN}[^<]*(?:\\(?:le|ge|approx)|=|&lt;|&gt;)\\\)</span> {NUMBER}")
CAPTION = re.compile(r"<figcaption.*?</figcaption>", re.DOTALL)
IN_CAPTION = re.compile(r"\\\((?:(?!\\\)).)*\\\)[,.;:?!)]+")
NAME = re.compile(r'<code class="(?:xref \S+ \S+ )?docutils literal notranslate">.*?</code>')
JOINT = re.compile(r"(?<=\w)(?:_|::|/|\.)(?=\w)(?![^<]*>)")


def kept(body: str) -> str:
    """The page with each formula and what belongs to it, a comma or a number, in one span."""
    whole = r'<span class="slr-kept">\g<0></span>'
    body = BOUND.sub(whole, PLUS_MINUS.sub(r"\1&nbsp;±&nbsp;\2", body))
    body = re.sub(r"(?<=\d) ± (?=\d)", "&nbsp;±&nbsp;", body)
    body = CAPTION.sub(lambda caption: IN_CAPTION.sub(whole, caption[0]), body)
    return FORMULA.sub(whole, body)


def jointed(body: str) -> str:
    """The page where names such as ``tests/a.py::test_b`` may break after their joints."""
    return NAME.sub(lambda name: JOINT.sub(r"\g<0><wbr>", name[0]), body)


def _keep(app, pagename, templatename, context, doctree):
    if "body" in context:
        context["body"] = jointed(kept(context["body"]))


def setup(app):
    app.connect("html-page-context", _keep, priority=900)  # after all that write titles
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""A formula and the comma after it stay on one line, which a browser would part."""

import re

FORMULA = re.compile(r'<span class="math notranslate nohighlight">[^<]*</span>[,.;:?!)]+')


def kept(body: str) -> str:
    """The page with each formula and the marks that follow it in one span."""
    return FORMULA.sub(r'<span class="slr-kept">\g<0></span>', body)


def _keep(app, pagename, templatename, context, doctree):
    if "body" in context:
        context["body"] = kept(context["body"])


def setup(app):
    app.connect("html-page-context", _keep, priority=900)  # after all that write titles
    return {"parallel_read_safe": True, "parallel_write_safe": True}

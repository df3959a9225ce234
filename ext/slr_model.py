"""The model of "read a sentence" beside the pages that hold this explorer, where it is installed:
see slrbook.explorers.read_a_sentence.in_browser. Without it they have stored sentences only."""

from pathlib import Path

from slrbook.explorers.read_a_sentence.in_browser import site
from slrlib import language
from slrlib.language.extra import available

MARK = 'data-name="read_a_sentence"'


def offer(app, pagename, templatename, context, doctree):
    """Load the small script on a page with the explorer."""
    if available() and MARK in context.get("body", ""):
        app.add_js_file(site.SCRIPT)


def write(app, exception):
    """Put script and weights beside the pages, if one of them offers the model."""
    if exception is None and app.builder.format == "html" and available():
        pages = [Path(app.outdir) / f"{name}.html" for name in app.env.found_docs]
        if any(page.exists() and MARK in page.read_text("utf-8") for page in pages):
            site.write(Path(app.outdir) / "_static", language.load())


def setup(app):
    app.connect("html-page-context", offer, priority=600)  # after slr.js, which it extends
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

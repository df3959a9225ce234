"""The model of "read a sentence" beside the pages, where it is installed: see
slrbook.explorers.read_a_sentence.in_browser. Without it pages have the stored sentences only."""

from pathlib import Path

from slrbook.explorers.read_a_sentence.in_browser import site
from slrlib import language


def _write(app):
    if app.builder.format == "html" and language.available():
        site.write(Path(app.outdir) / "_static", language.load())


def _load(app, pagename, templatename, context, doctree):
    if language.available() and 'data-name="read_a_sentence"' in context.get("body", ""):
        app.add_js_file(site.SCRIPT)


def setup(app):
    app.connect("builder-inited", _write)
    app.connect("html-page-context", _load, priority=600)  # after slr.js, which it extends
    return {"parallel_read_safe": True, "parallel_write_safe": True}

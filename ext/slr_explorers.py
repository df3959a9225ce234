"""The script and the style that all explorers share, beside the pages and loaded by those that
hold an explorer."""

from pathlib import Path

from slrbook import static


def _write(app):
    if app.builder.format == "html":
        static.write(Path(app.outdir) / "_static")


def _load(app, pagename, templatename, context, doctree):
    if 'class="slr-explorer"' in context.get("body", ""):
        app.add_js_file("slr.js")
        app.add_css_file("slr.css")


def setup(app):
    app.connect("builder-inited", _write)
    app.connect("html-page-context", _load)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

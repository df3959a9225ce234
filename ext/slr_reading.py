"""The scripts and the style that help a reader on every page, and what they read: see
slrbook.reading."""

import json
from pathlib import Path

from slrbook import reading
from slrbook.reading import entries, pages


def _write(app):
    if app.builder.format == "html":
        reading.write(Path(app.outdir) / "_static")
        app.add_js_file(None, body=reading.source("early.js"), priority=1)
        app.add_js_file(reading.SCRIPT)
        app.add_css_file(reading.STYLE)


def _on_search(app, pagename, templatename, context, doctree):
    if pagename == "search":
        for name in (reading.SEARCH, "slr-entries.js"):
            app.add_js_file(name, loading_method="defer")


def _called(file: Path, name: str, *values) -> None:
    """A classic script that calls ``name``: it works from a file too, where no page may fetch."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"{name}({', '.join(map(json.dumps, values))});\n", "utf-8")


def _collect(app, exception):
    if exception is not None or app.builder.format != "html":
        return
    static = Path(app.outdir) / "_static"
    read = pages.read(Path(app.outdir), app.env.found_docs)
    for page, found in pages.previews(read).items():
        _called(static / "previews" / f"{page}.js", "slrPreviews", page, found)
    _called(static / "slr-places.js", "slrPlaces", pages.places(read))
    _called(static / "slr-entries.js", "slrEntries", list(entries.entries(read)))


def setup(app):
    app.config.templates_path.append(str(Path(__file__).parent / "templates"))
    app.connect("builder-inited", _write)
    app.connect("html-page-context", _on_search)
    app.connect("build-finished", _collect)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""The scripts and styles that pages load, and the files for search and previews.

Nothing on a page comes from another host, and no script is loaded twice.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from slrbook import formulas, reading, static
from slrbook.explorers.read_a_sentence.in_browser import site as model
from slrbook.reading import entries, pages
from slrbook.tryit import site as tryit
from slrbook.tryit import wheel
from slrlib import language
from slrlib.language import extra

LABEL_OF_FOLDS = '<summary aria-label="Toggle hidden content">'
UNUSED = (
    *("THEBE_JS_URL", "sphinx-thebe", "vnd.jupyter.widget-state+json"),
    *("togglebutton", "toggleHint", "toggleOpenOnPrint"),
)


class Offer(NamedTuple):
    """Scripts and styles for the pages that contain ``mark``, written only if one of them does."""

    mark: str
    available: Callable[[], bool]
    files: tuple[str, ...]  # loaded with the page
    write: Callable[[Path], None]  # writes these and all that they load into _static

    def is_wanted(self, body: str) -> bool:
        return self.mark in body and self.available()


OFFERS = (  # in the order in which a page loads them
    # The files of explorers are always written, as *Try it* loads the style too.
    Offer('class="slr-explorer"', lambda: True, ("slr.js", "slr.css"), lambda folder: None),
    Offer(
        'data-name="read_a_sentence"',
        extra.available,
        (model.SCRIPT,),
        lambda folder: model.write(folder, language.load()),
    ),
    Offer(
        'class="slr-try"',
        wheel.available,
        (tryit.SCRIPT, "slr.css", tryit.STYLE),
        tryit.write,
    ),
)


def _write(app):
    if app.builder.format == "html":
        for module in (formulas, reading, static):
            module.write(Path(app.outdir) / "_static")
        app.add_js_file(None, body=reading.source("early.js"), priority=1)
        app.add_js_file(reading.SCRIPT)
        app.add_css_file(reading.STYLE)
        app.add_css_file(formulas.STYLE)


def _load(app, pagename, templatename, context, doctree):
    if pagename == "search":
        for name in (reading.SEARCH, "slr-entries.js"):
            app.add_js_file(name, loading_method="defer")
    for offer in OFFERS:
        if offer.is_wanted(context.get("body", "")):
            for name in offer.files:
                add = app.add_js_file if name.endswith(".js") else app.add_css_file
                add(name)
    if "body" in context:  # the label of myst-nb would hide what the fold says of its content
        context["body"] = context["body"].replace(LABEL_OF_FOLDS, "<summary>")


def _drop_unused(app, pagename, templatename, context, doctree):
    """Drop repeated files, the notebook launcher Thebe, toggle buttons and the state of widgets.

    An explorer brings its own numbers; the book offers no Thebe; its folds need no script.
    """
    for kind in ("script_files", "css_files"):
        used = {}
        for file in context.get(kind, []):
            inline = file.attributes.get("body", "")
            key = file.filename or "", file.attributes.get("type", ""), inline
            if not any(name in part[:200] for name in UNUSED for part in key):
                used.setdefault(key, file)
        context.get(kind, [])[:] = used.values()


def _call(file: Path, name: str, *values) -> None:
    """Write a classic script that calls ``name``: unlike ``fetch``, it also works from a file."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"{name}({', '.join(map(json.dumps, values))});\n", "utf-8")


def _finish(app, exception):
    """Write what is known only after all pages: offers, previews, places, entries of the search."""
    if exception is not None or app.builder.format != "html":
        return
    folder = Path(app.outdir) / "_static"
    files = [Path(app.outdir) / f"{name}.html" for name in app.env.found_docs]
    bodies = [file.read_text("utf-8") for file in files if file.exists()]
    for offer in OFFERS:
        if any(map(offer.is_wanted, bodies)):
            offer.write(folder)
    read = pages.read(Path(app.outdir), app.env.found_docs)
    for page, found in pages.previews(read).items():
        _call(folder / "previews" / f"{page}.js", "slrPreviews", page, found)
    _call(folder / "slr-places.js", "slrPlaces", pages.places(read, reading.moved()["anchors"]))
    _call(folder / "slr-entries.js", "slrEntries", list(entries.entries(read)))


def setup(app):
    app.config.templates_path.append(str(Path(__file__).parent / "templates"))
    app.connect("builder-inited", _write)
    app.connect("html-page-context", _load)
    app.connect("html-page-context", _drop_unused, priority=950)  # after all that add files
    app.connect("build-finished", _finish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""What a page offers and only a click loads: put beside the pages that hold the offer.

``ext/slr_model.py`` offers the language model so, and ``ext/slr_try.py`` Python.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple


class Offer(NamedTuple):
    """What stands on the page that wants it, whether it can be had, and what then is written."""

    mark: str
    available: Callable[[], bool]
    script: str  # small, loaded by the page at once
    write: Callable[[Path], None]  # script and all that it loads, into the folder _static
    styles: tuple[str, ...] = ()

    def wanted(self, body: str) -> bool:
        """Whether the page with this body has it."""
        return self.mark in body and self.available()

    def add(self, app: Any, body: str) -> None:
        """Load the small script, and the styles, on a page that wants it."""
        if self.wanted(body):
            app.add_js_file(self.script)
            for style in self.styles:
                app.add_css_file(style)

    def put(self, app: Any, exception: Exception | None) -> None:
        """Write everything beside the pages, if one of them wants it."""
        if exception is None and app.builder.format == "html":
            pages = [Path(app.outdir) / f"{name}.html" for name in app.env.found_docs]
            if any(page.exists() and self.wanted(page.read_text("utf-8")) for page in pages):
                self.write(Path(app.outdir) / "_static")

    def connect(self, app: Any) -> None:
        """Do both while Sphinx builds."""

        def add(app, pagename, templatename, context, doctree):
            self.add(app, context.get("body", ""))

        app.connect("html-page-context", add, priority=600)  # after slr.js, which it may extend
        app.connect("build-finished", self.put)

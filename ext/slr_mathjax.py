"""Serve MathJax from the installed wheel: one file, every TeX package, no other host."""

import importlib.util
import shutil
from pathlib import Path

NAME = "tex-svg-full.js"


def _copy(app, exception):
    if exception is not None or app.builder.format != "html":
        return
    package = importlib.util.find_spec("sphinx-mathjax-offline")
    source = Path(next(iter(package.submodule_search_locations))) / "static" / "mathjax" / NAME
    target = Path(app.outdir) / "_static" / "mathjax"
    target.mkdir(parents=True, exist_ok=True)
    shutil.copy(source, target / NAME)


def setup(app):
    app.set_html_assets_policy("always")  # a page without formulas may show one beside a link
    app.connect("build-finished", _copy)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

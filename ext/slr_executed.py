"""Chapters that ran before Sphinx began are read with their outputs: see slrbook.build.

Without the variable SLR_EXECUTED nothing changes, so a plain `jupyter-book build .` still executes.
"""

import os
from pathlib import Path


def _off(app, config):
    if os.environ.get("SLR_EXECUTED"):
        config.nb_execution_mode = "off"


def _with_outputs(app, docname, source):
    folder = os.environ.get("SLR_EXECUTED")
    if folder and (file := Path(folder) / f"{docname}.ipynb").exists():
        source[0] = file.read_text("utf-8")


def setup(app):
    app.connect("config-inited", _off, priority=100)
    app.connect("source-read", _with_outputs)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""Settings from the environment: executed notebooks, repository address and launch buttons.

Without the variable SLR_EXECUTED Sphinx executes the notebooks, as `jupyter-book build .` does.
Without a repository address no page has a button that leads there.
"""

import os
from pathlib import Path


def _configure(app, config):
    if os.environ.get("SLR_EXECUTED"):
        config.nb_execution_mode = "off"
    options = config.html_theme_options
    slug = os.environ.get("GITHUB_REPOSITORY")
    server = os.environ.get("GITHUB_SERVER_URL", "https://github.com")
    url = os.environ.get("BOOK_REPOSITORY_URL") or (f"{server}/{slug}" if slug else "")
    options["repository_url"] = url
    options["launch_buttons"] = {}
    if url:
        branch = os.environ.get("BOOK_BRANCH") or os.environ.get("GITHUB_REF_NAME", "main")
        options["repository_branch"] = branch
        for button in ("repository", "edit_page", "issues"):
            options[f"use_{button}_button"] = True
        options["launch_buttons"] = {
            "notebook_interface": "jupyterlab",
            "binderhub_url": "https://mybinder.org",
            "colab_url": "https://colab.research.google.com",
        }


def _read_executed(app, docname, source):
    """Replace a notebook by its executed copy, where there is one (see slrbook.build)."""
    folder = os.environ.get("SLR_EXECUTED")
    if folder and (file := Path(folder) / f"{docname}.ipynb").exists():
        source[0] = file.read_text("utf-8")


def setup(app):
    app.connect("config-inited", _configure, priority=100)
    app.connect("source-read", _read_executed)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

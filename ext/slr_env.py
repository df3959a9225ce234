"""Repository address and launch buttons from the environment; without an address, no button."""

import os


def _address(app, config):
    options = config.html_theme_options
    slug = os.environ.get("GITHUB_REPOSITORY")
    server = os.environ.get("GITHUB_SERVER_URL", "https://github.com")
    url = os.environ.get("BOOK_REPOSITORY_URL") or (f"{server}/{slug}" if slug else "")
    options["repository_url"] = url
    options["launch_buttons"] = {}
    if url:
        branch = os.environ.get("BOOK_BRANCH") or os.environ.get("GITHUB_REF_NAME", "main")
        options["repository_branch"] = branch
        options["use_repository_button"] = True
        options["launch_buttons"] = {
            "notebook_interface": "jupyterlab",
            "binderhub_url": "https://mybinder.org",
        }


def setup(app):
    app.connect("config-inited", _address, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

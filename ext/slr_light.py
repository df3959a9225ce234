"""Nothing on a page that it does not use: no second copy of a script, no address of another host.

The theme's notebook launcher Thebe is not offered here, and the widgets' state that myst-nb writes
into each page is read by nobody: an explorer brings its own numbers.
"""

UNUSED = ("THEBE_JS_URL", "sphinx-thebe", "vnd.jupyter.widget-state+json")


def _what(file) -> tuple[str, str, str]:
    """Sphinx calls an inline script None here and '' there, and then takes it for two."""
    return file.filename or "", file.attributes.get("type", ""), file.attributes.get("body", "")


def _wanted(file) -> bool:
    return not any(name in part[:200] for name in UNUSED for part in _what(file))


def _tidy(app, pagename, templatename, context, doctree):
    for kind in ("script_files", "css_files"):
        if kind in context:
            once = {_what(file): file for file in reversed(context[kind]) if _wanted(file)}
            context[kind][:] = reversed(once.values())  # each where it stood first


def setup(app):
    app.connect("html-page-context", _tidy, priority=950)  # after all that add files
    return {"parallel_read_safe": True, "parallel_write_safe": True}

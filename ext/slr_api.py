"""The public names of slrlib, written into their page while it is read."""

from slrbook import api


def _fill(app, docname, source):
    if api.MARK in source[0]:
        source[0] = source[0].replace(api.MARK, api.text())


def setup(app):
    app.connect("source-read", _fill)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

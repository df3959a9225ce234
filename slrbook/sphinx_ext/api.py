"""Pages that are written from the sources while they are read: the public names, the statements."""

from slrbook import api, statements


def _fill(app, docname, source):
    for written in (api, statements):
        if written.MARK in source[0]:
            source[0] = source[0].replace(written.MARK, written.text())


def setup(app):
    app.connect("source-read", _fill)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

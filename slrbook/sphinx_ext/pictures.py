"""Figures as files: a page loads those of its theme, and each when a reader comes near it.

A notebook shows both pictures of a figure from within its output; a page would carry both.
"""

import base64
import hashlib
import re
from pathlib import Path

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

INSIDE = re.compile(r' src="data:image/(svg|png)[^,]*;base64,([^"]*)"')


class Files(SphinxPostTransform):
    """Write the pictures of figures into ``_images``, and let the page load them from there."""

    default_priority = 203
    formats = ("html",)

    def run(self, **kwargs):
        for raw in list(self.document.findall(nodes.raw)):
            if '<figure class="slr-figure"' in (text := raw.astext()):
                raw[:] = [nodes.Text(INSIDE.sub(self.file, text))]

    def file(self, picture: re.Match) -> str:
        kind, data = picture[1], base64.b64decode(picture[2])
        name = f"{hashlib.sha256(data).hexdigest()[:16]}.{kind}"
        folder = Path(self.app.outdir) / "_images"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
        return f' loading="lazy" src="{"../" * self.env.docname.count("/")}_images/{name}"'


def setup(app):
    app.add_post_transform(Files)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

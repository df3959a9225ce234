"""The role ``explore``: a link that opens an explorer in a state.

``{explore}`try it <where:lam=0.07>` `` opens it on the page that holds the link, and
``<task#find_token:seed=3>`` on another one.
"""

from docutils import nodes
from sphinx.util.docutils import ReferenceRole


class Explore(ReferenceRole):
    def run(self):
        page, _, state = self.target.rpartition("#")
        address = f"{page}.html#{state}" if page else f"#{state}"
        link = nodes.reference("", self.title, refuri=address, internal=False)
        return [link], []


def setup(app):
    app.add_role("explore", Explore())
    return {"parallel_read_safe": True, "parallel_write_safe": True}

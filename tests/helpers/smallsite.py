"""What an offer sees of Sphinx while one page is written."""

import types


class Site:
    """A site of one page with this body; ``loaded`` are the scripts and styles that it names."""

    builder = types.SimpleNamespace(format="html")
    env = types.SimpleNamespace(found_docs={"page"})

    def __init__(self, folder, body):
        self.outdir, self.body, self.loaded = folder, body, []
        (folder / "page.html").write_text(body, "utf-8")

    def add_js_file(self, name):
        self.loaded.append(name)

    add_css_file = add_js_file

    def built(self, offer):
        """What the page loads, and the scripts beside it, in order of the alphabet."""
        offer.add(self, self.body)
        offer.put(self)
        return self.loaded, sorted(file.name for file in self.outdir.rglob("*.js"))

"""The directive ``try``: Python that a reader may change and run on the page, under a cell.

The first word is its name, which no other in the book has; the code may `import slr`. Where
MicroPython is not installed nothing is shown. See slrbook.tryit.
"""

from html import escape

from docutils import nodes
from docutils.parsers.rst import Directive

from slrbook.on_demand import Offer
from slrbook.tryit import site, wheel

OFFER = Offer('class="slr-try"', wheel.available, site.SCRIPT, site.write, ("slr.css", site.STYLE))


class Try(Directive):
    required_arguments = 1
    has_content = True

    def run(self):
        self.assert_has_content()
        name, code = escape(self.arguments[0]), escape("\n".join(self.content))
        html = f'<div class="slr-try" data-name="{name}"><template>{code}\n</template></div>'
        return [nodes.raw("", html, format="html")]


def setup(app):
    app.add_directive("try", Try)
    OFFER.connect(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""A cell tagged `check` shows only the lines of its checks; its code opens from them."""

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

LINE = '<p class="slr-check '


def _raw(text: str) -> nodes.raw:
    return nodes.raw("", text, format="html")


def _remove(line: nodes.Node, cell: nodes.container) -> None:
    """Take ``line`` out of ``cell``, and each box that is then empty."""
    gone = line
    while gone.parent is not cell and len(gone.parent.children) == 1:
        gone = gone.parent
    gone.parent.remove(gone)


def _folded(cell: nodes.container) -> None:
    """Put the code of ``cell`` behind its lines; other output stays where it was."""
    code = cell.children[0]
    lines = [raw for raw in cell.findall(nodes.raw) if raw.astext().startswith(LINE)]
    if code.get("nb_element") != "cell_code_source" or not lines:
        return
    text = "".join(line.astext() for line in lines)
    text = text.replace("<p ", "<span ").replace("</p>", "</span>")
    for line in lines:
        _remove(line, cell)
    at = cell.index(code)
    cell.remove(code)
    opening = _raw(f'<details class="slr-checked"><summary>{text}</summary>')
    cell.insert(at, [opening, code, _raw("</details>")])
    cell["hide_mode"] = None  # it is folded already


class FoldedChecks(SphinxPostTransform):
    """After the outputs are chosen, before myst-nb folds what is tagged hide-input."""

    default_priority = 198
    formats = ("html",)

    def run(self, **kwargs):
        for cell in list(self.document.findall(nodes.container)):
            if "tag_check" in cell["classes"] and cell.children:
                _folded(cell)


def setup(app):
    app.add_post_transform(FoldedChecks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

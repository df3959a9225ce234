"""Plain notebooks next to the pages, for Binder, Colab and the download buttons.

The notebooks of the book are written in MyST, which Jupyter shows as source. Each plain notebook
contains the same chapter in Jupyter's Markdown: numbers and references are resolved, macros of
formulas are expanded, folded code is folded, and links lead to the site if its address is known.
Figures are visible before a kernel runs; explorers appear when their cells are run.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

import nbformat
from docutils import nodes

from slrbook.chapters import kept, read
from slrbook.sphinx_ext.document import IN_A_LINE, OfPages

FOLDER = "notebooks"  # of the site
BRANCH = "notebooks"  # of the repository, which publishing writes
FIGURE = re.compile(r'<img class="slr-light"[^>]*>|<figcaption>.*?</figcaption>', re.DOTALL)
FOLDED = {"hide-input", "remove-input", "remove-cell", "hide-cell"}
LIVE = "*Run this cell: the explorer appears here.*"
QUOTED = "admonition block_quote important note proof sidebar tip warning".split()
SPECIAL = re.compile(r"([\\`*_$<])")
# An argument: text in braces, which may contain other braces, or one character or command.
ARGUMENT = r"(?:\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}|(\\[A-Za-z]+|\\.|[^\\{]))"
INSTALL = """\
# Where the package is missing, as on Colab, this installs it; elsewhere it does nothing.
try:
    import slrbook
except ModuleNotFoundError:
    %pip install -q "slrlib[lab,language] @ git+{url}@{commit}\""""


def expanded(tex: str, macros: dict) -> str:
    r"""Expand the book's macros in a formula: ``\norm{x}`` becomes ``\lVert x \rVert``."""
    for name, text in macros.items():
        argument = ARGUMENT if "#1" in text else r"(?:\{\})?"
        use = re.compile(rf"\\{name}(?![A-Za-z])\s*{argument}")
        while found := use.search(tex):  # an argument may contain the macro again
            new = text.replace("#1", found[found.lastindex or 0])
            tex = f"{tex[: found.start()]}{new} {tex[found.end() :]}"
    return tex


def plain_output(output: nbformat.NotebookNode) -> nbformat.NotebookNode | None:
    """Return an output that is legible before the notebook is trusted, or None."""
    text = "".join(output.get("data", {}).get("text/html", ""))
    if "scrapbook" in output.get("metadata", {}) or "slr-answer" in text:
        return None
    if "slr-explorer" in text:
        return nbformat.v4.new_output("display_data", {"text/markdown": LIVE, "text/plain": LIVE})
    if "slr-figure" in text:
        parts = IN_A_LINE.sub(r"$\1$", " ".join(FIGURE.findall(text)))
        return nbformat.v4.new_output("display_data", {"text/html": parts, "text/plain": ""})
    return output


class Plain(OfPages):
    """Write the notebook of a page before the transforms for HTML add folds and badges."""

    default_priority = 195  # after numbers and titles

    def run(self, **kwargs):
        root, page = Path(self.app.srcdir), self.env.docname
        found = [place for place in (kept(root), root) if (place / f"{page}.ipynb").exists()]
        if not found:
            return
        self.notebook = read(found[0], page)  # with its outputs if it ran
        self.cells: list[nbformat.NotebookNode] = []
        self.parts: list[str] = []
        self.in_table = False
        self.done = 0  # cells of the notebook
        self.blocks(self.document.deepcopy(), 1)
        self.code(len(self.notebook.cells) - 1)  # hidden cells may be at the end
        self.flush()
        options = self.config.html_theme_options
        if url := options["repository_url"]:
            text = INSTALL.format(url=url, commit=options.get("repository_branch", "main"))
            self.cells.insert(0, nbformat.v4.new_code_cell(text, id="install"))
        plain = nbformat.v4.new_notebook(cells=self.cells, metadata=self.notebook.metadata)
        folder = Path(self.app.outdir) / FOLDER
        folder.mkdir(parents=True, exist_ok=True)
        text = nbformat.v4.writes(plain)
        (folder / f"{Path(page).name}.ipynb").write_text(f"{text}\n", "utf-8")

    def flush(self) -> None:
        if text := "\n\n".join(self.parts).strip():
            self.cells.append(nbformat.v4.new_markdown_cell(text, id=f"text-{len(self.cells)}"))
        self.parts = []

    def code(self, index: int) -> None:
        """Append the code cell ``index``, after earlier cells that the page does not show."""
        for i in range(self.done, index + 1):
            cell = self.notebook.cells[i]
            if cell.cell_type != "code" or not cell.source.strip():
                continue
            self.flush()
            new = nbformat.v4.new_code_cell(
                cell.source,
                id=f"cell-{i}",
                execution_count=cell.execution_count,
                outputs=[*filter(None, map(plain_output, cell.outputs))],
            )
            if FOLDED & set(cell.metadata.get("tags", [])):
                new["metadata"] = {"jupyter": {"source_hidden": True}}
            self.cells.append(new)
        self.done = max(self.done, index + 1)

    # Blocks

    def blocks(self, node: nodes.Node, level: int) -> None:
        """Append the blocks within ``node``; ``level`` is that of a heading there."""
        for child in node.children:
            if isinstance(child, nodes.Element):
                self.append(child, type(child).__name__, level)

    def append(self, child: nodes.Element, kind: str, level: int) -> None:
        if child.get("nb_element") == "cell_code":
            self.code(child["cell_index"])
        elif kind == "section":
            self.blocks(child, level + 1)
        elif kind == "title":
            self.parts.append("#" * max(1, level - 1) + " " + self.line(child))
        elif child.get("design_component") == "dropdown":
            self.folded(self.line(child[0]), nodes.container("", *child[1:]), level)
        elif kind in ("theorem_node", "exercise_enumerable_node"):
            self.parts.append(f"**{self.heading(child)}**")
            self.blocks(child[-1], level)
        elif kind == "solution_node":
            self.folded("Solution", child[-1], level)
        elif kind in QUOTED:
            title = title_of(child)
            head = f"**{self.line(title)}.** " if title else ""
            rest = nodes.container("", *[c for c in child.children if c is not title])
            self.parts.append(indented("> ", head + self.inside(rest, level)))
        elif text := self.block(child, level):
            self.parts.append(text)
        elif kind in ("container", "compound", "glossary", "topic", "proof_node"):
            self.blocks(child, level)

    def inside(self, node: nodes.Node, level: int) -> str:
        """Return the blocks within ``node`` as text; there is no code cell among them."""
        outer, self.parts = self.parts, []
        self.blocks(node, level)
        outer, self.parts = self.parts, outer
        return "\n\n".join(outer)

    def folded(self, name: str, inner: nodes.Node, level: int) -> None:
        """Append a fold, or its unfolded content if that contains a code cell."""
        if any(c.get("nb_element") == "cell_code" for c in inner.findall(nodes.container)):
            self.parts.append(f"**{name}**")
            self.blocks(inner, level)
        else:
            text = self.inside(inner, level)
            self.parts.append(f"<details><summary>{name}</summary>\n\n{text}\n\n</details>")

    def heading(self, node: nodes.Element) -> str:
        """Return the name, number and title of a statement or an exercise."""
        kind = node.get("realtype", "exercise")
        number = self.number(node, node.get("countertype", kind))
        words = [kind.capitalize(), number, self.line(title_of(node)).strip()]
        return " ".join(filter(None, words))

    def number(self, node: nodes.Element, kind: str) -> str:
        figures = self.env.toc_fignumbers.get(self.env.docname, {})
        return ".".join(map(str, figures.get(kind, {}).get(node["ids"][0], ())))

    def block(self, node: nodes.Element, level: int) -> str:
        """Write one block without code as text; empty for other kinds of node."""
        match node:
            case nodes.paragraph() | nodes.rubric() | nodes.caption():
                return self.line(node)
            case nodes.math_block():
                return self.display(node)
            case nodes.literal_block():
                return f"```{node.get('language', '')}\n{node.astext()}\n```"
            case nodes.bullet_list() | nodes.enumerated_list():
                mark = "1. " if isinstance(node, nodes.enumerated_list) else "- "
                items = (self.inside(item, level) for item in node.children)
                return "\n".join(indented(" " * len(mark), text, mark) for text in items)
            case nodes.definition_list():
                return "\n\n".join(
                    f"**{self.line(item.children[0])}**: {self.inside(item.children[-1], level)}"
                    for item in node.children
                )
            case nodes.table():
                return self.table(node)
            case nodes.citation():
                label, *rest = node.children
                return f"[{label.astext()}] {self.inside(nodes.container('', *rest), level)}"
        return ""

    def table(self, node: nodes.table) -> str:
        self.in_table = True
        rows = [
            [" ".join(self.inside(entry, 1).split()) for entry in row.children]
            for row in node.findall(nodes.row)
        ]
        self.in_table = False
        rows.insert(1, ["---"] * len(rows[0]))
        head = f"{title}\n\n" if (title := self.line(title_of(node))) else ""
        return head + "\n".join(f"| {' | '.join(row)} |" for row in rows)

    # Lines

    def tex(self, text: str) -> str:
        text = expanded(text.strip(), self.config.formula_macros)
        return text.replace("|", r"\vert ") if self.in_table else text

    def display(self, node: nodes.math_block) -> str:
        tex = self.tex(node.astext())
        tag = rf" \tag{{{self.number(node, 'displaymath')}}}" if node.get("number") else ""
        return f"$${tex}{tag}$$" if self.in_table else f"$$\n{tex}{tag}\n$$"

    def line(self, node: nodes.Node | None) -> str:
        """Return the text of a paragraph, of a title or of a part of one."""
        return "" if node is None else " ".join("".join(self.words(node)).split("\n"))

    def words(self, node: nodes.Node) -> Iterator[str]:
        for child in node.children:
            inner = "".join(self.words(child)) if child.children else ""
            match child:
                case nodes.Text():
                    yield SPECIAL.sub(r"\\\1", child.astext())
                case nodes.math():
                    yield f"${self.tex(child.astext())}$"
                case nodes.emphasis():
                    yield f"*{inner.strip()}*"
                case nodes.strong():
                    yield f"**{inner.strip()}**"
                case nodes.literal():
                    yield f"`{child.astext()}`"
                case nodes.reference() if "refuri" in child:
                    address = self.address(child["refuri"])
                    yield f"[{inner}]({address})" if address else inner
                case nodes.raw() | nodes.system_message():
                    pass
                case nodes.Element() if "headerlink" not in child["classes"]:
                    yield inner

    def address(self, uri: str) -> str:
        """Return the address of a link on the site; without a site, that of a plain notebook."""
        site, page = self.config.html_baseurl, uri.partition("#")[0]
        if site or ":" in page:
            return urljoin(f"{site}{self.env.docname}.html", uri)
        name = page.replace(".html", ".ipynb")
        return name if (Path("book") / name).is_file() else ""


def title_of(node: nodes.Element) -> nodes.Node | None:
    return next((c for c in node.children if "title" in type(c).__name__), None)


def indented(by: str, text: str, first: str = "") -> str:
    """Put ``by`` before the lines of a text; empty lines get it only if it marks a quotation."""
    lines = (f"{by}{line}" if line or by == "> " else "" for line in text.splitlines())
    return "\n".join(lines).replace(by, first or by, 1)


def _lead_there(app, pagename, templatename, context, doctree):
    """Make the launch and download buttons lead to the plain notebooks."""
    if not (Path(app.srcdir) / f"{pagename}.ipynb").exists():
        return
    branch = app.config.html_theme_options.get("repository_branch", "main")
    there = context["pathto"](f"{FOLDER}/{Path(pagename).name}.ipynb", 1)
    for group in context.get("header_buttons", []):
        for button in group.get("buttons", []):
            address = button.get("url", "")
            if group.get("label") == "launch-buttons":
                button["url"] = re.sub(rf"/{branch}(?=[/?])", f"/{BRANCH}", address)
            elif "_sources/" in address and address.endswith(".ipynb"):
                button["url"] = there


def setup(app):
    app.add_post_transform(Plain)
    app.connect("html-page-context", _lead_there, priority=900)

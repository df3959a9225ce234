"""The page that lists every statement of the book, written from the chapters themselves.

``text()`` is MyST, which ``slrbook.sphinx_ext.api`` puts into ``book/statements.md``.
"""

import re
from pathlib import Path

from slrbook import chapters

ROOT = Path(__file__).parents[1]
MARK = "<!-- the statements -->"
STATEMENT = re.compile(
    r"^[:`]{3,}\{prf:(\w+)\} *(.*)\n(?:: *(?!label)\w+:.*\n)*:label: *(\S+)", re.M
)


def of(page: str) -> list[tuple[str, str, str]]:
    """(kind, title, label) of the statements of a page."""
    if (file := ROOT / f"{page}.md").exists():
        return STATEMENT.findall(file.read_text("utf-8"))
    cells = chapters.read(ROOT, page).cells
    text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    return STATEMENT.findall(text)


def section(page: str) -> str:
    """The list of one page."""
    lines = []
    for kind, title, label in of(page):
        # A link sets no formulas.
        words = title.replace(r"$\lambda_c$", "λc").replace(r"$\lambda$", "λ")
        lines.append(f"- {{prf:ref}}`{words or kind.capitalize()} <{label}>`")
    name = Path(page).name
    return "\n".join([f"**{{doc}}`{name}`**", "", *lines, ""]) if lines else ""


def text() -> str:
    """The lists of all pages, in the order of the book."""
    return "\n".join(filter(None, map(section, chapters.contents(ROOT))))

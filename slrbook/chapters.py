"""The pages of the book, and the content of its notebooks."""

import re
from collections.abc import Iterable
from pathlib import Path

import nbformat
import yaml


def parts(root: Path) -> list[tuple[str, list[str]]]:
    """The parts of ``_toc.yml`` below its first page: (caption, pages such as ``book/task``)."""
    toc = yaml.safe_load((root / "_toc.yml").read_text("utf-8"))
    whole = toc.get("parts") or [{"chapters": toc.get("chapters", [])}]
    return [(part.get("caption", ""), [c["file"] for c in part["chapters"]]) for part in whole]


def contents(root: Path) -> list[str]:
    """The pages of ``_toc.yml`` in their order."""
    first = yaml.safe_load((root / "_toc.yml").read_text("utf-8"))["root"]
    return [first, *(page for _, pages in parts(root) for page in pages)]


def about(root: Path, page: str) -> dict[str, str]:
    """What a page says of itself: the metadata of a notebook, the front matter of Markdown."""
    if not (file := root / f"{page}.md").exists():
        return read(root, page).metadata
    found = re.match(r"---\n(.*?)\n---\n", file.read_text("utf-8"), re.S)
    return yaml.safe_load(found[1]) if found else {}


def notebooks(root: Path) -> list[str]:
    """The pages that are notebooks."""
    return [page for page in contents(root) if (root / f"{page}.ipynb").exists()]


def longest_first(root: Path, pages: Iterable[str]) -> list[str]:
    """Sort notebooks by the length of their code: those with much of it mostly run long."""

    def size(page: str) -> int:
        return sum(len(cell.source) for cell in read(root, page).cells if cell.cell_type == "code")

    return sorted(pages, key=size, reverse=True)


def read(root: Path, page: str) -> nbformat.NotebookNode:
    return nbformat.v4.reads((root / f"{page}.ipynb").read_text("utf-8"))  # nbval validates it


def prose(root: Path, page: str) -> str:
    """The text of a page in MyST, without its code and front matter."""
    if (file := root / f"{page}.md").exists():
        return re.sub(r"\A---\n.*?\n---\n", "", file.read_text("utf-8"), flags=re.S)
    cells = read(root, page).cells
    return "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def ready(root: Path, page: str) -> nbformat.NotebookNode:
    """Read a page that will run; the language of its code is added, for the highlighting."""
    notebook = read(root, page)
    notebook.metadata["language_info"] = {"name": "python", "pygments_lexer": "ipython3"}
    return notebook


def kept(root: Path) -> Path:
    """The folder of the notebooks with their outputs, from which the site is written."""
    return root / "_build" / "executed"

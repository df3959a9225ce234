"""The pages of the book, and the content of its notebooks."""

import re
from collections.abc import Iterable
from pathlib import Path

import nbformat
import yaml


def parts(root: Path) -> list[tuple[str, list[str]]]:
    """Return (caption, pages such as ``book/task``) of each part of ``_toc.yml``."""
    toc = yaml.safe_load((root / "_toc.yml").read_text("utf-8"))
    whole = toc.get("parts") or [{"chapters": toc.get("chapters", [])}]
    return [(part.get("caption", ""), [c["file"] for c in part["chapters"]]) for part in whole]


def contents(root: Path) -> list[str]:
    """Return the pages of ``_toc.yml`` in order."""
    first = yaml.safe_load((root / "_toc.yml").read_text("utf-8"))["root"]
    return [first, *(page for _, pages in parts(root) for page in pages)]


def about(root: Path, page: str) -> dict[str, str]:
    """Return the metadata of a page: of a notebook, or the front matter of Markdown."""
    if not (file := root / f"{page}.md").exists():
        return read(root, page).metadata
    found = re.match(r"---\n(.*?)\n---\n", file.read_text("utf-8"), re.S)
    return yaml.safe_load(found[1]) if found else {}


def notebooks(root: Path) -> list[str]:
    """Return the pages that are notebooks."""
    return [page for page in contents(root) if (root / f"{page}.ipynb").exists()]


def longest_first(root: Path, pages: Iterable[str]) -> list[str]:
    """Sort notebooks by the length of their code, because long ones usually run longer."""

    def size(page: str) -> int:
        return sum(len(cell.source) for cell in read(root, page).cells if cell.cell_type == "code")

    return sorted(pages, key=size, reverse=True)


def read(root: Path, page: str) -> nbformat.NotebookNode:
    return nbformat.v4.reads((root / f"{page}.ipynb").read_text("utf-8"))  # nbval validates it


def prose(root: Path, page: str) -> str:
    """Return the text of a page in MyST, without its code and front matter."""
    if (file := root / f"{page}.md").exists():
        return re.sub(r"\A---\n.*?\n---\n", "", file.read_text("utf-8"), flags=re.S)
    cells = read(root, page).cells
    return "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def ready(root: Path, page: str) -> nbformat.NotebookNode:
    """Read a notebook that will run, and add the language of its code, for syntax highlighting."""
    notebook = read(root, page)
    notebook.metadata["language_info"] = {"name": "python", "pygments_lexer": "ipython3"}
    return notebook


def kept(root: Path) -> Path:
    """Return the folder of the executed notebooks, from which the site is written."""
    return root / "_build" / "executed"

"""Which pages the book has, what a notebook holds, and where in it a cell stands."""

import re
from pathlib import Path

import nbformat
import yaml


def contents(root: Path) -> list[str]:
    """The pages of ``_toc.yml`` in their order, such as ``book/task``."""
    toc = yaml.safe_load((root / "_toc.yml").read_text("utf-8"))
    chapters = toc.get("chapters", [])
    for part in toc.get("parts", []):
        chapters = chapters + part["chapters"]
    return [toc["root"], *(chapter["file"] for chapter in chapters)]


def notebooks(root: Path) -> list[str]:
    """The pages that are notebooks."""
    return [page for page in contents(root) if (root / f"{page}.ipynb").exists()]


def read(root: Path, page: str) -> nbformat.NotebookNode:
    return nbformat.read(root / f"{page}.ipynb", as_version=4)


def ready(root: Path, page: str) -> nbformat.NotebookNode:
    """A page to be run: what is missing for its code to be coloured is added."""
    notebook = read(root, page)
    notebook.metadata["language_info"] = {"name": "python", "pygments_lexer": "ipython3"}
    return notebook


def code_cells(notebook: nbformat.NotebookNode) -> list[int]:
    """The numbers of the cells that are executed."""
    cells = enumerate(notebook.cells)
    return [i for i, cell in cells if cell.cell_type == "code" and cell.source.strip()]


def section_of(notebook: nbformat.NotebookNode, index: int) -> str:
    """The last heading above a cell."""
    for cell in reversed(notebook.cells[:index]):
        if cell.cell_type == "markdown":
            headings = re.findall(r"^#+ +(.+)$", cell.source, re.M)
            if headings:
                return headings[-1].strip()
    return "the beginning"


def glued(notebook: nbformat.NotebookNode) -> dict[str, str]:
    """The numbers that the prose quotes, by name, as they were glued."""
    found = {}
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            name = output.get("metadata", {}).get("scrapbook", {}).get("name")
            if name:
                texts = [text for kind, text in output["data"].items() if kind.endswith("plain")]
                found[name] = texts[0] if texts else ""
    return found

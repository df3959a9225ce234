"""Read the chapters: cells, the labels they define, references that must resolve."""

import ast
import re
from pathlib import Path

import nbformat

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "book").glob("*.ipynb"))

OPTION = re.compile(r"^ *:(?:label|name): *(\S+)", re.M)
DOLLARS = re.compile(r"\$\$ *\(([\w:-]+)\)")  # $$ ... $$ (label)
TARGET = re.compile(r"^ *\(([\w:-]+)\)= *$", re.M)
EQUATION = re.compile(r"\{eq\}`([^`]+)`")
STATEMENT = re.compile(r"\{prf:ref\}`(?:[^`<]*<)?([^`>]+)>?`")


def cells(file: Path) -> list[dict]:
    return nbformat.v4.reads(file.read_text("utf-8")).cells


def prose(file: Path) -> str:
    if file.suffix == ".md":
        return file.read_text("utf-8")
    return "\n\n".join(c["source"] for c in cells(file) if c["cell_type"] == "markdown")


def code_cells(file: Path) -> list[dict]:
    return [cell for cell in cells(file) if cell["cell_type"] == "code"]


def missing_tests(named: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The (file, function) pairs named by a page that do not exist in the tests."""
    trees = {file: ast.parse((ROOT / file).read_text("utf-8")) for file, _ in named}
    made = {(f, n.name) for f in trees for n in trees[f].body if isinstance(n, ast.FunctionDef)}
    return [each for each in named if each not in made]


def labels_made(text: str) -> list[str]:
    return OPTION.findall(text) + DOLLARS.findall(text) + TARGET.findall(text)


def references(text: str) -> list[str]:
    """Every label that ``{eq}`` or ``{prf:ref}`` names."""
    return EQUATION.findall(text) + STATEMENT.findall(text)


def pages() -> list[Path]:
    return NOTEBOOKS + sorted((ROOT / "book").glob("*.md"))


def notebook(cells) -> nbformat.NotebookNode:
    """A new notebook with these cells."""
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    language = {"name": "python", "pygments_lexer": "ipython3"}
    metadata = {"kernelspec": kernel, "language_info": language}
    return nbformat.v4.new_notebook(cells=[*cells], metadata=metadata)


def defined(page: str, *names: str, **given) -> dict:
    """The objects that a chapter's code cells define under ``names``, starting from ``given``."""
    space, left = dict(given), set(names)
    for cell in code_cells(ROOT / "book" / f"{page}.ipynb"):
        for node in ast.parse(cell["source"]).body:
            targets = getattr(node, "targets", ())
            made = {getattr(node, "name", None), *(getattr(x, "id", None) for x in targets)}
            if made & left:  # the first definition of each
                exec(compile(ast.Module([node], []), page, "exec"), space)
                left -= made
    assert not left, f"{page} must define {left}"
    return space

"""Print the size of the project: ``make house``. No test enforces a count.

Lines of code are counted without docstrings, comments and blank lines; behind them stands the
budget. For each page of the book follow its words as a reader meets them (without code, folded
proofs, hints and solutions), all its words, and the minutes that the first take at 200 words a
minute. A formula counts as one word; what the cells print is not counted.
"""

import ast
import io
import re
import tokenize
from pathlib import Path

from slrbook import chapters

ROOT = Path(__file__).parents[1]
COLUMN = 77  # characters of code that fit beside the margin at 1280 px, measured on the pages
BOOKKEEPING = re.compile(r"\b(keep|keep_share|glue|numbers)\(|^from (myst_nb|slrbook\.numbers) ")
UNSEEN = {"remove-cell", "remove-input", "hide-input", "hide-cell"}
PARTS = {  # folder and ending, and the budget in lines
    "slrlib": ("slrlib", ".py", 5500),
    "slrbook, Python": ("slrbook", ".py", 4800),
    "slrbook, JavaScript": ("slrbook", ".js", 3800),
    "Sphinx extensions": ("slrbook/sphinx_ext", ".py", 250),
    "tests": ("tests", ".py", 11500),
}
PACE = 200  # words a minute
LAYOUT = {
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT),
    *(tokenize.ENCODING, tokenize.ENDMARKER),
}
FENCE = re.compile(r"^\s*([`:]{3,})\s*(?:\{([\w:-]+)\}(.*)|\S*)$")
FOLDED = {"dropdown"}


def python_lines(text: str) -> int:
    """Count the lines of Python that hold code."""
    lines = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in LAYOUT:
            lines |= set(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(getattr(first.value, "value", 0), str):
                lines -= set(range(first.lineno, (first.end_lineno or 0) + 1))
    return len(lines)


def javascript_lines(text: str) -> int:
    """Count the lines of JavaScript that hold more than a comment."""
    text = re.sub(r"^\s*/\*.*?\*/", "", text, flags=re.S | re.M)
    lines = (line.strip() for line in text.splitlines())
    return sum(bool(line) and not line.startswith("//") for line in lines)


def code_lines(folder: str, ending: str) -> int:
    """Count the lines of code in the files below ``folder``."""
    count = python_lines if ending == ".py" else javascript_lines
    return sum(count(file.read_text("utf-8")) for file in (ROOT / folder).rglob(f"*{ending}"))


def exported(file: Path) -> set[str]:
    """Return the names in a module's ``__all__``."""
    for node in ast.parse(file.read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            return set(ast.literal_eval(node.value))
    return set()


def public_names(package: str = "slrlib") -> set[str]:
    """Return ``risk.excess_risk`` and all other names that a package offers."""
    found = set()
    for file in (ROOT / package).rglob("*.py"):
        parts = file.relative_to(ROOT / package).with_suffix("").parts
        place = ".".join(part for part in parts if part != "__init__")
        found |= {f"{place}.{name}".lstrip(".") for name in exported(file)}
    return found


def private_imports(package: str) -> list[str]:
    """List the imports of a name with an underscore from another module."""
    found = []
    for file in sorted((ROOT / package).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom):
                private = [alias.name for alias in node.names if alias.name.startswith("_")]
                if private and (node.level or (node.module or "").startswith("slr")):
                    found.append(f"{file.relative_to(ROOT)}: {', '.join(private)}")
    return found


def seen_lines() -> list[tuple[str, str]]:
    """List (chapter, line) of the code that is not folded, without blank lines."""
    return [
        (Path(page).name, line)
        for page in sorted(chapters.notebooks(ROOT))
        for cell in chapters.read(ROOT, page).cells
        if cell.cell_type == "code" and not UNSEEN & set(cell.metadata.get("tags", []))
        for line in cell.source.splitlines()
        if line.strip()
    ]


def words(text: str) -> tuple[int, int]:
    """Count the words of a page that are visible without a click, and all its words."""
    text = re.sub(r"^\$\$.*?\$\$[^\n]*$", "formula", text, flags=re.S | re.M)
    text = re.sub(r"\$[^$\n]+(?:\n[^$\n]+)?\$", "formula", text)
    text = re.sub(r"\{[\w:]+\}`([^`<]*)[^`]*`", r"\1", text)
    visible = total = 0
    opened: list[tuple[str, str]] = []  # fence and name of the directives around a line
    solution = False
    for line in text.splitlines():
        if fence := FENCE.match(line):
            marks, name, rest = fence.groups()
            if name in ("solution-start", "solution-end"):
                solution = name == "solution-start"
            if name is None and opened and marks == opened[-1][0]:
                opened.pop()
            else:
                opened.append((marks, name or "code"))
            line = rest or ""
        elif re.match(r"^\s*:[\w-]+:|^\([\w-]+\)=$", line):
            continue
        names = {name for _, name in opened}
        if names & {"code", "try", "code-block", "bibliography"}:
            continue
        count = len(re.findall(r"\w[\w'’-]*", line))
        total += count
        visible += 0 if solution or names & FOLDED else count
    return visible, total


def page_text(page: str) -> str:
    """Return the Markdown of a page."""
    if (ROOT / f"{page}.md").exists():
        return (ROOT / f"{page}.md").read_text("utf-8")
    cells = chapters.read(ROOT, page).cells
    return "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def main() -> None:
    """Print the counts."""
    print("lines of code (budget)")
    for part, (folder, ending, budget) in PARTS.items():
        print(f"  {part:20s} {code_lines(folder, ending):7,} ({budget:,})")
    print(f"public names of slrlib: {len(public_names())}")
    print(f"imports of private names within slrlib: {len(private_imports('slrlib'))}")
    print(f"lines of code that readers see at once: {len(seen_lines()):,}")
    print(f"\n{'page':24s}{'visible words':>14s}{'all words':>11s}{'minutes':>9s}")
    sums = [0, 0]
    for page in chapters.contents(ROOT):
        visible, total = words(page_text(page))
        sums = [sums[0] + visible, sums[1] + total]
        print(f"{Path(page).name:24s}{visible:14,}{total:11,}{visible / PACE:9.0f}")
    print(f"{'all':24s}{sums[0]:14,}{sums[1]:11,}{sums[0] / PACE:9.0f}")


if __name__ == "__main__":
    main()

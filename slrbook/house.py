"""How large the house is, counted: ``python -m slrbook.house``, or `make house`.

Lines and public names of slrlib, private names that cross its modules, and how much of the code
that a reader sees in the chapters is bookkeeping or too wide for its column.
"""

import ast
import re
from pathlib import Path

from slrbook import chapters

ROOT = Path(__file__).parents[1]
UNSEEN = {"remove-cell", "remove-input", "hide-input", "hide-cell"}
THEORY = """checks special sphere overlaps task predictors risk dynamics landscape
heads""".split()  # slrlib without the paper's experiments and what stores them
COLUMN = 77  # letters of code that fit beside the margin at 1280 px, measured on the pages
BOOKKEEPING = re.compile(r"\b(keep|keep_share|glue|numbers)\(|^from (myst_nb|slrbook\.numbers) ")


def lines(folder: str, ending: str = ".py") -> int:
    """Lines of the files below ``folder``."""
    files = (ROOT / folder).rglob(f"*{ending}")
    return sum(len(file.read_text("utf-8").splitlines()) for file in files)


def theory_lines() -> int:
    """Lines of the part of slrlib that is the paper as functions."""
    files = [file for name in THEORY for file in (ROOT / "slrlib").glob(f"{name}/**/*.py")]
    files += [ROOT / "slrlib" / f"{name}.py" for name in THEORY]
    return sum(len(file.read_text("utf-8").splitlines()) for file in files if file.is_file())


def exported(file: Path) -> set[str]:
    """The names in a module's ``__all__``."""
    for node in ast.parse(file.read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            return set(ast.literal_eval(node.value))
    return set()


def public_names(package: str = "slrlib") -> set[str]:
    """``risk.excess_risk`` and all others that a package or a single module offers."""
    found = set()
    for file in (ROOT / package).rglob("*.py"):
        parts = file.relative_to(ROOT / package).with_suffix("").parts
        place = ".".join(part for part in parts if part != "__init__")
        found |= {f"{place}.{name}".lstrip(".") for name in exported(file)}
    return found


def private_imports(package: str) -> list[str]:
    """Imports of a name with an underscore from another module."""
    found = []
    for file in sorted((ROOT / package).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(("slr", "")):
                private = [alias.name for alias in node.names if alias.name.startswith("_")]
                if private and (node.level or (node.module or "").startswith("slr")):
                    found.append(f"{file.relative_to(ROOT)}: {', '.join(private)}")
    return found


def seen_cells(page: str) -> list[str]:
    """The sources of the code cells of a page whose code a reader sees at once."""
    return [
        cell.source
        for cell in chapters.read(ROOT, page).cells
        if cell.cell_type == "code" and not UNSEEN & set(cell.metadata.get("tags", []))
    ]


def seen_lines() -> list[tuple[str, str]]:
    """(chapter, line) of the code that a reader sees, empty lines aside."""
    return [
        (Path(page).name, line)
        for page in sorted(chapters.notebooks(ROOT))
        for cell in seen_cells(page)
        for line in cell.splitlines()
        if line.strip()
    ]


def main() -> None:
    """Print the counts."""
    seen = seen_lines()
    keeping = [line for _, line in seen if BOOKKEEPING.search(line)]
    wide = [line for _, line in seen if len(line) > COLUMN]
    print(f"slrlib: {lines('slrlib'):,} lines of Python, {len(public_names())} public names")
    print(f"  the paper as functions, its experiments apart: {theory_lines():,} lines")
    print(f"slrbook: {lines('slrbook'):,} of Python, {lines('slrbook', '.js'):,} of JavaScript")
    print(f"tests: {lines('tests'):,} lines")
    print(f"private names that cross modules: {len(private_imports('slrlib'))} lines of import")
    print(
        f"code in view: {len(seen):,} lines, {len(keeping)} of them bookkeeping, {len(wide)} wide"
    )


if __name__ == "__main__":
    main()

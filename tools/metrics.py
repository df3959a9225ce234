"""Print the size of the project: ``make house``. No test enforces a count.

Lines of code are counted without docstrings, comments and blank lines; behind them stands the
budget. For each page of the book follow its words as a reader meets them, the minutes of
``slrbook.length``, and, if the site is built, its screens of 1280 x 900 with the code hidden.
"""

import ast
import importlib
import io
import pkgutil
import re
import sys
import tokenize
from pathlib import Path

import slrlib
from slrbook import chapters, length

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
LAYOUT = {
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT),
    *(tokenize.ENCODING, tokenize.ENDMARKER),
}


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
    """Count the lines of code in the files below ``folder``, but for those of another part."""
    count = python_lines if ending == ".py" else javascript_lines
    inside = [ROOT / other for other, _, _ in PARTS.values() if other.startswith(f"{folder}/")]
    files = [f for f in (ROOT / folder).rglob(f"*{ending}") if not {*inside} & {*f.parents}]
    return sum(count(file.read_text("utf-8")) for file in files)


def public_names() -> set[str]:
    """Return ``risk.excess_risk`` and all other names that slrlib offers."""
    levels = [module.name for module in pkgutil.iter_modules(slrlib.__path__)]
    modules = {level: importlib.import_module(f"slrlib.{level}") for level in levels}
    return {f"{level}.{name}" for level, x in modules.items() for name in getattr(x, "__all__", ())}


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


def screens() -> dict[str, float]:
    """Measure the pages of the built site in screens of 1280 x 900, with code hidden."""
    sys.path.insert(0, str(ROOT / "tests" / "helpers"))
    import browsing

    if browsing.complaint_about_site() or not (chromium := browsing.find_chromium()).works:
        return {}
    found = {}
    with browsing.launched(chromium.executable) as browser:
        with browsing.fresh_page(browser, viewport={"width": 1280, "height": 900}) as page:
            for name in chapters.contents(ROOT):
                page.goto((browsing.SITE / f"{name}.html").as_uri())
                browsing.settle(page)
                box = page.locator("article.bd-article").bounding_box()
                found[name] = box["height"] / 900 if box else 0.0
    return found


def main() -> None:
    """Print the counts."""
    print("lines of code (budget)")
    for part, (folder, ending, budget) in PARTS.items():
        print(f"  {part:20s} {code_lines(folder, ending):7,} ({budget:,})")
    print(f"public names of slrlib: {len(public_names())}")
    print(f"imports of private names within slrlib: {len(private_imports('slrlib'))}")
    print(f"lines of code that readers see at once: {len(seen_lines()):,}")
    tall = screens()
    print(f"\n{'page':24s}{'words':>9s}{'minutes':>9s}{'screens' * bool(tall):>9s}")
    for page in chapters.contents(ROOT):
        words, minutes = length.of(ROOT, page).words, length.of(ROOT, page).minutes
        high = f"{tall[page]:9.1f}" if tall else ""
        print(f"{Path(page).name:24s}{words:9,}{minutes:9,}{high}")


if __name__ == "__main__":
    main()

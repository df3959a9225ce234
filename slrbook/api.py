"""The page of the package: every public name with its signature, its words, and its pages.

``text()`` is MyST, which ``slrbook.sphinx_ext.api`` puts into ``book/api.md``.
"""

import functools
import importlib
import inspect
import re
import textwrap
from pathlib import Path
from types import ModuleType

import slrlib
from slrbook import chapters
from slrbook.house import COLUMN

ROOT = Path(__file__).parents[1]
MARK = "<!-- the public names -->"
MODULES = (
    *("task", "overlaps", "sphere", "special", "predictors", "risk", "dynamics", "landscape"),
    *("heads", "transformer", "language", "experiments"),
)
BOOK = re.compile(r"\n*^Book: (.*?)\s*\Z", re.M | re.S)


@functools.cache
def code_of_chapters() -> dict[str, str]:
    """The code of each chapter, by the name of its page."""
    found = {}
    for page in sorted(chapters.notebooks(ROOT)):
        cells = chapters.read(ROOT, page).cells
        code = [cell.source for cell in cells if cell.cell_type == "code"]
        found[Path(page).name] = "\n".join(code)
    return found


def pages_with(place: str, name: str) -> list[str]:
    """The chapters whose code names ``name`` of the module at ``place``."""
    imported = rf"from slrlib(?:\.{place}[\w.]*)? import (?:\([^)]*|[^\n(]*)\b{name}\b"
    word = re.compile(rf"\b{place}\.{name}\b|{imported}")
    return [page for page, code in code_of_chapters().items() if word.search(code)]


def signature(thing: object) -> str:
    """The arguments in brackets, types left to the source; nothing for what is no function."""
    if inspect.isclass(thing) and issubclass(thing, tuple):
        return f"({', '.join(getattr(thing, '_fields', ()))})"
    try:
        parameters = inspect.signature(thing).parameters.values()  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return ""
    plain = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in parameters]
    shown = str(inspect.Signature(plain))
    return re.sub(r"<[^<>]*>", "...", shown)  # an address in a default means nothing to a reader


def prose(words: str) -> str:
    """The words of a docstring as MyST: what is between backticks is code, all else plain."""
    parts = re.split(r"(``.+?``|`.+?`)", words, flags=re.S)
    plain = [re.sub(r"([\\*_$<>{}\[\]|#~^])", r"\\\1", part) for part in parts[::2]]
    code = [part.strip("`") for part in parts[1::2]] + [""]
    return "".join(a + (f"`{b}`" if b else "") for a, b in zip(plain, code, strict=True))


def entry(place: str, name: str, thing: object) -> str:
    """One public name."""
    words = inspect.getdoc(thing) if callable(thing) else None
    kind = "class-" if inspect.isclass(thing) else ""
    lines = [f"(api-{place}-{kind}{name})=".lower().replace("_", "-"), f"### {name}", ""]
    if not words:
        return "\n".join([*lines, f"A value: `slrlib.{place}.{name}`.", ""])
    book = BOOK.search(words)
    called = textwrap.fill(f"{name}{signature(thing)}", COLUMN, subsequent_indent="    ")
    lines += ["```text", called, "```", "", prose(BOOK.sub("", words)), ""]
    pages = ", ".join(f"{{doc}}`{page}`" for page in pages_with(place, name))
    where = [book[1].replace("\n", " ") if book else "", f"Called in {pages}." if pages else ""]
    return "\n".join([*lines, " ".join(part for part in where if part), ""])


def section(module: ModuleType) -> str:
    """The public names of a module or package, under its first sentence."""
    place = module.__name__.removeprefix("slrlib.")
    words = (inspect.getdoc(module) or "").split("\n\n")[0]
    entries = [entry(place, name, getattr(module, name)) for name in public(module)]
    return "\n".join([f"## slrlib.{place}", "", prose(words), "", *entries])


def public(module: ModuleType) -> list[str]:
    """The names that a module offers, in the order of the alphabet."""
    return sorted(getattr(module, "__all__", ()), key=str.lower)


def text() -> str:
    """The whole page below its introduction."""
    modules = [importlib.import_module(f"{slrlib.__name__}.{name}") for name in MODULES]
    return "\n".join(section(module) for module in modules)

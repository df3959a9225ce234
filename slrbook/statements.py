"""The statements of the book and what each is tested against.

``text()`` is the list of our own statements, as MyST. ``slrbook.sphinx_ext.contents`` puts it into
the page ``paper_map``, which has a table of the paper's own statements.
"""

import re
import tomllib
from pathlib import Path

from slrbook import chapters

ROOT = Path(__file__).parents[1]
MARK = "<!-- our statements -->"
STATEMENT = re.compile(
    r"^[:`]{3,}\{prf:(\w+)\} *(.*)\n(?:: *(?!label)\w+:.*\n)*:label: *(\S+)", re.M
)

_FOUND = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
#: The tests of each numbered item of the paper.
OF_THE_PAPER: dict[str, list[str]] = _FOUND["paper"]
#: For each of our statements: what it is tested against, in words, then tests and chapters.
OWN: dict[str, list[str]] = _FOUND["own"]


def of(page: str) -> list[tuple[str, str, str]]:
    """Return (kind, title, label) of the statements of a page."""
    return STATEMENT.findall(chapters.prose(ROOT, page))


def section(page: str) -> str:
    """Return the list of our statements on one page, each with what it is tested against."""
    lines = []
    for kind, title, label in of(page):
        if label in OWN:
            # The text of a link cannot contain formulas.
            words = title.replace(r"$\lambda_c$", "λc").replace(r"$\lambda$", "λ")
            words = re.sub(r"^\w+ \((.+); not in the paper\)$", r"\1", words)
            words = words.removesuffix(" (not in the paper)") or kind.capitalize()
            lines.append(f"- {{prf:ref}}`{words} <{label}>`: {OWN[label][0]}")
    name = Path(page).name
    return "\n".join([f"**{{doc}}`{name}`**", "", *lines, ""]) if lines else ""


def text() -> str:
    """Return the lists of all pages, in the order of the book."""
    return "\n".join(filter(None, map(section, chapters.contents(ROOT))))

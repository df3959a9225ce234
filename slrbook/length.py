"""The length of a page: its visible words, and the minutes that it takes to read.

A reader sees words (without code, folded proofs, hints and solutions), explorers, figures,
displayed formulas and exercises. Words are read at a fixed pace; each of the others takes a fixed
time.
"""

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from slrbook import chapters

PACE = 100  # words per minute, for prose that is read carefully
EXPLORER, FIGURE, FORMULA, EXERCISE = 3, 1, 3 / 4, 1  # minutes for each
FENCE = re.compile(r"^\s*([`:]{3,})\s*(?:\{([\w:-]+)\}(.*)|\S*)$")
UNREAD = {"code", "try", "code-block", "bibliography", "dropdown"}
DISPLAYED = "displayedformula"
CALL = r"^(?:\w+ = )?{}\.\w+\("  # of a function that draws, at the left margin


class Length(NamedTuple):
    """The words that a reader sees on a page, and the whole minutes that it takes."""

    words: int
    minutes: int


def visible(text: str) -> str:
    """Return the words of Markdown that are visible without a click.

    A formula counts as one word; options, labels and code do not count.
    """
    text = re.sub(r"^\$\$.*?\$\$[^\n]*$", DISPLAYED, text, flags=re.S | re.M)
    text = re.sub(r"\$[^$\n]+(?:\n[^$\n]+)?\$", "formula", text)
    text = re.sub(r"\{[\w:]+\}`([^`<]*)[^`]*`", r"\1", text)
    seen = []
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
        if not solution and not {name for _, name in opened} & UNREAD:
            seen.append(line)
    return "\n".join(seen)


@cache
def of(root: Path, page: str) -> Length:
    """Return the length of a page, such as ``book/task``, from its source."""
    text, drawn = chapters.prose(root, page), []
    if not (root / f"{page}.md").exists():
        unseen = {"remove-cell", "remove-output", "hide-output"}
        cells = chapters.read(root, page).cells
        drawn = [c for c in cells if not unseen & set(c.metadata.get("tags", []))]
    code = "\n".join(cell.source for cell in drawn if cell.cell_type == "code")
    seen = visible(text)
    words = re.findall(r"\w[\w'’-]*", seen)
    exercises = re.findall(r"^[`:]{3,}\{exercise(?:-start)?\}", text, re.M)
    time = len(words) / PACE + seen.count(DISPLAYED) * FORMULA + len(exercises) * EXERCISE
    for name, minutes in (("plot", FIGURE), ("explorers", EXPLORER)):
        time += len(re.findall(CALL.format(name), code, re.M)) * minutes
    return Length(len(words), max(1, round(time)))

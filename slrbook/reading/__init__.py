"""Reading aids on every page: folded code and checks, link previews, search, answer boxes.

The scripts and the style of this folder are for the whole site; ``slrbook.sphinx_ext.assets``
puts them on the pages. Without scripts a page shows all of its content.
"""

import json
import shutil
from pathlib import Path

from slrbook.reading.plain import LETTERS

HERE = Path(__file__).parent
# On every page, in this order: an anchor is looked up in folds before it is looked up elsewhere.
SCRIPTS = ("code", "folds", "print", "moved", "previews", "answer", "copied")
SCRIPT, STYLE, SEARCH = "slr-reading.js", "slr-reading.css", "slr-search.js"


def source(name: str) -> str:
    """Return the text of a file in this folder."""
    return (HERE / name).read_text("utf-8")


def moved() -> dict[str, dict[str, str]]:
    """Return the new page of each earlier page, and the new name of each earlier anchor."""
    return json.loads(source("moved.json"))


def write(folder: Path) -> None:
    """Write the files that pages load to ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    script = "\n".join(source(f"{name}.js") for name in SCRIPTS)
    (folder / SCRIPT).write_text(script, "utf-8")
    letters = json.dumps(LETTERS, ensure_ascii=False)
    (folder / SEARCH).write_text(f"const LETTERS = {letters};\n{source('search.js')}", "utf-8")
    (folder / STYLE).write_text(source("reading.css"), "utf-8")
    for font in HERE.glob("*.woff2"):
        shutil.copy(font, folder)

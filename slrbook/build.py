"""`make book`: every chapter afresh, side by side, and then the site, whatever failed.

A claim that fails costs the reader nothing but itself: the site is finished, the page shows the
error where it stands, one line at the end says what was expected and what was found, and the exit
status is 1.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat

from slrbook import chapters, processor, times
from slrbook.execute import Outcome, run_all
from slrbook.forked import SELDOM
from slrbook.progress import Progress

# Sphinx makes many objects that stay to the end: cycles among them are looked for less often.
_SITE = f"import gc; gc.set_threshold{SELDOM}; from jupyter_book.cli.main import main; main()"


def longest_first(root: Path, pages: list[str]) -> list[str]:
    """The order in which the chapters are begun: by their last time, else by their length."""
    last = times.last(root)

    def weight(page):
        code = chapters.code_cells(chapters.read(root, page))
        return last.get(page, {}).get("wall", len(code)), len(code)

    return sorted(pages, key=weight, reverse=True)


def kept(root: Path) -> Path:
    """The folder of the notebooks with their outputs, from which the site is written."""
    return root / "_build" / "executed"


def keep(root: Path, page: str, notebook: nbformat.NotebookNode) -> None:
    file = kept(root) / f"{page}.ipynb"
    file.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, file)


def executed(root: Path, progress: Progress) -> list[Outcome]:
    """Every chapter run, and its notebook kept with its outputs."""
    shutil.rmtree(kept(root), ignore_errors=True)
    pages = longest_first(root, chapters.notebooks(root))
    outcomes = run_all(root, pages, progress, more=cache(root))
    for outcome in outcomes:
        keep(root, outcome.page, outcome.notebook)
        times.save(root, outcome.page, outcome.cost)
    return outcomes


def cache(root: Path) -> dict[str, str]:
    """Where JAX keeps what it compiled: a folder for each kind of processor."""
    if folder := os.environ.get("JAX_COMPILATION_CACHE_DIR"):
        return {"JAX_COMPILATION_CACHE_DIR": folder}
    return {"JAX_COMPILATION_CACHE_DIR": str(root / "_build" / "compiled" / processor.key())}


def site(root: Path, progress: Progress) -> bool:
    """Write the pages from the executed chapters; what Sphinx warns of is shown."""
    for old in ("html", ".doctrees", "jupyter_execute"):
        shutil.rmtree(root / "_build" / old, ignore_errors=True)
    log = root / "_build" / "site.log"
    command = [sys.executable, "-c", _SITE, "build", ".", "-W", "-n", "--keep-going"]
    env = {**os.environ, "SLR_EXECUTED": str(kept(root)), "NO_COLOR": "1"}
    with log.open("w", encoding="utf-8") as file:
        sphinx = subprocess.Popen(command, cwd=root, env=env, stdout=file, stderr=file)
        while True:
            progress.at("the site", "is being written")
            try:
                status = sphinx.wait(timeout=1)
                break
            except subprocess.TimeoutExpired:
                pass
    progress.now.clear()
    if status:
        lines = log.read_text("utf-8", "replace").splitlines()
        warned = [line for line in lines if "WARNING" in line or "ERROR" in line.upper()]
        for line in warned or lines[-20:]:
            progress.line(line)
    return status == 0


def build(root: Path, has_run: bool = False) -> int:
    """The exit status: 0 if every claim held and the site was written without a warning.

    Chapters that have run already, under nbval, are not run again.
    """
    progress = Progress(len(chapters.notebooks(root)))
    outcomes = [] if has_run else executed(root, progress)
    written = site(root, progress)
    failures = [failure for outcome in outcomes for failure in outcome.failures]
    page = root / "_build" / "html" / "index.html"
    for failure in failures:
        progress.line(f"FAILED: {failure}")
    if page.exists():
        progress.line(f"The book is ready; open {page}")
    if failures or not written:
        progress.line("but not all of it is as it should be: see the lines above.")
        return 1
    return 0


if __name__ == "__main__":
    try:
        folder, *which = sys.argv[1:] or ["."]
        sys.exit(build(Path(folder).resolve(), has_run=which == ["has-run"]))
    except KeyboardInterrupt:
        sys.exit("\nStopped; `make book` begins again.")

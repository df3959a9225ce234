"""`make book`: run every chapter, several at a time, and write the site, whatever fails.

A claim that fails costs the reader no page: the page shows the error below the cell, the last
lines name the claim, and the exit status is 1.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from slrbook import chapters, execute, processor

_SITE = "from jupyter_book.cli.main import main; main()"


def executed(root: Path) -> list[execute.Outcome]:
    """Run every chapter, and keep its notebook with its outputs."""
    shutil.rmtree(execute.kept(root), ignore_errors=True)
    pages = execute.longest_first(root, chapters.notebooks(root))
    compiled = str(root / "_build" / "compiled" / processor.key())
    cache = os.environ.get("JAX_COMPILATION_CACHE_DIR", compiled)
    outcomes = execute.run_all(root, pages, more={"JAX_COMPILATION_CACHE_DIR": cache})
    for outcome in outcomes:
        execute.keep(root, outcome.page, outcome.notebook)
    return outcomes


def site(root: Path) -> bool:
    """Write the pages from the executed chapters, and print the warnings of Sphinx."""
    for old in ("html", ".doctrees", "jupyter_execute"):
        shutil.rmtree(root / "_build" / old, ignore_errors=True)
    log = root / "_build" / "site.log"
    command = [sys.executable, "-c", _SITE, "build", ".", "-W", "-n", "--keep-going"]
    env = {**os.environ, "SLR_EXECUTED": str(execute.kept(root)), "NO_COLOR": "1"}
    print("The site is being written.", flush=True)
    with log.open("w", encoding="utf-8") as file:
        sphinx = subprocess.run(command, cwd=root, env=env, stdout=file, stderr=file)
    if sphinx.returncode:
        lines = log.read_text("utf-8", "replace").splitlines()
        warned = [line for line in lines if "WARNING" in line or "ERROR" in line.upper()]
        print(*warned or lines[-20:], sep="\n")
    return sphinx.returncode == 0


def build(root: Path, has_run: bool = False) -> int:
    """The exit status: 0 if every claim held and Sphinx gave no warning.

    With ``has_run`` the chapters have run already, under nbval, and are not run again.
    """
    outcomes = [] if has_run else executed(root)
    written = site(root)
    failures = [failure for outcome in outcomes for failure in outcome.failures]
    page = root / "_build" / "html" / "index.html"
    if page.exists():
        print(f"The book is ready; open {page}")
    for failure in failures:
        print(f"FAILED: {failure}")
    if not written:
        print("FAILED: the site was written with the warnings above.")
    return int(bool(failures) or not written)


if __name__ == "__main__":
    try:
        folder, *which = sys.argv[1:] or ["."]
        sys.exit(build(Path(folder).resolve(), has_run=which == ["has-run"]))
    except KeyboardInterrupt:
        sys.exit("\nstopped; the same command begins again")

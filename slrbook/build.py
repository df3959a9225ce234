"""`make book`: run every chapter, several at a time, and write the site, whatever fails.

A claim that fails costs the reader no page: the page shows the error below the cell, and the exit
status is 1.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from slrbook import chapters, execute, processor

_SITE = "from jupyter_book.cli.main import main; main()"


def site(root: Path) -> bool:
    """Write the pages from the executed chapters, and print the warnings of Sphinx."""
    for old in ("html", ".doctrees", "jupyter_execute"):
        shutil.rmtree(root / "_build" / old, ignore_errors=True)
    log = root / "_build" / "site.log"
    log.parent.mkdir(exist_ok=True)
    command = [sys.executable, "-c", _SITE, "build", ".", "-W", "-n", "--keep-going"]
    env = {**os.environ, "SLR_EXECUTED": str(chapters.kept(root)), "NO_COLOR": "1"}
    print("The site is being written.", flush=True)
    with log.open("w", encoding="utf-8") as file:
        sphinx = subprocess.run(command, cwd=root, env=env, stdout=file, stderr=file)
    if sphinx.returncode:
        lines = log.read_text("utf-8", "replace").splitlines()
        warned = [line for line in lines if "WARNING" in line or "ERROR" in line.upper()]
        print(*warned or lines[-20:], sep="\n")
    return sphinx.returncode == 0


def build(root: Path) -> int:
    """The exit status: 0 if every claim held and Sphinx gave no warning."""
    compiled = str(root / "_build" / "compiled" / processor.key())
    cache = os.environ.get("JAX_COMPILATION_CACHE_DIR", compiled)
    held = execute.run(root, chapters.notebooks(root), JAX_COMPILATION_CACHE_DIR=cache)
    written = site(root)
    page = root / "_build" / "html" / "index.html"
    if page.exists():
        print(f"The book is ready; open {page}")
    if not held:
        print("FAILED: the cells that are listed above, and shown with their errors on the pages.")
    if not written:
        print("FAILED: the site was written with the warnings above.")
    return int(not held or not written)


if __name__ == "__main__":
    try:
        sys.exit(build(Path(*sys.argv[1:]).resolve()))
    except KeyboardInterrupt:
        sys.exit("\nstopped; the same command begins again")

"""`make book`: run every chapter, several at a time, and write the site, whatever fails.

`make chapter NAME=task` runs one chapter; the pages of the others keep their last outputs.

A claim that fails costs the reader no page: the page shows the error below the cell, and the exit
status is 1.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from slrbook import chapters, execute, processor

# Sphinx keeps most objects until it ends, so garbage collection would only cost time. Freeing them
# at the end takes seconds too.
_SITE = "import gc, os; gc.disable(); from jupyter_book.cli.main import main; "
_SITE += "main(standalone_mode=False); os._exit(0)"  # main raises errors; -u: no buffers


def site(root: Path, only: str = "") -> bool:
    """Write the pages from the executed chapters, and print the warnings of Sphinx.

    With the name of a page, ``only`` warnings that name it are printed and count.
    """
    for old in ("html", ".doctrees", "jupyter_execute"):
        shutil.rmtree(root / "_build" / old, ignore_errors=True)
    log = root / "_build" / "site.log"
    log.parent.mkdir(exist_ok=True)
    command = [sys.executable, "-u", "-c", _SITE, "build", ".", "-W", "-n", "--keep-going"]
    env = {**os.environ, "SLR_EXECUTED": str(chapters.kept(root)), "NO_COLOR": "1"}
    print("The site is being written.", flush=True)
    with log.open("w", encoding="utf-8") as file:
        sphinx = subprocess.run(command, cwd=root, env=env, stdout=file, stderr=file)
    if not sphinx.returncode:
        return True
    lines = log.read_text("utf-8", "replace").splitlines()
    warned = [line for line in lines if "WARNING:" in line or "ERROR:" in line]
    if only and warned:  # the others may never have run
        warned = [line for line in warned if f"{only}." in line]
        print(*warned, sep="\n")
        return not warned
    print(*warned or lines[-20:], sep="\n")
    return False


def build(root: Path, only: str = "") -> int:
    """The exit status: 0 if every claim held and Sphinx gave no warning.

    With the name of a chapter, ``only`` that one runs, and only its warnings count.
    """
    pages = [page for page in chapters.notebooks(root) if only in ("", Path(page).name)]
    if not pages and only:
        sys.exit(f"NAME must be that of a notebook that _toc.yml lists, got {only!r}")
    if not only:
        shutil.rmtree(chapters.kept(root), ignore_errors=True)
    compiled = str(root / "_build" / "compiled" / processor.key())
    cache = os.environ.get("JAX_COMPILATION_CACHE_DIR", compiled)
    held = execute.run(root, pages, JAX_COMPILATION_CACHE_DIR=cache)
    written = site(root, only)
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
        folder, *name = sys.argv[1:] or ["."]
        sys.exit(build(Path(folder).resolve(), *name))
    except KeyboardInterrupt:
        sys.exit("\nstopped; the same command begins again")

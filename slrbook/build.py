"""`make book`: run all chapters, several at a time, and write the site even if some cells fail.

Sphinx runs at the same time as the chapters and reads each one when it has finished. The old site
stays in place until the new one is complete. `make chapter NAME=task` runs one chapter; the pages
of the others keep their last outputs.

If a claim fails, its page is still written and shows the error below the cell; the exit status
is 1.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from slrbook import chapters, execute, processor

# Sphinx keeps most objects until it ends, so garbage collection would only cost time. Freeing them
# at the end would also take seconds, so the process ends without it.
_SITE = "import gc, os; gc.disable(); from jupyter_book.cli.main import main; "
_SITE += "main(standalone_mode=False); os._exit(0)"  # main raises errors; -u: unbuffered output
NEW, LOG = "_build/new", "_build/site.log"  # the site until it is complete, and the log of Sphinx
BUILT = ".built"  # marks a complete site; its modification time is the start of the build


def start_sphinx(root: Path) -> subprocess.Popen:
    """Start Sphinx, which waits for executed chapters until its standard input is closed."""
    folder = root / NEW
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / BUILT).touch()
    command = [sys.executable, "-u", "-c", _SITE, "build", ".", "--path-output", str(folder)]
    command += ["-W", "-n", "--keep-going"]
    env = {**os.environ, "SLR_EXECUTED": str(chapters.kept(root))}
    env |= {"SLR_WAITS": "1", "NO_COLOR": "1"}
    with (root / LOG).open("w", encoding="utf-8") as file:
        return subprocess.Popen(
            command, cwd=root, env=env, stdin=subprocess.PIPE, stdout=file, stderr=file
        )


def site(root: Path, sphinx: subprocess.Popen, only: str = "") -> bool:
    """Wait until Sphinx has written the pages, move them into place, and print its warnings.

    If ``only`` names a page, only warnings that name it are printed and count. Return whether there
    are none.
    """
    print("The site is being written.", flush=True)
    sphinx.communicate()
    place = root / "_build" / "html"
    complete = not only or (place / BUILT).exists()
    shutil.rmtree(place, ignore_errors=True)
    if (new := root / NEW / "_build" / "html").exists():
        new.rename(place)
        if complete:
            (root / NEW / BUILT).rename(place / BUILT)
    shutil.rmtree(root / NEW)
    if not sphinx.returncode:
        return True
    lines = (root / LOG).read_text("utf-8", "replace").splitlines()
    warned = [line for line in lines if "WARNING:" in line or "ERROR:" in line]
    if only and warned:  # other pages may never have run
        warned = [line for line in warned if f"{only}." in line]
        print(*warned, sep="\n")
        return not warned
    print(*warned or lines[-20:], sep="\n")
    return False


def build(root: Path, only: str = "") -> int:
    """Build the site; return 0 if every claim holds and Sphinx gives no warning, else 1.

    If ``only`` names a chapter, only this chapter runs, and only its warnings count.
    """
    pages = [page for page in chapters.notebooks(root) if only in ("", Path(page).name)]
    if not pages and only:
        sys.exit(f"NAME must be that of a notebook that _toc.yml lists, got {only!r}")
    for page in pages:
        (chapters.kept(root) / f"{page}.ipynb").unlink(missing_ok=True)
    compiled = str(root / "_build" / "compiled" / processor.key())
    cache = os.environ.get("JAX_COMPILATION_CACHE_DIR", compiled)
    sphinx = start_sphinx(root)
    try:
        held = execute.run(root, pages, JAX_COMPILATION_CACHE_DIR=cache)
    except BaseException:
        sphinx.kill()
        raise
    written = site(root, sphinx, only)
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

"""The installed Chromium, run without a window."""

import os
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def render(page: Path, written: Path, *flags: str) -> None:
    """Open ``page`` in the browser; ``flags`` make it write the file ``written``."""
    named = os.environ.get("CHROMIUM"), *map(shutil.which, NAMES)
    if not (browser := next(filter(None, named), None)):
        raise FileNotFoundError(f"no browser was found: please install one of {', '.join(NAMES)}")
    written.unlink(missing_ok=True)
    with TemporaryDirectory() as own:
        line = [browser, "--headless", "--no-sandbox", f"--user-data-dir={own}", *flags]
        done = subprocess.run([*line, page.as_uri()], capture_output=True)
    if not written.exists():
        raise OSError(f"the browser did not write {written.name} (exit status {done.returncode})")

"""Python in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path


def python(*line: str, folder: Path | None = None, status: int = 0, **more: str) -> str:
    """What it prints in a folder, with ``more`` in its environment; it must end as told."""
    done = subprocess.run(
        [sys.executable, *line],
        cwd=folder,
        env={**os.environ, **more},
        capture_output=True,
        text=True,
    )
    assert done.returncode == status, done.stdout[-8000:] + done.stderr[-8000:]
    return done.stdout

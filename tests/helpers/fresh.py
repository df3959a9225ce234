"""Run Python in a separate process."""

import os
import subprocess
import sys
from pathlib import Path


def python(*line: str, folder: Path | None = None, status: int = 0, **more: str) -> str:
    """Run Python in a folder, with ``more`` in its environment; return the output."""
    done = subprocess.run(
        [sys.executable, *line],
        cwd=folder,
        env={**os.environ, **more},
        capture_output=True,
        text=True,
    )
    assert done.returncode == status, done.stdout[-8000:] + done.stderr[-8000:]
    return done.stdout

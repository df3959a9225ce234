"""Run the chapters with nbval, several at a time, each in a kernel of its own.

Each cell is a test: one that fails does not stop its chapter, and its code and error are printed.
The plugin ``slrbook.validated`` keeps the outputs, from which the site is written.
"""

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import psutil

from slrbook import chapters
from slrbook.processor import FAST_XLA_FLAGS
from slrlib.store import cores

MEMORY = 2e9  # bytes that a chapter may need
PYTEST = "-m pytest --rootdir . -q --no-header -p no:cacheprovider --dist loadfile".split()
NBVAL = "--no-loadscope-reorder -p slrbook.validated --nbval-lax --nbval-current-env".split()
THREADS = ("NPROC", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
TIMEOUT = ["--nbval-cell-timeout", "7200"]  # seconds; enough for a slow machine


def side_by_side(wanted: int, waiting: int = 0) -> int:
    """Return how many processes to run at a time, limited by ``wanted``, the cores and the memory.

    ``waiting`` is the number of processes allowed beyond the number of cores, because tests often
    wait for a browser or a kernel.
    """
    room = int(psutil.virtual_memory().total // MEMORY)
    return max(1, min(wanted, cores() + waiting, room))


def run(root: Path, pages: Iterable[str], threads: int = 0, **more: str) -> bool:
    """Execute ``pages`` and keep their outputs; return whether every cell passed.

    If ``threads`` is 0, the pages share the cores. ``more`` are further environment variables.
    """
    files = [f"{page}.ipynb" for page in chapters.longest_first(root, pages)]
    if not files:
        return True
    at_once = side_by_side(len(files))
    threads = threads or max(1, cores() // at_once)
    env = {**os.environ, **dict.fromkeys(THREADS, str(threads)), **more}
    env["XLA_FLAGS"] = f"{FAST_XLA_FLAGS} {env.get('XLA_FLAGS', '')}".strip()
    line = [sys.executable, *PYTEST, *NBVAL, *TIMEOUT, "-n", str(at_once), *files]
    return subprocess.run(line, cwd=root, env=env).returncode == 0

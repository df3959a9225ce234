"""The marked tests once more, in a fresh process with x64 off."""

import os
import re
import subprocess
import sys

import browsing


def test_the_marked_tests_pass_with_x64_off():
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
    without = [
        flag for name in ("cacheprovider", "nbval", "xdist") for flag in ("-p", f"no:{name}")
    ]
    folder = browsing.ROOT / "tests"
    marked = [
        str(f) for f in folder.rglob("test_*.py") if "either_precision" in f.read_text("utf-8")
    ]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *marked, "-m", "either_precision", "-q", *without],
        env={**environment, "SLRLIB_X64": "0"},
        cwd=browsing.ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) > 0

"""The marked tests once more, in a fresh process with x64 off."""

import os
import re
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parent


def test_the_marked_tests_pass_with_x64_off():
    command = [sys.executable, "-m", "pytest", str(TESTS), "-m", "either_precision", "-q"]
    done = subprocess.run(
        [*command, "-p", "no:cacheprovider", "-p", "no:nbval"],
        env={**os.environ, "SLRLIB_X64": "0"},
        cwd=TESTS.parent,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) > 0

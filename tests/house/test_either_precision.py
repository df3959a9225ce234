"""Run the tests marked ``either_precision`` again in a new process with x64 off."""

import re

import browsing
from fresh import python


def test_the_marked_tests_pass_with_x64_off(monkeypatch):
    for name in ("PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT"):
        monkeypatch.delenv(name, raising=False)
    without = "-p no:cacheprovider -p no:nbval -p no:xdist".split()
    files = (browsing.ROOT / "tests").rglob("test_*.py")
    marked = [str(file) for file in files if "either_precision" in file.read_text("utf-8")]
    line = ["-m", "pytest", *marked, "-m", "either_precision", "-q", *without]
    said = python(*line, folder=browsing.ROOT, SLRLIB_X64="0")
    assert int(re.search(r"(\d+) passed", said)[1]) > 0

"""The marked tests once more, in a fresh process with x64 off (``conftest.py`` starts it)."""

import re


def test_the_marked_tests_pass_with_x64_off(x64_off):
    process, log = x64_off
    code = process.wait(timeout=900)
    text = log.read_text("utf-8")
    assert code == 0, text[-8000:]
    assert int(re.search(r"(\d+) passed", text)[1]) > 0

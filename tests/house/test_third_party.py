"""The notices name the versions that the built book contains."""

import importlib.metadata
import re
from pathlib import Path

from slrbook import formulas
from slrbook.javascript.printer import runtime

ROOT = Path(__file__).parents[2]
NOTICES = (ROOT / "THIRD_PARTY.md").read_text("utf-8")
ROWS = [line for line in NOTICES.splitlines() if line.startswith("| ")]
PACKAGES = """accessible-pygments myst-nb pydata-sphinx-theme pygments sphinx sphinx-book-theme
sphinx-copybutton sphinx-design sphinx-exercise sphinx-proof sphinx-thebe
sphinx-togglebutton""".split()


def test_the_version_of_each_package_and_of_what_it_carries():
    for package in PACKAGES:
        names = [re.findall(r"[\w-]+", row.split("|")[1].lower()) for row in ROWS]
        (row,) = [row for row, found in zip(ROWS, names, strict=True) if package in found]
        assert importlib.metadata.version(package) in row
    temml = (formulas.HERE / "temml.min.js").read_text("utf-8")
    (row,) = [row for row in ROWS if row.startswith("| Temml")]
    assert f"| {re.search('version:.([.0-9]+)', temml)[1]} |" in row


def test_the_version_of_micropython(micropython):
    (row,) = [row for row in ROWS if row.startswith("| MicroPython")]
    found = re.search(rb"MicroPython v([\d.]+)", (micropython / "micropython.wasm").read_bytes())
    assert f"| {found[1].decode()}," in row


def test_the_notices_stand_in_full():
    for sentence in (
        "Permission to use, copy, modify, and distribute this",
        "The above copyright notice and this permission notice shall be included",
        "Redistributions in binary form must reproduce the above copyright notice",
        "TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION",
        "SIL OPEN FONT LICENSE",
    ):
        assert sentence in NOTICES
    assert "Developed at SunPro, a Sun Microsystems, Inc. business." in runtime()

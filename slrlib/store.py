"""Results on disk: one .npz without pickle that carries a JSON header, written in one piece."""

import functools
import hashlib
import json
import os
import platform
import tempfile
import zipfile
from importlib.metadata import version
from pathlib import Path

import numpy as np

_HEADER = "header"
_BROKEN = (zipfile.BadZipFile, AttributeError, EOFError, KeyError, TypeError, ValueError)


@functools.cache
def code():
    """Twelve letters that change with any line of the package."""
    here, digest = Path(__file__).parent, hashlib.sha256()
    for name in sorted(path.relative_to(here).as_posix() for path in here.rglob("*.py")):
        digest.update(name.encode() + b"\0" + (here / name).read_bytes())
    return digest.hexdigest()[:12]


def versions():
    """What the numbers of a result were made with."""
    packages = {name: version(name) for name in ("slrlib", "jax", "numpy")}
    return {"python": platform.python_version(), "code": code(), **packages}


def save(path, arrays, header):
    """Write ``arrays`` (names to arrays) and ``header`` (plain JSON) to ``path``.

    The versions in use are added to the header. The file appears whole or not at all: it is
    written beside ``path`` and then renamed, so a stopped run leaves no torn file.
    """
    path, arrays = Path(path), {name: np.asarray(x) for name, x in arrays.items()}
    for name, array in arrays.items():
        if array.dtype.kind not in "biufcU" or name == _HEADER:
            raise ValueError(
                f"arrays must hold numbers or text under names other than {_HEADER!r}, "
                f"got {name!r} of type {array.dtype}"
            )
    text = json.dumps({**header, "versions": versions()}, sort_keys=True, allow_nan=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, beside = tempfile.mkstemp(prefix=path.name, suffix=".part", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            np.savez_compressed(file, **{_HEADER: np.array(text)}, **arrays)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except BaseException:
        os.unlink(beside)
        raise


def load(path):
    """(arrays, header) of a file that ``save`` wrote; nothing in it is ever executed."""
    try:
        with open(path, "rb") as file, np.load(file, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        header = json.loads(str(arrays.pop(_HEADER)))
    except (
        zipfile.BadZipFile,
        AttributeError,
        EOFError,
        KeyError,
        TypeError,
        ValueError,
    ) as broken:
        raise ValueError(f"path must be a file that slrlib.store wrote, got {path}") from broken
    return arrays, header

"""Storage of results: .npz files without pickle, with a JSON header, written atomically.

``numpy.load(file)`` reads the arrays without slrlib. The array ``header`` is JSON text with the
entries ``experiment`` (its class and all its parameters), ``float`` (the floating-point type that
JAX used), ``chunks`` and ``of`` (the numbers of finished and of all chunks, equal at the end of the
run), ``seconds`` (processor time of all parts together, without what the process had read or
compiled for other results before; absent in older files), ``revision`` (of the class of experiment;
absent means 1), ``arrays`` (their names), ``versions`` (``slrlib``, ``python``, ``jax``, ``numpy``)
and ``machine`` (``architecture``, ``instructions``, ``threads``).
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import platform
import tempfile
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from jax.typing import ArrayLike

_HEADER = "header"


class CorruptFile(ValueError):
    """The error for a file that is damaged or that this module did not write."""


def versions() -> dict[str, str]:
    """Return the versions of Python, slrlib, JAX and NumPy."""
    packages = {name: version(name) for name in ("slrlib", "jax", "numpy")}
    return {"python": platform.python_version(), **packages}


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def machine() -> dict[str, str | int]:
    """Return the properties of this machine that can change the rounding of results.

    ``instructions`` is the largest set of vector instructions of the processor, as NumPy names it.
    """
    here = np.show_config(mode="dicts")["SIMD Extensions"]
    sets = [*here.get("baseline", ()), *here.get("found", ())]
    return {
        "architecture": platform.machine(),
        "instructions": sets[-1] if sets else "unknown",
        "threads": int(os.environ.get("NPROC") or cores()),
    }


def save(path: str | Path, arrays: Mapping[str, ArrayLike], header: Mapping[str, Any]) -> None:
    """Write ``arrays`` (names to arrays) and ``header`` (plain JSON) to ``path``.

    The versions in use and the machine are added to the header. The file is written next to
    ``path`` and then renamed, so a stopped run leaves no incomplete file.
    """
    arrays = {name: np.asarray(x) for name, x in arrays.items()}
    for name, array in arrays.items():
        if array.dtype.kind not in "biufcU" or name == _HEADER:
            raise ValueError(
                f"arrays must hold numbers or text under names other than {_HEADER!r}, "
                f"got {name!r} of type {array.dtype}"
            )
    header = {**header, "versions": versions(), "machine": machine(), "arrays": sorted(arrays)}
    text = json.dumps(header, sort_keys=True, allow_nan=False)
    stored: dict[str, Any] = {_HEADER: np.array(text), **arrays}
    with whole(path) as beside, open(beside, "wb") as file:
        np.savez_compressed(file, **stored)


@contextlib.contextmanager
def whole(path: str | Path) -> Iterator[Path]:
    """Yield a temporary path; what is written there is moved to ``path`` once it is complete."""
    if not isinstance(path, str | Path) or not Path(path).name or Path(path).is_dir():
        raise ValueError(f"path must be that of a file, got {str(path)!r}")
    path = Path(path)
    make_folder(path.parent, path)
    beside = path.with_name(f".{os.getpid()}-{path.name}")
    try:
        yield beside
        with open(beside, "rb") as file:
            os.fsync(file.fileno())
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)


def make_folder(folder: str | Path, named: str | Path | None = None) -> None:
    """Create ``folder`` if it is missing; an error message names it, or the path ``named``."""
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        reason = "Not a directory" if isinstance(error, FileExistsError) else error.strerror
        raise type(error)(
            f"{folder if named is None else named} cannot be written ({reason}): "
            "choose a path in a folder that you can write to"
        ) from None


def load(path: str | Path) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """Return (arrays, header) of a file that ``save`` wrote; no code in it is executed."""
    content = Path(path).read_bytes()
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        header = json.loads(str(arrays.pop(_HEADER)))
        if header.pop("arrays", sorted(arrays)) != sorted(arrays):  # older files do not name them
            raise CorruptFile(path)
    except Exception as error:  # zlib, zipfile, json and NumPy each have their own errors
        raise CorruptFile(f"path must be a file that slrlib.store wrote, got {path}") from error
    return arrays, header

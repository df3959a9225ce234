"""The files of the model on the site: a small script, and the weights as scripts, loaded on demand.

They are classic scripts, because a page that is opened as a file can load these but not use fetch.
"""

import base64
import hashlib
from pathlib import Path

from slrbook import static
from slrbook.explorers.base import as_json
from slrbook.explorers.read_a_sentence import table
from slrbook.explorers.read_a_sentence.in_browser.weights import packed
from slrlib.language.encoder import Bert

HERE = Path(__file__).parent
SCRIPT = "slr-model.js"
FOLDER = "minilm"  # of the pieces 00.js, 01.js, ...
PIECE = 1_500_000  # bytes of weights; a multiple of three, so that base64 has no padding inside
NOTICE = """/*! The weights in minilm/ and the word pieces are made from all-MiniLM-L6-v2 of
 * sentence-transformers, under the Apache License, Version 2.0 (apache.org/licenses/LICENSE-2.0).
 * They were changed: fewer layers and positions, each row of a matrix rounded to eight bits. */
"""


def own_script(manifest: dict) -> str:
    """Return the small script with which a page offers, loads and queries the model."""
    computed = [HERE / f"{name}.js" for name in ("pieces", "encoder", "worker")]
    worker = "\n".join(file.read_text("utf-8") for file in (static.RUNTIME, *computed))
    typing = HERE.with_name("typing.js").read_text("utf-8")
    load = (HERE / "load.js").read_text("utf-8")
    return (
        "// A sentence of the reader's own: loads the model when asked, and asks it in a Worker.\n"
        f"{NOTICE}(() => {{\nconst MODEL = {as_json(manifest)};\n"
        f"const WORKER = {as_json(worker)};\n"
        f"const explorer = {{}};\n{typing}{load}}})();\n"
    )


def write(folder: Path, bert: Bert) -> None:
    """Write the small script and the pieces of the weights to ``folder``."""
    described, numbers = packed(bert, table.pair(), table.LAYER, table.LONGEST)
    pieces = [
        f'slr.weights("{base64.b64encode(numbers[at : at + PIECE]).decode()}");\n'
        for at in range(0, len(numbers), PIECE)
    ]
    (folder / FOLDER).mkdir(parents=True, exist_ok=True)
    for number, text in enumerate(pieces):
        (folder / FOLDER / f"{number:02}.js").write_text(text, "utf-8")
    manifest = {
        "manifest": described,
        "bytes": len(numbers),
        "pieces": len(pieces),
        "size": sum(map(len, pieces)),
        "folder": FOLDER,
        "version": hashlib.sha256(numbers).hexdigest()[:8],
    }
    (folder / SCRIPT).write_text(own_script(manifest), "utf-8")

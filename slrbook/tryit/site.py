"""The files of *Try it*: a page loads a small script and a style, the first click MicroPython.

Both scripts are classic, because a page that is opened as a file can load only these.
"""

import base64
import hashlib
from pathlib import Path

from slrbook import static
from slrbook.explorers.base import as_json
from slrbook.tryit import functions, wheel
from slrbook.tryit.classic import classic

HERE = Path(__file__).parent
SCRIPT, STYLE, ENGINE = "slr-try.js", "slr-try.css", "slr-micropython.js"
DRAWN = Path(static.__file__).with_name("draw.js")
STARTS = Path(static.__file__).with_name("starts.js")
NOTICE = """/*! MicroPython, compiled to WebAssembly, under the MIT licence:
 * Copyright (c) 2013-2025 Damien P. George and others. It was changed: a classic script. */
"""


def _text(file: Path) -> str:
    return file.read_text("utf-8")


def worker(module: str) -> str:
    """Return the text of the Worker, from the text of micropython.mjs."""
    names = ", ".join(functions.FUNCTIONS)
    return (
        f"{classic(module)}\n{_text(static.RUNTIME)}\n"
        f"const FUNCTIONS = (() => {{\n{functions.script()}return {{ {names} }};\n}})();\n"
        f"const RANDOM = (() => {{\n{_text(STARTS)}{_text(HERE / 'random.js')}"
        f"return RANDOM;\n}})();\nconst MODULE = {as_json(_text(HERE / 'slr.py'))};\n"
        f"(() => {{\n{_text(HERE / 'worker.js')}"
        "onmessage = ({ data }) => void ran(data, postMessage).catch((error) => {\n"
        "  postMessage({ broken: String(error.message || error) });\n});\n})();\n"
    )


def engine(folder: Path) -> str:
    """Return the script that the first click loads, from the folder of MicroPython."""
    module, compiled = (folder / name for name in wheel.PARTS)
    binary = base64.b64encode(compiled.read_bytes()).decode()
    return (
        f"{NOTICE}(() => {{\nconst WASM = {as_json(binary)};\n"
        f"const WORKER = {as_json(worker(_text(module)))};\n"
        f"{_text(DRAWN)}{_text(HERE / 'plot.js')}{_text(HERE / 'load.js')}}})();\n"
    )


def own_script(loaded: str) -> str:
    """Return the small script, which states the size of the one that it loads."""
    version = hashlib.sha256(loaded.encode()).hexdigest()[:8]
    known = {"engine": f"{ENGINE}?{version}", "size": len(loaded)}
    editor = _text(HERE / "editor.js")
    offered = "return { run, arrived: (make) => arrive(make) };"
    return f"const slrTry = (() => {{\nconst KNOWN = {as_json(known)};\n{editor}{offered}\n}})();\n"


def write(folder: Path) -> None:
    """Write the two scripts and the style to ``folder``; raise if MicroPython is not installed."""
    source = wheel.folder()
    if source is None:
        raise FileNotFoundError(wheel.missing())
    folder.mkdir(parents=True, exist_ok=True)
    loaded = engine(source)
    (folder / ENGINE).write_text(loaded, "utf-8")
    (folder / SCRIPT).write_text(own_script(loaded), "utf-8")
    (folder / STYLE).write_text(_text(HERE / "try.css"), "utf-8")

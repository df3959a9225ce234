"""The module micropython.mjs as a classic script, which works in a Worker made from a Blob.

A page that is opened as a file cannot load modules, and a Blob has no folder in which the
WebAssembly could be found. The syntax that only a module may contain is therefore replaced. If it
occurs a different number of times than expected, the file is not the pinned one.
"""

CHANGES = (
    ("import.meta.url", '"micropython.js"', 4),
    ("export default _createMicroPythonModule;", "", 1),
    ("export async function loadMicroPython", "async function loadMicroPython", 1),
    ("var wasmBinary,", "var wasmBinary=globalThis.wasmBinary,", 1),
)


def classic(module: str) -> str:
    """Return a script that sets ``loadMicroPython``, from the text of the module.

    The bytes of the WebAssembly are taken from ``globalThis.wasmBinary``. The script is an async
    function, because the module contains a top-level ``await`` for Node.
    """
    for old, new, times in CHANGES:
        found = module.count(old)
        if found != times:
            raise ValueError(f"micropython.mjs must hold {old!r} {times} times, got {found}")
        module = module.replace(old, new)
    if "export " in module.replace("export this for you", ""):
        raise ValueError("micropython.mjs exports more than a classic script can hold")
    return f"(async () => {{{module}\n}})();\n"

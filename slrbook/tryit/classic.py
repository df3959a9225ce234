"""The module micropython.mjs as a classic script, which works in a Worker made from a Blob.

A page that is opened as a file may load no module, and a Blob has no address beside which the
WebAssembly could lie. So what only a module may say is replaced, each as often as it stands there;
another number of them is another file than the one that is pinned.
"""

CHANGES = (
    ("import.meta.url", '"micropython.js"', 4),
    ("export default _createMicroPythonModule;", "", 1),
    ("export async function loadMicroPython", "async function loadMicroPython", 1),
    ("var wasmBinary,", "var wasmBinary=globalThis.wasmBinary,", 1),
)


def classic(module: str) -> str:
    """The text of a script that sets ``loadMicroPython``, from the text of the module.

    The bytes of the WebAssembly are taken from ``globalThis.wasmBinary``. What waits at the top of
    the module, for Node only, asks for a function around it.
    """
    for old, new, times in CHANGES:
        found = module.count(old)
        if found != times:
            raise ValueError(f"micropython.mjs must hold {old!r} {times} times, got {found}")
        module = module.replace(old, new)
    if "export " in module.replace("export this for you", ""):
        raise ValueError("micropython.mjs exports more than a classic script can hold")
    return f"(async () => {{{module}\n}})();\n"

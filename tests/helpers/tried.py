"""The code of *Try it* under CPython, with a module ``slr`` that uses slrlib."""

import contextlib
import io
import json
import re
import sys
import types

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from booksource import pages, prose
from js import Engine

from slrbook.javascript import runtime
from slrbook.tryit import functions, site

SNIPPET = re.compile(r"^```\{try\} (\S+)\n(.*?)^```$", re.M | re.S)
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")


def snippets() -> list[tuple[str, str]]:
    """(name, code) of all snippets in the book, in page order."""
    return [found for file in pages() for found in SNIPPET.findall(prose(file))]


class WithJax:
    """Run code that may ``import slr``; its plots are appended to ``lots``."""

    def __init__(self):
        texts = (site.STARTS, site.HERE / "random.js")
        draws = Engine(runtime(), *(file.read_text("utf-8") for file in texts))

        def drawn(name):
            return lambda *args: draws.data(f"RANDOM.{name}(...{json.dumps(args)})")

        def compiled(function):
            """One array in, one array out, compiled: the snippets take thousands of steps."""
            quick = jax.jit(lambda given: jnp.asarray(function(*given)))
            return lambda *args: np.asarray(quick(np.array(args, float)))

        self.lots = []
        inside = types.ModuleType("_slr")
        for name, (function, _) in functions.FUNCTIONS.items():
            setattr(inside, name, compiled(function))
        inside.start, inside.normals = drawn("start"), drawn("normals")
        inside.plot = lambda text: self.lots.append(json.loads(text))
        self.slr = types.ModuleType("slr")
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(sys.modules, "_slr", inside)
            text = (site.HERE / "slr.py").read_text("utf-8")
            exec(compile(text, "slr.py", "exec"), self.slr.__dict__)

    def __call__(self, code):
        """Return (printed text, plots)."""
        self.lots, said = [], io.StringIO()
        with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(said):
            patch.setitem(sys.modules, "slr", self.slr)
            exec(compile(code, "<your code>", "exec"), {"__name__": "__main__"})
        return said.getvalue(), self.lots


def numbers(text: str) -> tuple[list[float], str]:
    """The numbers of a text in order, and the text with ``#`` in their places."""
    return [float(x) for x in NUMBER.findall(text)], NUMBER.sub("#", text)


def same(here, there):
    """Check that two results have the same words, and numbers equal to 1e-12."""
    (said, lots), (told, drawn) = here, there
    found, asked = numbers(said), numbers(told)
    assert found[1] == asked[1]
    np.testing.assert_allclose(found[0], asked[0], rtol=1e-12, atol=1e-12)
    for lot, other in zip(lots, drawn, strict=True):
        assert lot.keys() == other.keys()
        for key, value in lot.items():
            if key in ("xs", "ys"):
                np.testing.assert_allclose(value, other[key], rtol=1e-12, atol=1e-12)
            else:
                assert value == other[key]

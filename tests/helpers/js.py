"""V8 without a browser: run printed functions on many points, infinities and NaN included.

``Engine(runtime(), printed({"f": (fn, ["x", "y"])}))`` or ``Engine(text, more_text)``; then
``engine("f", xs, ys)`` is a float64 array of one row per point (one column per output if f
returns an array), and ``engine.value("source")`` the value of any expression.
"""

import json
import weakref

import numpy as np
from py_mini_racer import MiniRacer

_HELPERS = """
const $show = (v) => Array.isArray(v) ? v.map($show).join(" ") :
  v === true ? "1" : v === false ? "0" : Object.is(v, -0) ? "-0" : String(v);
const $table = (f, columns) => columns[0].map((_, i) => $show(f(...columns.map((c) => c[i]))))
  .join("\\n");
"""


class Engine:
    def __init__(self, *sources: str):
        self._racer = MiniRacer()
        # Closed at the latest at exit: V8 can hang if it is first closed in Python's last moments.
        weakref.finalize(self, self._racer.close)
        self._racer.eval("\n".join([*sources, _HELPERS, "0"]))

    def value(self, source: str):
        """The value of an expression: a number, a string, a truth value or None."""
        return self._racer.eval(source)

    def data(self, source: str):
        """The value of an expression, with lists and dictionaries, passed as JSON."""
        return json.loads(self.value(f"JSON.stringify({source})"))

    def numbers(self, source: str) -> np.ndarray:
        """The value of an expression that gives a number or a (nested) array of numbers, flat."""
        return np.array([float(word) for word in self._racer.eval(f"$show({source})").split()])

    def __call__(self, name: str, *columns) -> np.ndarray:
        """``name`` at each point; scalars are the same at every point."""
        columns = np.broadcast_arrays(*(np.atleast_1d(np.asarray(c, float)) for c in columns))
        # json writes infinity and NaN as JavaScript, which is not valid JSON.
        given = json.dumps([column.ravel().tolist() for column in columns])
        lines = self._racer.eval(f"$table({name}, {given})").split("\n")
        table = np.array([[float(word) for word in line.split()] for line in lines])
        return table[:, 0] if table.shape[1] == 1 else table

"""Tested Python functions printed as JavaScript, so that a page computes what the package computes.

JAX traces the function to a list of primitive operations; each becomes a node of a graph, and the
graph is printed. Scalars and one-axis arrays of fixed length (quadrature nodes) in float64 are
supported; anything else raises an error that names it.
"""

import re
from pathlib import Path
from typing import NoReturn

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend import core

from slrbook.javascript.body import Body
from slrbook.javascript.graph import Graph
from slrbook.javascript.rules import CALLS, RULES

LONGEST = 512  # values of an array
RUNTIME = Path(__file__).with_name("runtime.js")
OFFERED = ("erf", "erfc", "erfInv", "pow", "makeRandom")  # by the runtime
_RESERVED = set(
    "arguments await break case catch const continue debugger default delete do else enum eval "
    "export extends false finally function implements in instanceof interface let new null package "
    "private protected public static super switch this throw true try typeof undefined var void "
    "Math NaN Infinity Number".split()
) | set(OFFERED)


def printed(functions: dict) -> str:
    """Return ``function name(names) {...}`` for each ``{name: (fn, names)}`` with scalar arguments.

    A tuple becomes an array of its numbers in order, and nested tuples are flattened; an array of
    several values stays an array. The functions share their quadrature nodes.
    """
    arrays = {}
    lines = [_print(fn, names, name, arrays) for name, (fn, names) in functions.items()]
    declared = "".join(f"const {name}={entries};" for entries, name in arrays.items())
    return "".join(f"{line}\n" for line in (declared, *lines) if line)


def runtime() -> str:
    """Return the text of runtime.js, which the printed functions call."""
    return RUNTIME.read_text("utf-8")


def _print(fn, names, name, arrays):
    for word in (name, *names):
        if not re.fullmatch(r"[A-Za-z_]\w*", word) or word in _RESERVED:
            raise ValueError(f"names must be free in JavaScript, got {word!r}")
    with jax.enable_x64(True):  # whatever precision the notebook uses
        scalars = [jax.ShapeDtypeStruct((), jnp.float64)] * len(names)
        closed, shape = jax.make_jaxpr(fn, return_shape=True)(*scalars)
    tracer = _Tracer(name)
    inputs = [tracer.graph.node("argument", value=word) for word in names]
    outputs = tracer.run(closed.jaxpr, closed.consts, inputs)
    entries = [
        tracer.graph.elements(node, leaf.aval.size if leaf.aval.shape else 0)
        for node, leaf in zip(outputs, closed.jaxpr.outvars, strict=True)
    ]
    body = Body(tracer.graph, [node for group in entries for node in group], arrays)
    texts = [
        f"[{','.join(map(body.text, group))}]" if leaf.aval.shape else body.text(group[0])
        for group, leaf in zip(entries, closed.jaxpr.outvars, strict=True)
    ]
    alone = jax.tree.structure(shape) == jax.tree.structure(0)
    result = texts[0] if alone else f"[{','.join(texts)}]"
    return f"function {name}({','.join(names)}){{{''.join(body.lines)}return {result};}}"


class _Tracer:
    """Adds the primitive operations of one function to a graph."""

    def __init__(self, name):
        self.name, self.graph = name, Graph()

    def refuse(self, what) -> NoReturn:
        raise NotImplementedError(f"{what} has no JavaScript form (in {self.name})")

    def run(self, jaxpr, consts, inputs):
        known: dict = dict(zip(jaxpr.invars, inputs, strict=True))

        def read(variable):
            if isinstance(variable, core.Literal):
                self.check("a literal", variable.aval)
                return self.graph.constant(np.asarray(variable.val))
            return known[variable]

        for variable, value in zip(jaxpr.constvars, consts, strict=True):
            self.check("a constant", variable.aval)
            known[variable] = self.graph.constant(np.asarray(value))
        for equation in jaxpr.eqns:
            for variable in equation.outvars:
                self.check(f"the primitive {equation.primitive.name}", variable.aval)
            outputs = self.equation(equation, [read(v) for v in equation.invars])
            known.update(zip(equation.outvars, outputs, strict=True))
        return [read(variable) for variable in jaxpr.outvars]

    def check(self, what, aval):
        """Refuse all but float64, truth values and integers with at most one axis longer than 1."""
        if aval.dtype not in (np.float64, np.bool_, np.int32, np.int64):
            self.refuse(f"{what} of type {aval.dtype}")
        if sum(n != 1 for n in aval.shape) > 1 or not 0 < aval.size <= LONGEST:
            self.refuse(f"{what} of shape {aval.shape}")

    def equation(self, equation, args) -> list:
        primitive, params = equation.primitive.name, equation.params
        if primitive in CALLS:
            inner = params["jaxpr"] if "jaxpr" in params else params["call_jaxpr"]
            return self.run(getattr(inner, "jaxpr", inner), getattr(inner, "consts", ()), args)
        avals = [variable.aval for variable in equation.invars]
        result = None
        if primitive in RULES:
            result = RULES[primitive](self.graph, args, avals, equation.outvars[0].aval, params)
        if result is None:
            kinds = ", ".join(aval.str_short() for aval in avals)
            self.refuse(f"the primitive {primitive} of ({kinds})")
        return result

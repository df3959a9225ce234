"""Rules that translate the primitive operations of JAX into nodes of the graph.

A rule takes the graph, the argument nodes, their abstract values, the abstract value of the result
and the parameters, and returns the result nodes; None means that it does not cover the case. An
array has at most one axis that is longer than one, so arrays of the same size need no reshaping.
"""

import math

import numpy as np

from slrbook.javascript.body import TEMPLATES

CALLS = set(
    "jit pjit closed_call core_call custom_jvp_call custom_vjp_call checkpoint remat2".split()
)


def _same(graph, args, avals, out, params):
    return list(args)


def _direct(op):
    def rule(graph, args, avals, out, params):
        return None if out.dtype.kind == "i" else [graph.node(op, *args)]

    return rule


def _square(graph, args, avals, out, params):
    return [graph.node("mul", args[0], args[0])]


def _integer_pow(graph, args, avals, out, params):
    """Use repeated squaring, in the order of the compiled code."""
    power, base, result = abs(params["y"]), args[0], None
    while power:
        if power & 1:
            result = base if result is None else graph.node("mul", result, base)
        power >>= 1
        if power:
            base = graph.node("mul", base, base)
    one = graph.constant(1.0)
    if result is None:
        return [one]
    return [result if params["y"] > 0 else graph.node("div", one, result)]


def _select(graph, args, avals, out, params):
    if len(args) != 3 or avals[0].dtype != np.bool_:
        return None
    return [graph.node("choose", args[0], args[2], args[1])]


def _convert(graph, args, avals, out, params):
    old, new = avals[0].dtype.kind, out.dtype.kind
    if old == "f" and new == "i":
        return None
    if old == "b" and new != "b":
        return [graph.node("number", *args)]
    if old != "b" and new == "b":
        return [graph.node("truth", *args)]
    return list(args)


def _fold(op):
    def rule(graph, args, avals, out, params):
        if out.size == avals[0].size:  # only axes of length one are removed
            return list(args)
        return [graph.fold(op, args[0], avals[0].size)]

    return rule


def _dot(graph, args, avals, out, params):
    product = graph.node("mul", *args)
    summed = math.prod(avals[0].shape[axis] for axis in params["dimension_numbers"][0][0])
    return [graph.fold("sum", product, summed) if summed > 1 else product]


def _elements(graph, args, avals):
    """Return all values of all arguments, one after the other."""
    return [e for a, aval in zip(args, avals, strict=True) for e in graph.elements(a, aval.size)]


def _concatenate(graph, args, avals, out, params):
    return [graph.vector(_elements(graph, args, avals))]


def _slice(graph, args, avals, out, params):
    steps = params["strides"] or (1,) * len(params["start_indices"])
    for axis, size in enumerate(avals[0].shape):
        if size > 1:
            start, stop = params["start_indices"][axis], params["limit_indices"][axis]
            return [graph.vector(_elements(graph, args, avals)[start : stop : steps[axis]])]
    return list(args)


RULES = {op: _direct(op) for op in TEMPLATES if op not in ("number", "truth", "choose")}
RULES |= dict.fromkeys(
    "copy copy_p stop_gradient optimization_barrier reshape squeeze expand_dims broadcast_in_dim "
    "transpose".split(),
    _same,
)
RULES |= {
    "add_any": _direct("add"),
    "square": _square,
    "integer_pow": _integer_pow,
    "select_n": _select,
    "convert_element_type": _convert,
    "reduce_sum": _fold("sum"),
    "reduce_max": _fold("max_of"),
    "reduce_min": _fold("min_of"),
    "reduce_and": _fold("all"),
    "dot_general": _dot,
    "concatenate": _concatenate,
    "stack": _concatenate,
    "slice": _slice,
}

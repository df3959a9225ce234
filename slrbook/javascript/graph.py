"""A graph of expressions: equal ones are stored once, and constants are evaluated.

A node is identified by its number. It is a scalar (``size`` 0) or a vector of ``size`` values;
a scalar also stands for a vector of equal values. Arguments have smaller numbers than the node
that uses them, so the order of the numbers is an order of evaluation.
"""

import operator

import numpy as np

FOLDS = ("sum", "max_of", "min_of", "all")  # from a vector to a scalar
LEAVES = ("argument", "literal", "array")
SHORT = 8  # a fold over at most this many values is written out
KNOWN = {"add": operator.add, "sub": operator.sub, "mul": operator.mul, "neg": operator.neg}


class Graph:
    """Parallel lists of operation, arguments, value (of a leaf) and size."""

    def __init__(self):
        self.op, self.args, self.value, self.size = [], [], [], []
        self._known = {}

    def node(self, op: str, *args: int, value=None, size: int | None = None) -> int:
        """Return the number of this expression, which is added if it is new."""
        if op in KNOWN and all(self.op[a] == "literal" for a in args):
            return self.constant(KNOWN[op](*(self.value[a] for a in args)))
        if op in ("mul", "div") and self._is_one(args[1]):
            return args[0]
        if op == "mul" and self._is_one(args[0]):
            return args[1]
        if size is None:
            size = max((self.size[a] for a in args), default=0)
        identity = value.tobytes() if isinstance(value, np.ndarray) else repr(value)
        key = (op, args, identity, size)
        if key not in self._known:
            self._known[key] = len(self.op)
            for column, entry in zip(
                (self.op, self.args, self.value, self.size), (op, args, value, size), strict=True
            ):
                column.append(entry)
        return self._known[key]

    def _is_one(self, node):
        return self.op[node] == "literal" and self.value[node] == 1

    def constant(self, value) -> int:
        value = np.asarray(value).ravel()
        if value.size == 1:
            item = value[0].item()
            return self.node("literal", value=item if isinstance(item, bool) else float(item))
        return self.node("array", value=value, size=value.size)

    def vector(self, elements) -> int:
        """Return a vector of scalar nodes; a constant array if each of them is a literal."""
        if len(elements) == 1:
            return elements[0]
        if all(self.op[e] == "literal" for e in elements):
            return self.constant([self.value[e] for e in elements])
        return self.node("list", *elements, size=len(elements))

    def element(self, node: int, k: int) -> int:
        """Return value k of a vector as a scalar node."""
        if not self.size[node]:
            return node
        if self.op[node] == "array":
            return self.constant(self.value[node][k])
        if self.op[node] == "list":
            return self.args[node][k]
        return self.node(self.op[node], *(self.element(a, k) for a in self.args[node]))

    def elements(self, node: int, size: int) -> list[int]:
        return [self.element(node, k) for k in range(max(size, 1))]

    def fold(self, op: str, node: int, size: int) -> int:
        """Return the sum, maximum, minimum or conjunction of the ``size`` values of a vector."""
        if not self.size[node]:  # all values are equal
            return self.node("mul", self.constant(float(size)), node) if op == "sum" else node
        if size > SHORT:
            return self.node(op, node, size=0)
        step = {"sum": "add", "max_of": "max", "min_of": "min", "all": "and"}[op]
        first, *rest = self.elements(node, size)
        for other in rest:
            first = self.node(step, first, other)
        return first

    def reachable(self, nodes, keep=lambda node: True) -> list[int]:
        """Return these nodes and all that they need, in order; stop where ``keep`` is false."""
        found, todo = set(), list(nodes)
        while todo:
            node = todo.pop()
            if node not in found and keep(node):
                found.add(node)
                todo.extend(self.args[node])
        return sorted(found)

"""A graph of expressions as the text of a JavaScript function.

An expression that is used once is written where it is used; one that is used again, or inside a
loop, gets a name. Sums over quadrature nodes become loops, and sums that can run together share one
loop. All names made here begin with $, which no Python name does.
"""

import math
import re
from collections import Counter

from slrbook.javascript.graph import FOLDS, LEAVES, Graph

TEMPLATES = {
    **{"add": "{}+{}", "sub": "{}-{}", "mul": "{}*{}", "div": "{}/{}", "rem": "{}%{}"},
    **{"lt": "{}<{}", "le": "{}<={}", "gt": "{}>{}", "ge": "{}>={}"},
    **{"eq": "{}==={}", "ne": "{}!=={}", "xor": "{}!=={}", "and": "{}&&{}", "or": "{}||{}"},
    **{"neg": "-{}", "not": "!{}", "number": "+{}", "truth": "{}!==0", "choose": "{}?{}:{}"},
    **{"logistic": "1/(1+Math.exp(-{}))", "rsqrt": "1/Math.sqrt({})", "exp2": "2**{}"},
    **{"is_finite": "Number.isFinite({})", "max": "Math.max({},{})", "min": "Math.min({},{})"},
    **{"atan2": "Math.atan2({},{})", "pow": "pow({},{})"},
    **{"erf": "erf({})", "erfc": "erfc({})", "erf_inv": "erfInv({})"},
}
TEMPLATES |= {
    name: f"Math.{name}({{}})"
    for name in "exp expm1 log log1p sqrt cbrt abs sign floor ceil sin cos tan asin acos atan "
    "sinh cosh tanh asinh acosh atanh".split()
}
STARTS = {"sum": "0", "max_of": "-Infinity", "min_of": "Infinity", "all": "true"}
STEPS = {"sum": "{0}+={1};", "max_of": "{0}=Math.max({0},{1});", "min_of": "{0}=Math.min({0},{1});"}
STEPS["all"] = "if(!({1})){0}=false;"
RANK = {"mul": 2, "div": 2, "rem": 2, "add": 1, "sub": 1}  # operator precedence; others 9
RANK |= dict.fromkeys("lt le gt ge eq ne xor and or truth choose".split(), 0)
CALL = re.compile(r"[\w.]+\([{},]*\)")  # arguments of a call need no parentheses
ATOM = re.compile(r"[\w$.]+(\[\$i\])?|\(-[^()]*\)")
DIGITS = "0123456789abcdefghjklmnopqrstuvwxyzBCDEFGHIJKLMOPQRSTUVWXYZ"
DEEPEST = 10  # a deeper expression gets a name, so that lines stay readable


def literal(value) -> str:
    """Return a number or truth value as text that JavaScript parses to the same bits."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if math.isnan(value):
        return "NaN"
    text = "Infinity" if math.isinf(value) else repr(abs(value)).removesuffix(".0")
    return f"(-{text})" if math.copysign(1.0, value) < 0 else text


def short_name(number: int) -> str:
    """Return 0 to 9, a to z, B to Z, 10, ... by number, without i, A and N, which are reserved."""
    more, last = divmod(number, len(DIGITS))
    return (short_name(more) if more else "") + DIGITS[last]


class Body:
    """The lines of one function. ``arrays`` maps the text of each constant array to its name."""

    def __init__(self, graph: Graph, outputs: list[int], arrays: dict[str, str]):
        self.graph, self.arrays, self.lines, self.count = graph, arrays, [], 0
        self.names, self.depth, self.uses = {}, {}, Counter(outputs)
        scalars, after = [], {}  # after: how many loops must have run before a node
        for node in graph.reachable(outputs):
            args = graph.args[node]
            after[node] = max((after[a] for a in args), default=0) + (graph.op[node] in FOLDS)
            for a in args:  # a scalar used in a loop is computed before it
                self.uses[a] += 2 if graph.size[node] and not graph.size[a] else 1
            if not graph.size[node]:
                scalars.append(node)
        for stage in range(max(after.values(), default=0) + 1):
            here = [node for node in scalars if after[node] == stage]
            folds = [node for node in here if graph.op[node] in FOLDS]
            for size in dict.fromkeys(self.length(node) for node in folds):
                self.loop(size, [node for node in folds if self.length(node) == size])
            self.lines += [self.line(node) for node in here if graph.op[node] not in FOLDS]

    def length(self, fold):
        return self.graph.size[self.graph.args[fold][0]]

    def loop(self, size, folds):
        """Write all these folds as one loop."""
        graph = self.graph
        inner = graph.reachable([graph.args[f][0] for f in folds], keep=lambda n: graph.size[n])
        for node in inner:
            if graph.op[node] == "list":
                entries = ",".join(self.text(a) for a in graph.args[node])
                self.lines.append(f"const {self.name(node)}=[{entries}];")
                self.names[node] += "[$i]"
        starts = ",".join(f"{self.name(f)}={STARTS[graph.op[f]]}" for f in folds)
        body = [self.line(node) for node in inner]
        body += [
            STEPS[graph.op[f]].format(self.name(f), self.text(graph.args[f][0])) for f in folds
        ]
        self.lines.append(f"let {starts};for(let $i=0;$i<{size};$i++){{{''.join(body)}}}")
        for node in inner:  # these names are local to the loop
            self.names.pop(node, None)

    def name(self, node) -> str:
        if node not in self.names:
            self.names[node] = f"${short_name(self.count)}"
            self.count += 1
        return self.names[node]

    def line(self, node) -> str:
        """Return the line that names a node; empty if the node is written where it is used."""
        if self.graph.op[node] in LEAVES or node in self.names:
            return ""
        depth = 1 + max((self.depth.get(a, 0) for a in self.graph.args[node]), default=0)
        if self.uses[node] < 2 and depth <= DEEPEST:
            self.depth[node] = depth
            return ""
        text = self.expression(node)
        return f"const {self.name(node)}={text};"

    def text(self, node) -> str:
        op, value = self.graph.op[node], self.graph.value[node]
        if node in self.names:
            return self.names[node]
        if op == "argument":
            return value
        if op == "literal":
            return literal(value)
        if op == "array":
            entries = ",".join(literal(v.item()).strip("()") for v in value)
            name = self.arrays.setdefault(f"[{entries}]", f"$A{len(self.arrays)}")
            return f"{name}[$i]"
        return self.expression(node)

    def expression(self, node) -> str:
        op, args = self.graph.op[node], self.graph.args[node]
        template = TEMPLATES[op]
        parts = [self.text(a) for a in args]
        if not CALL.fullmatch(template):
            parts = [
                part if ATOM.fullmatch(part) or self.binds(a, op, place) else f"({part})"
                for place, (a, part) in enumerate(zip(args, parts, strict=True))
            ]
        return template.format(*parts)

    def binds(self, node, parent, place) -> bool:
        """Return whether an expression needs no parentheses as argument ``place`` of its parent."""
        op = self.graph.op[node]
        if CALL.fullmatch(TEMPLATES.get(op, "")):
            return True
        rank, around = RANK.get(op, 0), RANK.get(parent, 9)
        return rank > around or (rank == around > 0 and place == 0)

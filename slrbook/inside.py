"""What runs inside the kernel of a chapter, before, beside and after its own cells.

It counts the programs that JAX compiles, and says of a claim that failed what was found. Each
answer is one line of JSON on the standard output.
"""

import ast
import json
import linecache
import re
import resource
import sys
import traceback
from pathlib import Path
from typing import Any

import jax.monitoring

_LONGEST = 60  # letters of a value that is shown
_compiled: list[float] = []  # seconds of each compilation


def _listen(event: str, duration_secs: float, **_: Any) -> None:
    if event.endswith("backend_compile_duration"):
        _compiled.append(duration_secs)


def begin() -> None:
    """Count compiled programs from now on."""
    jax.monitoring.register_event_duration_secs_listener(_listen)


def end() -> None:
    """Say what the chapter has cost so far."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    figures = {
        "cpu": used.ru_utime + used.ru_stime,
        "programs": len(_compiled),
        "compiling": sum(_compiled),
        "memory": _peak(used) / 1e9,
    }
    print(json.dumps(figures))


def _peak(used: resource.struct_rusage) -> int:
    """Bytes at most in memory. On Linux ``ru_maxrss`` begins with what the parent process held."""
    status = Path("/proc/self/status")
    if status.exists() and (own := re.search(r"VmHWM:\s+(\d+) kB", status.read_text("utf-8"))):
        return int(own[1]) * 1024
    return used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def explain() -> None:
    """Say what the last error is: of an assertion, what it expected and what its parts were."""
    error = sys.last_value
    assert error is not None  # it is asked for after an error
    name = f"{type(error).__name__}: {error}".splitlines()[0].rstrip(": ")
    answer = {"assertion": isinstance(error, AssertionError), "expected": "", "found": name}
    for frame, line in reversed(list(traceback.walk_tb(error.__traceback__))):
        if "ipykernel" in frame.f_code.co_filename:  # a cell, not a library
            source = "".join(linecache.getlines(frame.f_code.co_filename))
            answer["expected"], parts = _claim(source, line)
            if parts:
                scope = {**frame.f_globals, **frame.f_locals}
                answer["found"] = ", ".join(f"{part} = {_value(part, scope)}" for part in parts)
            break
    print(json.dumps(answer))


def _claim(source: str, line: int) -> tuple[str, list[str]]:
    """The claim of the ``assert`` on this line and the parts to look at; else the line itself."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Assert) and node.lineno <= line <= (node.end_lineno or line):
            return ast.unparse(node.test), _parts(node.test)
    return source.splitlines()[line - 1].strip(), []


def _parts(test: ast.expr) -> list[str]:
    """What is compared in a claim, constants aside."""
    if isinstance(test, ast.BoolOp):
        found = [part for value in test.values for part in _parts(value)]
    elif isinstance(test, ast.UnaryOp):
        found = _parts(test.operand)
    elif isinstance(test, ast.Compare):
        sides = [test.left, *test.comparators]
        found = [ast.unparse(side) for side in sides if not _is_constant(side)]
    else:
        found = [ast.unparse(test)]
    return list(dict.fromkeys(found))


def _is_constant(node: ast.expr) -> bool:
    return not any(isinstance(part, ast.Name) for part in ast.walk(node))


def _value(part: str, scope: dict) -> str:
    try:
        value = eval(part, scope)  # the chapter's own words, once more
    except Exception as error:
        return type(error).__name__
    if getattr(value, "ndim", None) == 0:
        value = value.item()
    text = f"{value:.4g}" if isinstance(value, float) else " ".join(repr(value).split())
    return text if len(text) <= _LONGEST else text[:_LONGEST] + " ..."

"""`make mutants`: do the tests notice a small fault in slrlib?

Faults are made one at a time in a copy of the tree: an operator changed, a number raised by one, a
sign lost, two arguments swapped. Each is killed by the tests of its package or survives; the table
lists the survivors with their line, so that a reader can say why, or write the missing test.

    python tests/mutants.py [--each 6] [--seed 0] [package ...]
"""

import argparse
import ast
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
TESTS = {"task.py": "tests/house/test_task.py"}  # else the folder of the same name
PACKAGES = (
    "special",
    "overlaps",
    "risk",
    "dynamics",
    "landscape",
    "heads",
    "predictors",
    "task.py",
)
OPERATORS = {ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*")}
COMPARISONS = {ast.Lt: ("<", ">"), ast.Gt: (">", "<"), ast.Eq: ("==", "!=")}


class Mutant(NamedTuple):
    """Put ``new`` in place of the characters ``start:end`` of ``file``."""

    file: Path
    start: int
    end: int
    new: str
    line: int


def mutants_of(file: Path) -> list[Mutant]:
    """Every fault that can be made in ``file``; annotations, messages and decorators are left."""
    text = file.read_text("utf-8")
    first = [0]
    for line in text.splitlines(keepends=True):
        first.append(first[-1] + len(line.encode()))
    raw, found = text.encode(), []

    def at(line, column):
        return first[line - 1] + column

    def add(node, start, end, new):
        found.append(Mutant(file, start, end, new, node.lineno))

    def operator(node, left, right, old, new):
        start, end = at(left.end_lineno, left.end_col_offset), at(right.lineno, right.col_offset)
        where = raw.find(old.encode(), start, end)
        if where >= 0:
            add(node, where, where + len(old), new)

    def visit(node):
        if isinstance(node, ast.Raise | ast.Assert | ast.JoinedStr | ast.Import | ast.ImportFrom):
            return
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            operator(node, node.left, node.right, *OPERATORS[type(node.op)])
        elif isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARISONS:
            operator(node, node.left, node.comparators[0], *COMPARISONS[type(node.ops[0])])
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            start = at(node.lineno, node.col_offset)
            add(node, start, start + 1, "")
        elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
            ends = at(node.lineno, node.col_offset), at(node.end_lineno, node.end_col_offset)
            add(node, *ends, repr(node.value + 1))
        elif isinstance(node, ast.Call) and len(node.args) > 1:
            one, two = node.args[:2]
            if isinstance(one, ast.Name) and isinstance(two, ast.Name) and one.id != two.id:
                ends = at(one.lineno, one.col_offset), at(two.end_lineno, two.end_col_offset)
                add(node, *ends, f"{two.id}, {one.id}")
        for name, value in ast.iter_fields(node):
            if name not in ("annotation", "returns", "decorator_list"):
                for child in value if isinstance(value, list) else [value]:
                    if isinstance(child, ast.AST):
                        visit(child)

    visit(ast.parse(text))
    return found


def names_of(statement: ast.stmt) -> set[str]:
    """What a statement of a module defines: a function, a class or names by ``=``."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return {statement.name}
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return {
        name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)
    }


def touched(mutant: Mutant) -> tuple[str, ...]:
    """The names of the module that the fault can change: its own, then those that use these."""
    body = ast.parse(mutant.file.read_text("utf-8")).body
    home = max((one for one in body if one.lineno <= mutant.line), key=lambda one: one.lineno)
    names = sorted(names_of(home))
    for name in names:  # grows as it goes
        for one in body:
            if any(isinstance(use, ast.Name) and use.id == name for use in ast.walk(one)):
                names += sorted(names_of(one) - set(names))
    return tuple(names)


def in_order(copy: Path, names: tuple[str, ...], tests: str) -> tuple[list[str], list[str]]:
    """The tests that say one of these names, at most twelve, the shortest first; and all others.

    The first failure ends a run, so a fault that is noticed is mostly noticed soon.
    """
    said = re.compile(r"\b(" + "|".join(map(re.escape, names or ["$"])) + r")\b")
    place, say, others = copy / tests, [], []
    for file in [place] if place.is_file() else sorted(place.glob("test_*.py")):
        text = file.read_text("utf-8")
        for one in ast.parse(text).body:
            if isinstance(one, ast.FunctionDef) and one.name.startswith("test_"):
                body = ast.get_source_segment(text, one) or ""
                found = len(body), f"{file.relative_to(copy)}::{one.name}"
                (say if said.search(body) else others).append(found)
    say.sort()
    return [name for _, name in say[:12]], [name for _, name in sorted(say[12:] + others)]


def killer(copy: Path, tests: list[str]) -> str | None:
    """The first of these tests that fails in the copy, or None."""
    flags = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not browser"]
    env = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", *flags, *tests]
    try:
        run = subprocess.run(command, cwd=copy, env=env, capture_output=True, timeout=1800)
    except subprocess.TimeoutExpired:
        return "the clock"
    said = run.stdout.decode() + run.stderr.decode()
    if "not found: " in said:
        raise SystemExit(said)
    failed = re.search(r"^(?:FAILED|ERROR) ([^\s\[]+)", said, re.M)
    quiet = run.returncode in (0, 5)  # 5: only tests with a browser say it
    return None if quiet else failed[1] if failed else "the import"


def killed_by(copy: Path, mutant: Mutant, tests: str, known: dict) -> str | None:
    """Which test notices this fault in the copy; ``known`` are those that noticed one before."""
    names, raw = touched(mutant), mutant.file.read_bytes()
    near, others = in_order(copy, names, tests)
    before = known.setdefault((mutant.file, names), [])
    soon = list(dict.fromkeys(before + near))
    rest = [test for test in others if test not in soon]
    mutant.file.write_bytes(raw[: mutant.start] + mutant.new.encode() + raw[mutant.end :])
    try:
        found = next(filter(None, (killer(copy, those) for those in (soon, rest) if those)), None)
    finally:
        mutant.file.write_bytes(raw)
    if found and "::" in found:
        before.insert(0, found)
    return found


def described(copy: Path, mutant: Mutant) -> str:
    old = mutant.file.read_bytes()[mutant.start : mutant.end].decode()
    return f"{mutant.file.relative_to(copy)}:{mutant.line} {old!r} -> {mutant.new!r}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("packages", nargs="*", default=PACKAGES, help="such as risk or task.py")
    parser.add_argument("--each", type=int, default=6, help="faults a package")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    killed, made, known = 0, 0, {}
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        left = shutil.ignore_patterns("_build", ".*", "__pycache__")
        shutil.copytree(ROOT, copy, ignore=left)
        for package in given.packages:
            place = copy / "slrlib" / package
            files = [place] if place.is_file() else sorted(place.rglob("*.py"))
            every = [mutant for file in files for mutant in mutants_of(file)]
            some = random.Random(given.seed).sample(every, min(given.each, len(every)))
            whole = TESTS.get(package, f"tests/{package}")
            before = killed - made
            for mutant in some:
                found = killed_by(copy, mutant, whole, known)
                made, killed = made + 1, killed + bool(found)
                print(
                    f"killed by {found}" if found else "SURVIVED",
                    described(copy, mutant),
                    flush=True,
                )
            # With a survivor the tests pass in the copy; else they are asked.
            if killed - made == before and (failed := killer(copy, [whole])):
                sys.exit(f"{failed} fails without any fault")
    print(f"{killed} of {made} killed")
    return killed < 0.9 * made


if __name__ == "__main__":
    sys.exit(main())

"""`make anywhere`: the same book under other instruction sets and numbers of threads.

XLA compiles for the processor that it finds; the flag makes it compile for another one, whose
rounding differs. Every chapter runs under each, and the numbers that its prose quotes are compared
with those of this processor on one thread; then the tests run under each instruction set.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from slrbook import chapters
from slrbook.execute import Outcome, run_all
from slrbook.progress import Progress

SETS = ("", "AVX2", "SSE4_2")  # "": what this processor has
THREADS = (1, 2)
SMALL = 1e-12  # below it a number is a rounding error, or a risk that only its logarithm compares


def flags(isa: str) -> str:
    """XLA_FLAGS for this instruction set, beside those that are there."""
    there = os.environ.get("XLA_FLAGS", "")
    return f"{there} --xla_cpu_max_isa={isa}".strip() if isa else there


def gap(one: dict[str, str], other: dict[str, str]) -> tuple[float, str]:
    """The largest relative gap between numbers of the same name, and that name."""
    names = one.keys() | other.keys()
    worst = max(((_apart(one.get(name), other.get(name)), name) for name in names), default=(0, ""))
    return worst if worst[0] > 0 else (0.0, "")


def _apart(a: str | None, b: str | None) -> float:
    try:
        x, y = float(a or ""), float(b or "")
    except ValueError:  # a text, or a number that is not always there
        return 0.0 if a == b else float("inf")
    if x == y or max(abs(x), abs(y)) < SMALL:
        return 0.0
    return abs(x - y) / max(abs(x), abs(y))


def executed(root: Path, pages: list[str], isa: str, threads: int) -> list[Outcome]:
    """The chapters under one instruction set, with nothing compiled before."""
    print(f"== {isa or 'this processor'}, {threads} thread{'s' * (threads > 1)}", flush=True)
    with tempfile.TemporaryDirectory() as nothing:
        more = {"XLA_FLAGS": flags(isa), "JAX_COMPILATION_CACHE_DIR": nothing}
        return run_all(root, pages, Progress(len(pages)), threads=threads, more=more)


def tested(root: Path, isa: str) -> int:
    """The tests that need no browser, under one instruction set; the exit status of pytest."""
    command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "loadfile", "tests"]
    command += ["-m", "not browser", "-k", "not browser"]
    return subprocess.run(command, cwd=root, env={**os.environ, "XLA_FLAGS": flags(isa)}).returncode


def main() -> int:
    root, wanted = Path.cwd(), sys.argv[1:]
    pages = [p for p in chapters.notebooks(root) if not wanted or Path(p).name in wanted]
    found = {(i, n): executed(root, pages, i, n) for i in SETS for n in THREADS}
    first = {
        outcome.page: chapters.glued(outcome.notebook) for outcome in found[SETS[0], THREADS[0]]
    }
    heads = [f"{isa or 'own'}, {threads}" for isa, threads in found]
    print("\nLargest relative gap to the first column, by instruction set and threads")
    print(f"{'chapter':20s}" + "".join(f"{head:>12s}" for head in heads) + "  largest in")
    for i, page in enumerate(pages):
        gaps = [gap(first[page], chapters.glued(each[i].notebook)) for each in found.values()]
        cells = "".join(f"{value:12.1e}" for value, _ in gaps)
        print(f"{Path(page).name:20s}{cells}  {max(gaps)[1]}")
    failures = {(isa, str(f)) for (isa, _), each in found.items() for o in each for f in o.failures}
    for isa, failure in sorted(failures):
        print(f"FAILED under {isa or 'this processor'}: {failure}")
    broken = [] if wanted else [isa for isa in SETS[1:] if tested(root, isa)]
    for isa in broken:
        print(f"FAILED under {isa}: the tests")
    return bool(failures or broken)


if __name__ == "__main__":
    sys.exit(main())

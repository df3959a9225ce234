"""Run the book and its tests under other instruction sets: ``make anywhere``.

XLA compiles for the processor that it finds; a flag makes it compile for an older one, whose
rounding differs. Each chapter runs under each instruction set, with one thread and with two, and
the numbers that its prose quotes are compared with those of this processor on one thread. Then
the tests run under the other instruction sets. Names of chapters restrict the comparison to them.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from nbformat import NotebookNode

from slrbook import chapters
from slrbook.execute import run

SETS = ("", "AVX2", "SSE4_2")  # "": what this processor has
THREADS = (1, 2)
SMALL = 1e-12  # a number below is a rounding error, or a risk that is compared by its logarithm


def flags(isa: str) -> str:
    """Return XLA_FLAGS with this instruction set added."""
    given = os.environ.get("XLA_FLAGS", "")
    return f"{given} --xla_cpu_max_isa={isa}".strip() if isa else given


def difference(a: str | None, b: str | None) -> float:
    """Return the relative difference of two numbers; infinity if two texts differ."""
    try:
        x, y = float(a or ""), float(b or "")
    except ValueError:
        return 0.0 if a == b else float("inf")
    size = max(abs(x), abs(y))
    return 0.0 if x == y or size < SMALL else abs(x - y) / size


def largest_difference(one: dict[str, str], other: dict[str, str]) -> tuple[float, str]:
    """Return the largest relative difference of numbers of the same name, and that name."""
    gaps = [(difference(one.get(name), other.get(name)), name) for name in one | other]
    return max((gap for gap in gaps if gap[0]), default=(0.0, ""))


def glued(notebook: NotebookNode) -> dict[str, str]:
    """The numbers that the prose quotes, by name, as they were glued."""
    found = {}
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            name = output.get("metadata", {}).get("scrapbook", {}).get("name")
            if name:
                texts = [text for kind, text in output["data"].items() if kind.endswith("plain")]
                found[name] = texts[0] if texts else ""
    return found


def executed(root: Path, pages: list[str], isa: str, threads: int) -> tuple[bool, list[dict]]:
    """Run the chapters under one instruction set, without programs compiled before.

    Return whether all held, and the numbers of the prose of each.
    """
    print(f"== {isa or 'this processor'}, {threads} thread{'s' * (threads > 1)}", flush=True)
    with tempfile.TemporaryDirectory() as empty:
        more = {"XLA_FLAGS": flags(isa), "JAX_COMPILATION_CACHE_DIR": empty}
        held = run(root, pages, threads, **more)
    return held, [glued(chapters.read(chapters.kept(root), page)) for page in pages]


def tests_fail(root: Path, isa: str) -> bool:
    """Run the tests that need no browser under one instruction set."""
    command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "loadfile", "tests"]
    command += ["-p", "no:nbval", "-m", "not browser", "-k", "not browser"]
    env = {**os.environ, "XLA_FLAGS": flags(isa)}
    return subprocess.run(command, cwd=root, env=env).returncode != 0


def main() -> int:
    root, wanted = Path.cwd(), sys.argv[1:]
    pages = [p for p in chapters.notebooks(root) if not wanted or Path(p).name in wanted]
    found = {(i, n): executed(root, pages, i, n) for i in SETS for n in THREADS}
    numbers = {key: each for key, (_, each) in found.items()}
    heads = [f"{isa or 'own'}, {threads}" for isa, threads in found]
    print("\nLargest relative difference from the first column, by instruction set and threads")
    print(f"{'chapter':24s}{''.join(f'{head:>12s}' for head in heads)}  largest in")
    for i, page in enumerate(pages):
        gaps = [largest_difference(numbers["", 1][i], each[i]) for each in numbers.values()]
        print(f"{Path(page).name:24s}{''.join(f'{gap:12.1e}' for gap, _ in gaps)}  {max(gaps)[1]}")
    failed = {isa: "a chapter" for (isa, _), (held, _) in found.items() if not held}
    failed |= {isa: "the tests" for isa in SETS[1:] if not wanted and tests_fail(root, isa)}
    for isa, what in failed.items():
        print(f"FAILED under {isa or 'this processor'}: {what}")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())

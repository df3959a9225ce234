"""Run the chapters with nbclient, several at a time, each in a kernel of its own.

A cell that fails does not stop its chapter, and a chapter does not stop the others: each failure
is in the ``Outcome``, and the page shows the error below the cell.
"""

import ast
import asyncio
import os
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
import psutil
from nbclient import NotebookClient
from tqdm import tqdm

from slrbook import chapters
from slrbook.processor import FAST_XLA_FLAGS
from slrlib.store import cores

MEMORY = 2e9  # bytes that a chapter may need
COLOR = re.compile(r"\x1b\[[\d;]*m")
LINE = re.compile(r"^-+> *(\d+) ", re.M)  # where IPython marks the line of an error


@dataclass
class Failure:
    """A cell that raised an error: the statement, most often an assertion, and the error."""

    chapter: str
    section: str
    claim: str
    error: str
    later: int = 0  # later cells that failed too, most often because of this one

    def __str__(self):
        claim = f"{self.claim}: " if self.claim else ""
        later = f" (and {self.later} later cells)" if self.later else ""
        return f"{self.chapter}, section “{self.section}”: {claim}{self.error}{later}"


@dataclass
class Outcome:
    """An executed notebook, its failures and the seconds that it took."""

    page: str
    notebook: nbformat.NotebookNode
    failures: list[Failure] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def name(self) -> str:
        return Path(self.page).name


def side_by_side(wanted: int, waiting: int = 0) -> int:
    """How many processes to run at a time: as many as there are cores, and memory for.

    Tests often wait for a browser or a kernel: ``waiting`` is the number of processes beyond the
    number of cores.
    """
    room = int(psutil.virtual_memory().total // MEMORY)
    return max(1, min(wanted, cores() + waiting, room))


def environment(threads: int, **more: str) -> dict[str, str]:
    """The variables of a kernel that may use this many threads."""
    names = ("NPROC", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    found = {**os.environ, **dict.fromkeys(names, str(threads)), **more}
    return {**found, "XLA_FLAGS": f"{FAST_XLA_FLAGS} {found.get('XLA_FLAGS', '')}".strip()}


def kept(root: Path) -> Path:
    """The folder of the notebooks with their outputs, from which the site is written."""
    return root / "_build" / "executed"


def keep(root: Path, page: str, notebook: nbformat.NotebookNode) -> None:
    """Write an executed notebook."""
    file = kept(root) / f"{page}.ipynb"
    file.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, file)


def longest_first(root: Path, pages: list[str]) -> list[str]:
    """``pages`` with the longest code first, which mostly runs longest."""

    def weight(page: str) -> int:
        cells = chapters.read(root, page).cells
        return sum(len(cell.source) for cell in cells if cell.cell_type == "code")

    return sorted(pages, key=weight, reverse=True)


async def run(root: Path, page: str, env: dict[str, str]) -> Outcome:
    """Execute one chapter."""
    notebook = chapters.ready(root, page)
    outcome = Outcome(page, notebook)
    client = NotebookClient(
        notebook,
        timeout=None,  # a slow machine is no error
        kernel_name="python3",
        allow_errors=True,
        record_timing=False,
        resources={"metadata": {"path": str((root / page).parent)}},
    )
    begun, cells = time.monotonic(), chapters.code_cells(notebook)
    if not cells:
        return outcome
    at = 0
    try:
        async with client.async_setup_kernel(env=env):
            for at in cells:
                cell = notebook.cells[at]
                await client.async_execute_cell(cell, at)
                for output in cell.outputs:
                    if output.output_type == "error":
                        _note(outcome, at, output)
    except Exception as error:  # a kernel that dies costs the reader no other chapter
        words = str(error).splitlines()[0] if str(error) else type(error).__name__
        where = chapters.section_of(notebook, at)
        outcome.failures.append(Failure(outcome.name, where, "the kernel stopped", words))
    outcome.seconds = time.monotonic() - begun
    return outcome


def _note(outcome: Outcome, at: int, error: nbformat.NotebookNode) -> None:
    """Add a cell that failed; other errors than assertions are counted with the one before."""
    if outcome.failures and error.ename != "AssertionError":
        outcome.failures[-1].later += 1
        return
    section = chapters.section_of(outcome.notebook, at)
    words = f"{error.ename}: {error.evalue}".splitlines()[0].rstrip(": ")
    claim = statement(outcome.notebook.cells[at].source, "\n".join(error.traceback))
    outcome.failures.append(Failure(outcome.name, section, claim, words))


def statement(source: str, traceback: str) -> str:
    """The innermost statement of a cell that a traceback of IPython names, on one line."""
    found = LINE.search(COLOR.sub("", traceback))
    if not found:
        return ""
    line = int(found[1])
    holding = [
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or line)
    ]
    innermost = min(holding, key=lambda node: (node.end_lineno or line) - node.lineno)
    return ast.unparse(innermost).splitlines()[0]


async def _all(root: Path, pages: list[str], at_once: int, env: dict[str, str]) -> list[Outcome]:
    seats = asyncio.Semaphore(at_once)
    with tqdm(total=len(pages), unit="chapter") as bar:

        async def one(page: str) -> Outcome:
            async with seats:
                outcome = await run(root, page, env)
            failed = f", {len(outcome.failures)} failed" if outcome.failures else ""
            count = len(chapters.code_cells(outcome.notebook))
            bar.write(f"{outcome.name}: {count} cells in {outcome.seconds:.0f} s{failed}")
            bar.update()
            return outcome

        return await asyncio.gather(*map(one, pages))


def run_all(
    root: Path, pages: list[str], *, threads: int = 0, more: Mapping[str, str] | None = None
) -> list[Outcome]:
    """Execute ``pages``, begun in this order; with ``threads`` 0 they share the cores.

    ``more`` are further variables of their environment.
    """
    at_once = side_by_side(len(pages))
    env = environment(threads or max(1, cores() // at_once), **(more or {}))
    return asyncio.run(_all(root, pages, at_once, env))

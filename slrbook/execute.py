"""Running the chapters, several side by side, each in a kernel of its own.

A cell that fails does not stop its chapter, and a chapter does not stop the others: what failed is
told in the ``Outcome``, and the page shows the error where it stands.
"""

import asyncio
import json
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from slrbook import chapters, forked
from slrlib.store import cores

MEMORY = 2e9  # bytes that a chapter may need
INSIDE = "from slrbook import inside as _inside; _inside."


@dataclass
class Failure:
    """A cell that did not hold what it claims."""

    chapter: str
    section: str
    expected: str
    found: str
    later: int = 0  # cells after it that failed too, most often because of it

    def __str__(self):
        expected = f"expected {self.expected}; " if self.expected else ""
        later = f" (and {self.later} later cells)" if self.later else ""
        return f"{self.chapter}, section “{self.section}”: {expected}found {self.found}{later}"


@dataclass
class Outcome:
    """An executed notebook, what failed in it, and what it cost."""

    page: str
    notebook: nbformat.NotebookNode
    failures: list[Failure] = field(default_factory=list)
    cost: dict[str, float] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return Path(self.page).name


def side_by_side(wanted: int, waiting: int = 0) -> int:
    """How many to run at a time: as many as there are cores, and memory for.

    Tests often wait for a browser or a kernel: ``waiting`` more than cores keep these busy.
    """
    try:
        room = int(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // MEMORY)
    except (AttributeError, ValueError, OSError):  # a system that does not tell
        room = wanted
    return max(1, min(wanted, cores() + waiting, room))


def environment(threads: int, **more: str) -> dict[str, str]:
    """The variables of a kernel that may use this many threads."""
    names = ("NPROC", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    return {**os.environ, **dict.fromkeys(names, str(threads)), **more}


async def _ask(client: NotebookClient, call: str) -> dict:
    """The answer of a function of ``inside``, which leaves no trace in the notebook."""
    cell, first = nbformat.v4.new_code_cell(INSIDE + call), client.nb.cells[0]
    await client.async_execute_cell(cell, 0, store_history=False)
    client.nb.cells[0] = first  # nbclient has put ours there
    said = [o.text for o in cell.outputs if o.output_type == "stream" and o.name == "stdout"]
    return json.loads("".join(said).strip() or "{}")


async def run(root: Path, page: str, env: dict[str, str], watch) -> Outcome:
    """Execute one chapter; ``watch(where)`` hears before each cell where it stands."""
    notebook = chapters.ready(root, page)
    outcome = Outcome(page, notebook)
    folder = str((root / page).parent)
    client = NotebookClient(
        notebook,
        timeout=None,  # a slow machine is no error
        kernel_name="python3",
        allow_errors=True,
        resources={"metadata": {"path": folder}},
    )
    begun, cells = time.monotonic(), chapters.code_cells(notebook)
    if not cells:
        return outcome
    cell = None
    try:
        async with client.async_setup_kernel(env=env):
            await _ask(client, "begin()")
            for count, cell in enumerate(cells, 1):
                watch(f"cell {count} of {len(cells)}")
                await client.async_execute_cell(notebook.cells[cell], cell)
                if any(o.output_type == "error" for o in notebook.cells[cell].outputs):
                    _note(outcome, cell, await _ask(client, "explain()"))
            outcome.cost = await _ask(client, "end()")
            client.set_widgets_metadata()
    except Exception as error:  # whatever becomes of one kernel, the reader gets the other chapters
        words = str(error).splitlines()[0] if str(error) else type(error).__name__
        at = 0 if cell is None else cell
        where = chapters.section_of(notebook, at)
        outcome.failures.append(Failure(outcome.name, where, "the kernel to go on", words))
    outcome.cost["wall"] = time.monotonic() - begun
    return outcome


def _note(outcome: Outcome, cell: int, told: dict) -> None:
    """Add a failing cell; errors that follow another are counted with it, claims are not."""
    if outcome.failures and not told.get("assertion"):
        outcome.failures[-1].later += 1
        return
    section = chapters.section_of(outcome.notebook, cell)
    expected, found = told.get("expected", ""), told.get("found", "an error")
    outcome.failures.append(Failure(outcome.name, section, expected, found))


async def _all(root, pages, at_once, env, progress) -> list[Outcome]:
    seats = asyncio.Semaphore(at_once)

    async def one(page):
        name = Path(page).name
        async with seats:
            outcome = await run(root, page, env, lambda where: progress.at(name, where))
        failed = f", {len(outcome.failures)} failed" if outcome.failures else ""
        count = len(chapters.code_cells(outcome.notebook))
        progress.end(name, f"{count} cells in {outcome.cost.get('wall', 0):.0f} s{failed}")
        return outcome

    async def tick():
        while True:
            await asyncio.sleep(1)
            progress.tick()

    ticking = asyncio.create_task(tick())
    try:
        return await asyncio.gather(*(one(page) for page in pages))
    finally:
        ticking.cancel()


def run_all(
    root: Path,
    pages: list[str],
    progress,
    *,
    threads: int = 0,
    more: Mapping[str, str] | None = None,
) -> list[Outcome]:
    """Execute ``pages`` in this order, side by side; ``threads`` 0 shares the cores among them.

    ``more`` are further variables of their environment.
    """
    forked.use()
    at_once = side_by_side(len(pages))
    env = environment(threads or max(1, cores() // at_once), **(more or {}))
    return asyncio.run(_all(root, pages, at_once, env, progress))

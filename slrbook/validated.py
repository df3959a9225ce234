"""A plugin of pytest, for `make test`: the book is written from what nbval runs.

nbval runs every cell of every chapter as a test, and nothing is computed twice: what a kernel says
is put into the notebook by the same client with which `make book` runs a chapter, so that the site
is the same. A cell that fails is a failing test, and the page shows its error where it stands.
"""

import contextlib
import json
import os
import shutil
import time
from pathlib import Path
from queue import Empty

import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionComplete
from nbval.plugin import IPyNbCell, IPyNbFile

from slrbook import build, chapters, forked, times
from slrbook.execute import INSIDE, environment


class Kept:
    """A chapter, filled with what its kernel says."""

    def __init__(self, file: IPyNbFile):
        self.root = file.config.rootpath
        self.page = str(file.path.relative_to(self.root).with_suffix(""))
        self.notebook = chapters.ready(self.root, self.page)
        self.client = NotebookClient(self.notebook, record_timing=False)
        self.code = [i for i, cell in enumerate(self.notebook.cells) if cell.cell_type == "code"]
        self.asked: dict[str, int] = {}  # which cell a message answers
        kernel = file.kernel
        assert kernel is not None  # nbval has started it
        self.is_alive = kernel.is_alive
        self._message, self._execute = kernel.get_message, kernel.execute_cell_input
        kernel.get_message, kernel.execute_cell_input = self.heard, self.executed
        self.running = 0
        self.begun = time.monotonic()
        self.ask("begin()")

    def executed(self, *given, **named) -> str:
        """Run a cell, and remember its number by that of the request."""
        self.client.clear_before_next_output = False
        request = self._execute(*given, **named)
        self.asked[request] = self.code[self.running]
        return request

    def heard(self, stream: str, timeout: float | None = None) -> dict:
        """The next message, written down on its way to nbval."""
        message = self._next(stream, timeout)
        cell = self.asked.get(message["parent_header"].get("msg_id", ""))
        if stream == "iopub" and cell is not None:
            with contextlib.suppress(CellExecutionComplete):
                self.client.process_message(message, self.notebook.cells[cell], cell)
        return message

    def _next(self, stream: str, timeout: float | None) -> dict:
        """The next message; who waits for one from a kernel that has died hears of it at once."""
        end = time.monotonic() + (timeout or float("inf"))
        while True:
            try:
                return self._message(stream, max(0.0, min(1.0, end - time.monotonic())))
            except Empty:
                if time.monotonic() >= end:
                    raise
                if not self.is_alive():
                    raise RuntimeError("the kernel has died") from None

    def ask(self, call: str) -> dict:
        """The answer of a function of ``inside``, which leaves no trace in the notebook."""
        request, said, state = self._execute(INSIDE + call), "", ""
        while state != "idle":
            message = self._next("iopub", None)
            if message["parent_header"].get("msg_id") == request:
                state = message["content"].get("execution_state", state)
                said += message["content"].get("text", "")
        return json.loads(said or "{}")

    def write(self) -> None:
        cost = self.ask("end()") if self.is_alive() else {}
        times.save(self.root, self.page, cost | {"wall": time.monotonic() - self.begun})
        self.client.set_widgets_metadata()
        build.keep(self.root, self.page, self.notebook)


def pytest_configure(config):
    """The kernels are those of `make book`; the first process empties the folder."""
    forked.use()
    os.environ.update(environment(1))
    if not hasattr(config, "workerinput"):
        shutil.rmtree(build.kept(config.rootpath), ignore_errors=True)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    """The longest chapter first."""
    root = config.rootpath
    order = build.longest_first(root, chapters.notebooks(root))
    place = {root / f"{page}.ipynb": number for number, page in enumerate(order)}
    items.sort(key=lambda item: place.get(Path(item.path), 0))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    if isinstance(item, IPyNbCell):
        if not hasattr(item.parent, "kept"):
            item.parent.kept = Kept(item.parent)
        item.parent.kept.running = item.cell_num
    return (yield)


@pytest.hookimpl(tryfirst=True)  # while the kernel lives
def pytest_runtest_teardown(item, nextitem):
    """After its last cell a chapter is written, also one whose kernel has died."""
    last = nextitem is None or nextitem.parent is not item.parent
    if last and hasattr(item.parent, "kept"):
        item.parent.kept.write()

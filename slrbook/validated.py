"""A pytest plugin that keeps the outputs of nbval, from which the book is written.

nbval runs every cell of every chapter as a test; this plugin writes the outputs into the notebook,
so nothing is computed twice. A cell that fails is a failing test, and the page shows its error.
"""

import time
from queue import Empty

import nbformat
import pytest
from nbval.plugin import IPyNbCell, IPyNbFile

from slrbook import chapters


class Chapter:
    """A chapter that nbval runs, and the notebook that stores its outputs."""

    def __init__(self, file: IPyNbFile):
        self.root = file.config.rootpath
        self.page = str(file.path.relative_to(self.root).with_suffix(""))
        self.notebook = chapters.ready(self.root, self.page)
        self.cells = [cell for cell in self.notebook.cells if cell.cell_type == "code"]
        assert file.kernel is not None  # nbval has started it
        self.kernel = file.kernel
        self.next_message = self.kernel.get_message
        self.kernel.get_message = self.message

    def message(self, stream: str, timeout: float | None = None) -> dict:
        """Return the next message; raise an error at once if the kernel has died."""
        end = time.monotonic() + (timeout or float("inf"))
        while True:
            try:
                return self.next_message(stream, max(0.0, min(1.0, end - time.monotonic())))
            except Empty:
                if time.monotonic() >= end:
                    raise
                if not self.kernel.is_alive():
                    raise RuntimeError("the kernel has died") from None

    def write(self) -> None:
        file = chapters.kept(self.root) / f"{self.page}.ipynb"
        file.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(self.notebook, part := file.with_suffix(".part"))
        part.replace(file)  # Sphinx waits for it


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    if not isinstance(item, IPyNbCell):
        return (yield)
    if not hasattr(item.parent, "chapter"):
        item.parent.chapter = Chapter(item.parent)
    try:
        return (yield)
    finally:
        item.parent.chapter.cells[item.cell_num].outputs = item.test_outputs or []


@pytest.hookimpl(tryfirst=True)  # while the kernel lives
def pytest_runtest_teardown(item, nextitem):
    """Write a chapter after its last cell, even if its kernel has died."""
    last = nextitem is None or nextitem.parent is not item.parent
    if last and hasattr(item.parent, "chapter"):
        item.parent.chapter.write()

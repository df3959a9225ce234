"""An explorer in JupyterLab: the same object, a two-way widget, no requests to other hosts."""

import contextlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request

import browsing
import nbformat
import pytest
from booksource import notebook
from explored import drawing, moved
from playwright.sync_api import TimeoutError

from slrbook.sphinx_ext import plain_notebooks

pytestmark = pytest.mark.browser

TOKEN = "explorers"
CELLS = [
    """import jax
jax.config.update("jax_enable_x64", True)
import ipywidgets
from slrbook.explorers import puzzle
explorer, slider = puzzle(lam=0.05), ipywidgets.FloatSlider(0.05, min=0.01, max=2, step=0.01)
ipywidgets.jslink((slider, "value"), (explorer, "lam"))
heard = []
explorer.observe(lambda change: heard.append(change.new), "nu0")
explorer""",
    "slider",
    "explorer.kappa0 = 0.4",
    'print("python sees", explorer.nu0, heard[-1], explorer.figures["regime"])',
    "slider.value = 0.5",
    'print(f"linked {explorer.lam:.2f} {explorer.reading}")',
    """from slrbook.explorers import read_a_sentence, see_m, the_laboratory
ipywidgets.VBox([read_a_sentence(), see_m(), the_laboratory(steps=1000)])""",
]

PLAIN = "invariant_manifold"
RAW = re.compile(r"\{[a-z:]+\}`|:::|\((?:eq|fig|sec|paper|ex)-[\w-]+\)|\?\?|\\[A-Za-z]+")


@pytest.fixture(scope="module")
def lab(tmp_path_factory, site):
    """JupyterLab on loopback, in a temporary folder, without requests for news or updates."""
    home = tmp_path_factory.mktemp("lab")
    nbformat.write(notebook(map(nbformat.v4.new_code_cell, CELLS)), home / "cells.ipynb")
    shutil.copy(browsing.SITE / plain_notebooks.FOLDER / f"{PLAIN}.ipynb", home)
    settings = home / "settings" / "@jupyterlab" / "notebook-extension"
    settings.mkdir(parents=True)
    every_cell = {"windowingMode": "none"}  # also cells outside the viewport
    (settings / "tracker.jupyterlab-settings").write_text(json.dumps(every_cell), "utf-8")
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]  # or a nearby port, if another process takes this one first
    command += [f"--port={port}", "--ServerApp.port_retries=50"]
    command += [f"--IdentityProvider.token={TOKEN}"]
    command += [f"--ServerApp.root_dir={home}", "--ServerApp.ip=127.0.0.1"]
    command += ["--LabApp.news_url=None"]
    command += ["--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
    command += ["--LabApp.extension_manager=readonly"]
    own = {name: str(home / name) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR")}
    own |= {"JUPYTERLAB_SETTINGS_DIR": str(home / "settings"), "JAX_PLATFORMS": "cpu"}
    own |= {"JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces")}
    with open(home / "log", "w") as log:
        server = subprocess.Popen(
            command, env=os.environ | own, stdout=log, stderr=subprocess.STDOUT, cwd=home
        )
    try:
        yield listening(home / "JUPYTER_RUNTIME_DIR", server, home / "log")
    finally:
        server.terminate()
        try:
            server.wait(15)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def listening(runtime, server, log, seconds=600):
    """The address that JupyterLab writes to its folder, as soon as a server answers there."""
    for _ in range(seconds * 5):
        with contextlib.suppress(OSError, ValueError, KeyError):
            (said,) = runtime.glob("jpserver-*.json")
            address = f"http://127.0.0.1:{json.loads(said.read_text('utf-8'))['port']}/"
            urllib.request.urlopen(f"{address}api?token={TOKEN}", timeout=60).close()
            return address
        if server.poll() is not None:
            break
        time.sleep(0.2)
    pytest.fail(f"JupyterLab did not start: {log.read_text()[-2000:]}", False)


@pytest.fixture(scope="module")
def opened(lab, browser):
    """(page, run) of the notebook with a ready kernel; ``run(index)`` runs a cell."""
    with browsing.fresh_page(browser, viewport={"width": 1200, "height": 1400}) as page:
        page.goto(f"{lab}lab/tree/cells.ipynb?token={TOKEN}&reset")
        cells = page.locator(".jp-Notebook .jp-CodeCell")
        cells.first.wait_for()
        page.get_by_text("Python 3 (ipykernel) | Idle").wait_for()

        def run(index):
            cells.nth(index).locator(".cm-content").click()
            page.keyboard.press("Shift+Enter")

        yield page, run


def run_until(opened, index, text, tries=600):
    """Run a cell that queries the kernel until the message from the view has arrived there."""
    page, run = opened
    for _ in range(tries):
        run(index)
        with contextlib.suppress(TimeoutError):
            return page.get_by_text(text).wait_for(timeout=1000)
    pytest.fail(f"the kernel never heard of it: {text}", False)


def test_trait_to_view_and_view_to_trait(opened):
    page, run = opened
    run(0)
    explorer = page.locator(".slr-explorer")
    explorer.locator(".slr-more").wait_for()
    assert explorer.count() == 1  # the widget, without the static page
    point = explorer.locator(".slr-point")
    assert point.get_attribute("aria-valuetext") == "kappa of k minus 0.05, nu of v 0.05"

    run(2)  # a trait set in Python updates the view
    page.locator(".slr-point[aria-valuetext='kappa of k 0.40, nu of v 0.05']").wait_for()

    point.focus()  # keys in the view set the trait, and Jupyter's shortcuts ignore them
    page.keyboard.press("Shift+ArrowUp")
    page.locator(".slr-point[aria-valuetext='kappa of k 0.40, nu of v 0.15']").wait_for()
    run_until(opened, 3, "python sees 0.15 0.15 recovered the teacher")

    run(1)
    run(4)  # a slider of ipywidgets, linked in the page
    explorer.get_by_text("after 20,000 steps descent is on the plateau").wait_for()
    run_until(opened, 5, "linked 0.50 Not yet: after 20,000 steps")
    assert page.foreign == []


def test_three_explorers_in_one_cell_move(opened):
    """One with text from the kernel, one with a run, one with a Worker."""
    page, run = opened
    run(6)
    explorers = page.locator(".jp-CodeCell").nth(6).locator(".slr-explorer")
    explorers.nth(2).locator(".slr-more").wait_for()
    for explorer in explorers.all():
        before = drawing(explorer)
        explorer.locator(".slr-controls input[type=range]").first.press("PageUp")
        moved(explorer, before)
    assert page.foreign == [] and page.errors == []


def test_a_plain_notebook_can_be_read_before_it_runs(lab, browser):
    notebook = browsing.SITE / plain_notebooks.FOLDER / f"{PLAIN}.ipynb"
    cells = json.loads(notebook.read_text("utf-8"))
    prose = [cell for cell in cells["cells"] if cell["cell_type"] == "markdown"]
    with browsing.fresh_page(browser, viewport={"width": 1200, "height": 1400}) as page:
        page.goto(f"{lab}lab/tree/{PLAIN}.ipynb?token={TOKEN}&reset")
        page.wait_for_function(
            """number => {
              const prose = [...document.querySelectorAll('.jp-MarkdownCell .jp-RenderedMarkdown')]
              const set = document.querySelectorAll('.jp-RenderedMarkdown mjx-container').length
              return prose.length === number && set > 100
                && prose.every(each => !each.textContent.includes('$'))
            }""",
            arg=len(prose),
        )
        shown = page.locator(".jp-MarkdownCell .jp-RenderedMarkdown")
        wrong = shown.locator("mjx-merror, [data-mjx-error], mjx-container [style*='color: red']")
        assert wrong.all_text_contents() == []
        assert [found for text in shown.all_inner_texts() for found in RAW.findall(text)] == []

"""The kernels of the chapters are forks: ready at once, each for itself, none left behind."""

import asyncio
import os
import subprocess
import sys
import time

import nbformat
import psutil
from nbclient import NotebookClient

from slrbook import forked
from slrbook.execute import environment, run_all
from slrbook.progress import Progress

FORKED = sys.platform == "linux"
ASK = """\
import sys
ready = {"jax", "scipy.stats", "slrbook.explorers"} <= set(sys.modules)
import os, subprocess
import jax.numpy as jnp
print(os.getpid(), os.getppid(), os.getcwd(), os.environ["PYTEST_WHICH"], ready, sep="|")
print(float(jnp.arange(4.0).sum()), subprocess.run(["true"]).returncode, sys.stdin.read() == "")
"""


def wait_for(state, minutes=5):
    end = time.monotonic() + 60 * minutes
    while not state():
        assert time.monotonic() < end
        time.sleep(0.05)


def asked(folder, which):
    """What a fresh kernel says of itself: its lines, and its process while it lives."""
    forked.use()
    cell = nbformat.v4.new_code_cell(ASK)
    resources = {"metadata": {"path": str(folder)}}
    client = NotebookClient(nbformat.v4.new_notebook(cells=[cell]), resources=resources)
    with client.setup_kernel(env=environment(1, PYTEST_WHICH=which)):
        client.execute_cell(cell, 0)
        said = "".join(out.text for out in cell.outputs if out.get("name", "stdout") == "stdout")
        first, second = said.splitlines()
        pid = int(first.split("|")[0])
        assert psutil.pid_exists(pid)
    return first.split("|"), second, pid


def test_a_kernel_is_ready_and_for_itself(tmp_path):
    (tmp_path / "there").mkdir()
    (one, computed, pid), (other, again, _) = asked(tmp_path, "1"), asked(tmp_path / "there", "2")
    assert computed == again == "6.0 0 True"
    assert one[2:4] == [str(tmp_path), "1"] and other[2:4] == [str(tmp_path / "there"), "2"]
    assert one[0] != other[0]
    wait_for(lambda: not psutil.pid_exists(pid) and not psutil.pid_exists(int(other[0])))
    assert (one[4], one[1] == other[1] != str(os.getpid())) == (str(FORKED), FORKED)


def test_what_is_forked_has_one_thread_and_its_end_is_the_kernel_s(tmp_path):
    if not FORKED:
        return  # each kernel imports for itself, and ends as Jupyter ends it
    env = environment(1)
    server = forked.server(env)
    connection = tmp_path / "kernel.json"
    kernel = server.fork(["ipykernel_launcher", "-f", str(connection)], env, str(tmp_path))
    wait_for(connection.exists)  # it is written when the kernel is up
    assert psutil.Process(server.process.pid).num_threads() == 1
    assert kernel.poll() is None
    server.close()
    wait_for(lambda: kernel.poll() is not None)
    assert kernel.wait() == 0


def test_who_kills_what_forks_costs_the_reader_one_chapter(tmp_path):
    """So a system does that is short of memory."""
    sources = {
        "kills": ["import os, signal; os.kill(os.getppid(), signal.SIGKILL)", "while True: pass"],
        "goes_on": ["6 * 7"],
    }
    if not FORKED:
        sources["kills"][0] = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    new = nbformat.v4
    for name, cells in sources.items():
        notebook = new.new_notebook(cells=[new.new_code_cell(text) for text in cells])
        nbformat.write(notebook, tmp_path / f"{name}.ipynb")
    lost, whole = (run_all(tmp_path, [name], Progress(1))[0] for name in sources)
    assert [(f.chapter, f.expected) for f in lost.failures] == [("kills", "the kernel to go on")]
    assert not whole.failures and whole.notebook.cells[0].outputs[0].data["text/plain"] == "42"


def test_a_kernel_that_has_ended_bears_every_signal(tmp_path):
    """Under much load a kernel may end between being asked after and being told to end."""
    ended = subprocess.Popen(["true"])  # nobody buries it yet
    kernel, gone = forked.Kernel(ended.pid), forked.Forked()
    wait_for(lambda: kernel.poll() == 0)
    ended.wait()
    gone.process, gone.pid, gone.pgid = kernel, kernel.pid, kernel.pid
    for end in (gone.terminate, gone.kill):
        asyncio.run(end())
    assert asyncio.run(gone.wait()) == 0 and gone.process is None

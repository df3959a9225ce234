"""Ctrl-C while a command imports, and while it is busy in compiled code that does not hear it."""

import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from slrbook.command import stopping

ROOT = Path(__file__).parents[2]
BEGINS = """
import os, signal, sys, threading
signal.signal(signal.SIGINT, signal.default_int_handler)
from slrbook.command import stopping
"""
IMPORTING = f"""{BEGINS}
stopping.while_importing("stopped before it began")
try:
    os.kill(os.getpid(), signal.SIGINT)
except BaseException:  # as a module may that is being imported
    pass
threading.Event().wait()
"""
DEAF = f"""{BEGINS}
with stopping.heard(lambda: "stopped; kept"):
    signal.signal(signal.SIGINT, lambda *_: None)  # as in compiled code, nobody hears of it
    os.kill(os.getpid(), signal.SIGINT)
    threading.Event().wait()
"""


@pytest.mark.parametrize(
    ("code", "said"), [(IMPORTING, "stopped before it began"), (DEAF, "stopped; kept")]
)
def test_it_ends_with_one_line(code, said):
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert (run.returncode, run.stderr) == (stopping.BY_CTRL_C, f"\n{said}\n")


def test_what_hears_it_ends_in_its_own_way():
    def mine(*_):
        raise AssertionError

    there, before = signal.getsignal(signal.SIGINT), set(threading.enumerate())
    try:
        signal.signal(signal.SIGINT, mine)
        with pytest.raises(KeyboardInterrupt), stopping.heard(lambda: "never"):
            signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is mine
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # as in the background of a shell
        with stopping.heard(lambda: "never"):
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, there)
    for thread in set(threading.enumerate()) - before:
        thread.join()

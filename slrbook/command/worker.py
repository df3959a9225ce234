"""One of the processes that make stored results: quick to import, and gone when its parent is."""

import os
import signal
import threading
from multiprocessing import parent_process
from typing import Any

from tqdm import tqdm


def begin() -> None:
    """What a process does first: it listens for the end of its parent, however that comes.

    A pipe between the two closes when the parent ends, even by ``kill -9``.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends Ctrl-C to the parent, too
    threading.Thread(target=end_with_parent, daemon=True).start()
    tqdm.set_lock(threading.RLock())  # its own, between processes, outlives one that is stopped
    one_core_each()


def end_with_parent() -> None:
    """Wait for the parent, and end at once: what is kept on disk is whole at any moment."""
    if parent := parent_process():
        parent.join()
        os._exit(1)


def one_core_each() -> None:
    """Settings of each process; JAX reads them when it first computes."""
    import jax  # takes a second, in which the parent may already end

    given = os.environ.get("XLA_FLAGS", "")  # a set of instructions that is asked for stays
    os.environ["XLA_FLAGS"] = f"{given} --xla_cpu_multi_thread_eigen=false".strip()
    jax.config.update("jax_enable_x64", True)  # as in the chapters
    jax.config.update("jax_platforms", "cpu")


def work(experiment: Any, folder: Any) -> str:
    """Run one piece; its name."""
    experiment.run(folder)
    return experiment.name

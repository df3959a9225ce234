"""The stored results of the chapters: ``python -m slrlib.experiments results`` makes them all.

Two processes share the work; what is there already is left alone, and an interrupted run goes on
where it was stopped.
"""

import argparse
import os
import signal
import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import active_children, get_context
from pathlib import Path

import jax
from tqdm import tqdm

from slrlib import language
from slrlib.experiments.base import Experiment
from slrlib.experiments.registry import STORED, find


def make(
    experiments: Sequence[Experiment],
    folder: str | Path,
    processes: int = 2,
    progress: bool = True,
) -> int:
    """Every result that ``folder`` does not hold yet; how many pieces of work they were."""
    missing = [e for e in experiments if e.found(folder, whole=True) is None]
    jobs = [job for e in missing for job in e.pieces(folder)]
    pool = ProcessPoolExecutor(processes, get_context("spawn"), initializer=one_core_each)
    with pool, tqdm(total=len(jobs), unit="part", disable=not progress) as bar:
        heard = signal.signal(signal.SIGINT, signal.SIG_IGN)  # so that no process hears Ctrl-C
        futures = [pool.submit(work, *job) for job in jobs]
        signal.signal(signal.SIGINT, heard)  # but this one
        try:
            for done in as_completed(futures):
                bar.set_description(done.result())
                bar.update()
        except KeyboardInterrupt:
            for future in futures:
                future.cancel()
            for process in active_children():
                process.terminate()
            raise
    for experiment in missing:
        experiment.run(folder)  # puts the pieces together
    return len(jobs)


def work(experiment: Experiment, folder: str | Path) -> str:
    experiment.run(folder)
    return experiment.name


def one_core_each() -> None:
    """Settings of each process; JAX reads them when it first computes."""
    given = os.environ.get("XLA_FLAGS", "")  # a set of instructions that is asked for stays
    os.environ["XLA_FLAGS"] = f"{given} --xla_cpu_multi_thread_eigen=false".strip()
    jax.config.update("jax_enable_x64", True)  # as in the chapters
    jax.config.update("jax_platforms", "cpu")
    tqdm.set_lock(threading.RLock())  # its own, between processes, outlives one that is stopped


def main() -> None:
    command = argparse.ArgumentParser(description="Make the stored results of the chapters.")
    command.add_argument("folder", nargs="?", default="results")
    command.add_argument("names", nargs="*", default=STORED, help="some of them only")
    command.add_argument("--processes", type=int, default=2)
    given = command.parse_args()
    experiments = [find(name) for name in given.names]
    here = [e for e in experiments if language.available() or not e.needs_model]
    one_core_each()
    begin = time.perf_counter()
    try:
        count = make(here, given.folder, given.processes) if here else 0
    except KeyboardInterrupt:
        sys.exit("\nstopped; the same line goes on")
    minutes = (time.perf_counter() - begin) / 60
    if here:
        size = sum(e.file(given.folder).stat().st_size for e in here) / 1e6
        print(f"{len(here)} results, {size:.1f} MB; {count} parts in {minutes:.1f} minutes")
    if here != experiments:
        command.exit(1, f"{language.missing()}\n")


if __name__ == "__main__":
    main()

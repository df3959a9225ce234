"""Stored results made by several processes at once, which one Ctrl-C stops."""

import argparse
import signal
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import active_children, get_context
from pathlib import Path

from tqdm import tqdm

from slrbook.command import stopping
from slrbook.command.worker import begin, one_core_each, work
from slrlib.experiments.base import Experiment
from slrlib.experiments.catalogue import ALL, STORED
from slrlib.language import extra


def make(
    experiments: Sequence[Experiment],
    folder: str | Path,
    processes: int = 2,
    progress: bool = True,
) -> int:
    """Every result that ``folder`` does not hold yet; how many pieces of work they were."""
    for experiment in experiments:
        experiment.discard_corrupt(folder)
    missing = [e for e in experiments if e.read(folder, whole=True) is None]
    jobs = [job for e in missing for job in e.pieces(folder)]
    if jobs:
        side_by_side(jobs, processes, progress)
    for experiment in missing:
        experiment.run(folder)  # puts the pieces together
    return len(jobs)


def side_by_side(jobs: list, processes: int, progress: bool) -> None:
    """``work(*job)`` for all ``jobs``; what one refuses is told once the others are done."""
    stopped, refused = [], []

    def stop(*_):
        stopped.append(True)
        for child in active_children():
            child.kill()  # which breaks the pool, and so ends the loop below

    pool = ProcessPoolExecutor(processes, get_context("spawn"), initializer=begin)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # the processes never hear Ctrl-C,
    futures = [pool.submit(work, *job) for job in jobs]
    heard = signal.signal(signal.SIGINT, stop)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # and here none is lost
    try:
        with pool, tqdm(total=len(jobs), unit="part", disable=not progress, leave=False) as bar:
            for done in as_completed(futures):
                try:
                    bar.set_description(done.result())
                except ValueError as wrong:
                    refused.append(str(wrong))
                bar.update()
    except BrokenProcessPool:
        if stopped:
            raise KeyboardInterrupt from None
        raise ValueError(
            "a process was ended from outside, often for want of memory: please give "
            "--processes 1, or more memory; the same command goes on"
        ) from None
    finally:
        signal.signal(signal.SIGINT, heard)
    if refused:
        raise ValueError("\n".join(dict.fromkeys(refused)))


def main() -> int:
    """The exit status of ``python -m slrbook.results``."""
    command = argparse.ArgumentParser(description="Make the stored results of the chapters.")
    command.add_argument("folder", nargs="?", default="results")
    command.add_argument("names", nargs="*", default=STORED, help="some of them only")
    command.add_argument("--processes", type=int, default=2)
    given = command.parse_args()
    begun = time.perf_counter()
    try:
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        experiments = [ALL[name] for name in given.names]
        here = [e for e in experiments if extra.available() or not e.needs_model]
        one_core_each()
        count = make(here, given.folder, given.processes) if here else 0
    except KeyboardInterrupt:
        print(stopping.own_line("\n") + stopping.GOES_ON, file=sys.stderr)
        return stopping.BY_CTRL_C
    except (ValueError, OSError) as wrong:
        print(wrong, file=sys.stderr)
        return 1
    minutes = (time.perf_counter() - begun) / 60
    if here:
        size = sum(e.file(given.folder).stat().st_size for e in here) / 1e6
        print(f"{len(here)} results, {size:.1f} MB; {count} parts in {minutes:.1f} minutes")
    if here != experiments:
        print(extra.missing(), file=sys.stderr)
    return int(here != experiments)

"""Stored results made by several processes at once, which one Ctrl-C stops."""

import argparse
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import active_children, get_context
from pathlib import Path

from tqdm import tqdm

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
    refused = []
    try:
        with (
            ProcessPoolExecutor(processes, get_context("spawn"), initializer=begin) as pool,
            tqdm(total=len(jobs), unit="part", disable=not progress, leave=False) as bar,
        ):
            try:
                for done in as_completed([pool.submit(work, *job) for job in jobs]):
                    try:
                        bar.set_description(done.result())
                    except ValueError as wrong:
                        refused.append(str(wrong))
                    bar.update()
            except KeyboardInterrupt:
                for child in active_children():
                    child.kill()  # the files that they write appear whole or not at all
                raise
    except BrokenProcessPool:
        raise ValueError(
            "a process was ended from outside, often for want of memory: please give "
            "--processes 1, or more memory; the same command goes on"
        ) from None
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
        experiments = [ALL[name] for name in given.names]
        here = [e for e in experiments if extra.available() or not e.needs_model]
        one_core_each()
        count = make(here, given.folder, given.processes) if here else 0
    except KeyboardInterrupt:
        print("\nstopped; the same command goes on", file=sys.stderr)
        return 130
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
